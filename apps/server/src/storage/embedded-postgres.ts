/**
 * The PostgreSQL that comes from npm, as a child process on loopback.
 *
 * States: preparing (binaries, cluster, orphan of an earlier run stopped) → starting → ready → stopping → stopped.
 * Ready is read from the status line of `postmaster.pid`, as pg_ctl does. If we exit early, PostgreSQL is told to shut
 * down; if we are killed, it stays behind and the next start stops it; if PostgreSQL dies, `exited` resolves and the program is expected to stop and be started again,
 * because a restart under live pools would hide lost connections from the code that holds transactions.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { assertOwned } from './data-dir-lock.ts';
import { findFreePort } from './free-port.ts';
import { postgresAccount } from './postgres-account.ts';
import { locatePostgresBinaries } from './postgres-binaries.ts';
import { type Cluster, clusterPath, POSTGRES_LOGIN, postgresEnvironment, prepareCluster } from './postgres-cluster.ts';
import { stopOrphanedPostgres } from './postgres-orphan.ts';
import type { StorageLog } from './storage-log.ts';
import { diskFull, explainFileError, StorageStartError, systemErrorCode } from './storage-start-error.ts';

const START_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;
const POLL_MS = 10;
/** A port lost to somebody else, or a predecessor's lock that is about to go. */
const RETRY_FOR_MS = 10_000;
const RETRY_PAUSE_MS = 100;

/** Sized for a laptop that runs everything: few workers, small buffers, and durable commits. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  cluster_name: 'airdeck',
  log_line_prefix: '%m [%p] %e ',
  timezone: 'UTC',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '80MB',
  work_mem: '8MB',
  maintenance_work_mem: '48MB',
  max_connections: '40',
  max_wal_size: '512MB',
  // What a continuous archive needs, for every start, so that one can be turned on; its cost without one was not measured.
  wal_level: 'replica',
  max_wal_senders: '3',
  max_replication_slots: '0',
  max_logical_replication_workers: '0',
  max_worker_processes: '1',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '1',
  autovacuum_naptime: '30s',
  io_method: 'sync',
  huge_pages: 'off',
  jit: 'off',
  idle_in_transaction_session_timeout: '60s',
} as const;

export type EmbeddedPostgres = {
  /** Connection string of the login that owns everything; holds the password. */
  url: string;
  port: number;
  pid: number;
  /** Settles when the server ended, asked to or not. */
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Fast shutdown, immediate after 10 s. May be called more than once. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  dataDir: string;
  log: StorageLog;
  signal?: AbortSignal;
  /** Server parameters other than those of a laptop. */
  parameters?: Readonly<Record<string, string>>;
  /** Variables it gets besides `postgresEnvironment`. */
  environment?: Readonly<Record<string, string>>;
  /** A database that is being restored takes as long as its log. */
  readyWithinMs?: number;
};

/**
 * Starts the database of `dataDir`, creating it on first use. The caller holds the lock of the folder (`lockDataDir`).
 * Throws `StorageStartError`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, signal, parameters = {}, environment = {}, readyWithinMs = START_WITHIN_MS } = options;
  const dataDir = resolve(options.dataDir);
  try {
    assertOwned(dataDir);
    const binaries = locatePostgresBinaries(postgresAccount(), log);
    const cluster = await prepareCluster(dataDir, binaries.initdb);
    await stopOrphanedPostgres(cluster.folder, log);
    const started = performance.now();
    for (;;) {
      const port = await findFreePort();
      const launch = launchPostgres({
        program: binaries.postgres,
        cluster,
        parameters: { ...settings, ...parameters, port: String(port) },
        environment,
        log,
      });
      try {
        await untilReady(launch, cluster.folder, { signal, readyWithinMs });
        return { ...handleOf(launch, cluster, port), stop: () => stopPostgres(launch, log) };
      } catch (error) {
        await stopPostgres(launch, log);
        const reason = launch.stopReason();
        const mayPass = reason === 'port-taken' || reason === 'locked';
        if (!mayPass || performance.now() - started > RETRY_FOR_MS) throw error;
        await wait(RETRY_PAUSE_MS);
      }
    }
  } catch (error) {
    throw explainFileError(error, dataDir);
  }
}

type StopReason = 'disk-full' | 'port-taken' | 'locked' | 'log-ended';

type Launch = {
  child: ChildProcess;
  gone: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Why it gave up, as far as its log says. */
  stopReason(): StopReason | undefined;
  lastWords(): string;
};

