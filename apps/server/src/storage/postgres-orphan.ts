import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { identifyProcess, isRunning } from './process-identity.ts';
import type { StorageLog } from './storage-log.ts';
import { StorageStartError } from './storage-start-error.ts';

const STOP_WITHIN_MS = 10_000;
const POLL_MS = 20;

/**
 * Stops a PostgreSQL that outlived its program. The caller holds the data folder's lock, so a server on this cluster
 * can only be a leftover; the recorded process is signalled only once it proved to be a postgres on this very folder.
 * Its children (a killed postmaster's backends notice within moments) are waited for too: they still use the files.
 */
export async function stopOrphanedPostgres(folder: string, log: StorageLog): Promise<void> {
  const pid = recordedPid(folder);
  if (pid === undefined) return;
  const orphan = isPostgresOn(pid, folder) ? identifyProcess(pid) : undefined;
  if (orphan !== undefined) log.warn({ pid }, 'stopping the database left behind by an earlier run');
  const started = performance.now();
  let asked: NodeJS.Signals | undefined;
  while ((orphan !== undefined && isRunning(orphan)) || postgresProcessesOn(folder).length > 0) {
    const elapsed = performance.now() - started;
    if (elapsed > 2 * STOP_WITHIN_MS) {
      throw new StorageStartError(
        'DATA_DIR_IN_USE',
        `The database process ${pid} left behind by an earlier run does not stop.`,
      );
    }
    const signal = elapsed > STOP_WITHIN_MS ? 'SIGQUIT' : 'SIGINT';
    if (signal !== asked && orphan !== undefined && isRunning(orphan)) process.kill(orphan.pid, signal);
    asked = signal;
    await wait(POLL_MS);
  }
  forgetRecordedPid(folder);
}

/**
 * PostgreSQL refuses to start while the recorded process id exists, even as an unreaped zombie or as somebody else's
 * new process, which after a crash in a container would be for ever. At this point nothing uses the cluster any more.
 */
function forgetRecordedPid(folder: string): void {
  if (process.platform === 'linux') rmSync(join(folder, 'postmaster.pid'), { force: true });
}

function recordedPid(folder: string): number | undefined {
  const file = join(folder, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readFileSync(file, 'utf8').split('\n', 1)[0] ?? '', 10);
  return Number.isInteger(pid) && pid > 1 ? pid : undefined;
}

function postgresProcessesOn(folder: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isPostgresOn(pid, folder));
}

function isPostgresOn(pid: number, folder: string): boolean {
  try {
    if (process.platform === 'linux') {
      // An executable replaced by an upgrade reads as `… (deleted)`.
      const program = basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
      if (program !== 'postgres') return false;
      const there = statSync(`/proc/${pid}/cwd`);
      const here = statSync(folder);
      return there.dev === here.dev && there.ino === here.ino;
    }
    const command = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return /\bpostgres\b/.test(command) && command.includes(folder);
  } catch {
    return false;
  }
}
