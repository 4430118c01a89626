/**
 * One program per data folder.
 *
 * `airdeck.lock` names its holder by process id and start time. It appears complete or not at all (written aside, then
 * linked), so a reader never sees half of it. A lock whose holder no longer runs is stale, which is what `kill -9` and a
 * power cut leave behind. Only the owner of `airdeck.lock.takeover` may remove a stale lock; without that, two starters
 * that both saw the stale lock could remove each other's new one.
 */
import { linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';
import { explainFileError, StorageStartError, systemErrorCode } from './storage-start-error.ts';

const TAKEOVER_ABANDONED_MS = 5_000;
const TAKEOVER_POLL_MS = 25;

export type DataDirLock = { path: string; release(): void };

/**
 * Creates the data folder if needed (mode 0700), checks that it is ours and takes its lock.
 * Throws `StorageStartError` with `DATA_DIR_NOT_OWNED`, `DATA_DIR_NOT_WRITABLE`, `DATA_DIR_IN_USE` or `DISK_FULL`.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const folder = resolve(dataDir);
  const self = identifyProcess(process.pid);
  if (self === undefined) throw new StorageStartError('STORE_START_FAILED', 'This system does not tell process times.');
  try {
    createFolder(folder);
    assertOwned(folder);
    const path = join(folder, 'airdeck.lock');
    await acquire(path, folder, self);
    return { path, release: () => releaseLock(path, self) };
  } catch (error) {
    throw explainFileError(error, folder);
  }
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    if (systemErrorCode(cause) !== 'ENOENT') throw cause;
    // Missing parents are made, so this is a link.
    throw new StorageStartError('DATA_DIR_NOT_WRITABLE', `${folder} is a link to a folder that does not exist.`, {
      cause,
    });
  }
}

/** A folder of another account could be changed under us by that account; root is no exception. */
export function assertOwned(folder: string): void {
  const owner = statSync(folder).uid;
  const me = process.geteuid?.() ?? owner;
  if (owner === me) return;
  throw new StorageStartError(
    'DATA_DIR_NOT_OWNED',
    `The data folder ${folder} belongs to user id ${owner}, but the program runs as user id ${me}: start it as the owner or choose another folder with AIRDECK_DATA_DIR.`,
  );
}

/** Whether a process holds the lock of a folder, whoever owns it; false where the lock may not be read. Changes nothing. */
export function isLocked(dataDir: string): boolean {
  try {
    const holder = readHolder(join(resolve(dataDir), 'airdeck.lock'));
    return holder !== undefined && isRunning(holder);
  } catch {
    return false;
  }
}

async function acquire(path: string, folder: string, self: ProcessIdentity): Promise<void> {
  for (;;) {
    if (tryLink(path, self)) return;
    const holder = readHolder(path);
    if (holder !== undefined && isRunning(holder)) {
      throw new StorageStartError(
        'DATA_DIR_IN_USE',
        `The data folder ${folder} is in use by the running process ${holder.pid}: stop it first or choose another folder with AIRDECK_DATA_DIR.`,
      );
    }
    await removeStale(path, self);
  }
}

function tryLink(path: string, self: ProcessIdentity): boolean {
  const draft = `${path}.${self.pid}.${process.hrtime.bigint()}`;
  writeFileSync(draft, JSON.stringify(self), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

async function removeStale(path: string, self: ProcessIdentity): Promise<void> {
  const takeover = `${path}.takeover`;
  try {
    writeFileSync(takeover, JSON.stringify(self), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
    const { mtimeMs } = statSync(takeover, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    if (Date.now() - mtimeMs > TAKEOVER_ABANDONED_MS) rmSync(takeover, { force: true });
    await wait(TAKEOVER_POLL_MS);
    return;
  }
  try {
    const holder = readHolder(path);
    if (holder === undefined || !isRunning(holder)) rmSync(path, { force: true });
  } finally {
    rmSync(takeover, { force: true });
  }
}

function releaseLock(path: string, self: ProcessIdentity): void {
  const holder = readHolder(path);
  if (holder?.pid === self.pid && holder.startedAt === self.startedAt) rmSync(path, { force: true });
}

function readHolder(path: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('startedAt' in value)) return undefined;
    return typeof value.pid === 'number' && typeof value.startedAt === 'string'
      ? { pid: value.pid, startedAt: value.startedAt }
      : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