function launchPostgres(run: {
  program: string;
  cluster: Cluster;
  parameters: Readonly<Record<string, string>>;
  environment: Readonly<Record<string, string>>;
  log: StorageLog;
}): Launch {
  const { program, cluster, parameters, environment, log } = run;
  const flags = Object.entries(parameters).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(program, ['-D', clusterPath(cluster), ...flags], {
    cwd: cluster.folder,
    env: { ...postgresEnvironment, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group of its own: Ctrl-C in a terminal goes to the whole group, and the database must end last.
    detached: true,
    ...cluster.account,
  });
  const endWithUs = () => void child.kill('SIGINT');
  process.once('exit', endWithUs);
  let words = '';
  let reason: StopReason | undefined;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    for (const line of text.split('\n')) {
      if (line === '') continue;
      words = `${words}${line}\n`.slice(-2_000);
      const state = /\] ([0-9A-Z]{5}) (\w+):/.exec(line);
      if (state?.[1] === '53100') reason = 'disk-full';
      // lock_file_exists: a predecessor, or the shared memory of its last children.
      if (state?.[1] === 'F0001') reason = 'locked';
      // Of what is configured only a moment to recover to is looked at so late: its log ends before that moment.
      if (state?.[1] === 'F0000' && state[2] === 'FATAL') reason = 'log-ended';
      // EADDRINUSE reaches the log as a warning of state 00000 before the fatal "could not create any TCP/IP sockets".
      if (line.includes('could not bind IPv4 address')) reason = 'port-taken';
      // FATAL is mostly one session's end (a wrong password, a shutdown); PANIC is the server's.
      if (state?.[2] === 'PANIC') log.error({ postgres: line }, 'database log');
      else log.debug({ postgres: line }, 'database log');
    }
  });
  const gone = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((settle) => {
    child.once('exit', (code, signal) => {
      process.off('exit', endWithUs);
      settle({ code, signal });
    });
    child.once('error', (error) => {
      words += error.message;
      settle({ code: null, signal: null });
    });
  });
  return { child, gone, stopReason: () => reason, lastWords: () => words.trim() };
}

async function untilReady(
  launch: Launch,
  folder: string,
  { signal, readyWithinMs }: { signal: AbortSignal | undefined; readyWithinMs: number },
): Promise<void> {
  const started = performance.now();
  let ended = false;
  launch.gone.then(
    () => {
      ended = true;
    },
    () => undefined,
  );
  while (!isReady(folder, launch.child.pid)) {
    if (signal?.aborted) throw new StorageStartError('STORE_START_ABORTED', 'The start was called off.');
    if (ended) throw explainEnd(launch, folder);
    if (performance.now() - started > readyWithinMs) {
      throw new StorageStartError(
        'STORE_START_FAILED',
        `The database did not become ready in ${readyWithinMs / 1000} s: ${launch.lastWords()}`,
      );
    }
    await wait(POLL_MS);
  }
}

/** `postmaster.pid` has the process id in line 1 and the status in line 8. */
function isReady(folder: string, pid: number | undefined): boolean {
  try {
    const lines = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
    return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
  } catch {
    return false;
  }
}

function explainEnd(launch: Launch, folder: string): StorageStartError {
  if (launch.stopReason() === 'disk-full') return diskFull(folder);
  const code = launch.stopReason() === 'log-ended' ? 'RECOVERY_LOG_ENDED' : 'STORE_START_FAILED';
  return new StorageStartError(code, `The database did not start: ${launch.lastWords()}`);
}

/**
 * Connection string of the database that runs on this folder, for a program beside the one that started it. Undefined
 * when none runs.
 */
export function runningPostgresUrl(dataDir: string): string | undefined {
  try {
    const lines = readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const port = Number(lines[3]);
    if (lines[7]?.trim() !== 'ready' || !Number.isInteger(port)) return undefined;
    return urlOf(readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim(), port);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function urlOf(password: string, port: number): string {
  return `postgresql://${POSTGRES_LOGIN}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
}

function handleOf(launch: Launch, cluster: Cluster, port: number) {
  return { url: urlOf(cluster.password, port), port, pid: launch.child.pid ?? -1, exited: launch.gone };
}

async function stopPostgres(launch: Launch, log: StorageLog): Promise<void> {
  const { child, gone } = launch;
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  const timer = setTimeout(() => {
    log.warn({ pid: child.pid }, 'the database did not stop in time, shutting it down at once');
    child.kill('SIGQUIT');
  }, STOP_WITHIN_MS);
  await gone;
  clearTimeout(timer);
}
