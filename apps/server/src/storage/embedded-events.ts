/**
 * Runs the child process that owns the events folder.
 *
 * States: starting → ready → (crashed → starting …) → stopping → stopped. Address and password stay the same over
 * restarts, so that clients need not notice: while the child is down they get a refused connection. The child ends by
 * itself when we die. A folder still held by a dying predecessor is tried again for 10 s, counted from the first refusal:
 * a slow machine may need longer for one attempt alone.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { builtProgram } from '../built-program.ts';
import { ENGINE_THREADS } from '../events-process/engine-limits.ts';
import { assertOwned } from './data-dir-lock.ts';
import type { EventsNews, EventsOrder } from './events-process.ts';
import { errorText, type StorageLog } from './storage-log.ts';
import { diskFull, explainFileError, StorageStartError, systemErrorCode } from './storage-start-error.ts';

const START_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 10_000;
const FOLDER_HELD_FOR_MS = 10_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** Up this long counts as healthy again. */
const STEADY_AFTER_MS = 30_000;
const MIN_FREE_BYTES = 128 * 1024 * 1024;
const EVENTS_USER = 'airdeck';
/** Its password changes with every start. */
const ACCESS_FILE = 'events.access';

export type EmbeddedEvents = {
  url: string;
  user: string;
  password: string;
  /** The present child; undefined between a crash and its successor. */
  pid(): number | undefined;
  /** How often the child was started again. */
  restarts(): number;
  stop(): Promise<void>;
};

export type EmbeddedEventsOptions = {
  dataDir: string;
  log: StorageLog;
  signal?: AbortSignal;
  /** Old events are not taken away to make room: they are still to be looked at. */
  keepsExpired?: boolean;
};

/**
 * Starts the event store of `dataDir`. The caller holds the lock of the folder (`lockDataDir`).
 * Throws `StorageStartError`.
 */
export async function startEmbeddedEvents(options: EmbeddedEventsOptions): Promise<EmbeddedEvents> {
  const { log, signal, keepsExpired = false } = options;
  const dataDir = resolve(options.dataDir);
  const folder = join(dataDir, 'events');
  try {
    assertOwned(dataDir);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < MIN_FREE_BYTES) throw diskFull(folder);
  } catch (error) {
    throw explainFileError(error, folder);
  }
  const password = randomBytes(24).toString('base64url');
  const order: StartOrder = { kind: 'start', folder, port: 0, user: EVENTS_USER, password, keepsExpired };
  const { child, port } = await startPatiently(order, { log, signal });
  const store = supervise(child, { order: { ...order, port }, log });
  writeAccess(dataDir, { url: store.url, user: store.user, password });
  return {
    ...store,
    async stop() {
      rmSync(join(dataDir, ACCESS_FILE), { force: true });
      await store.stop();
    },
  };
}

export type EventsAccount = { url: string; user: string; password: string };

/**
 * How to reach the store that runs on this folder, for a program beside the one that started it. Undefined when none was
 * started; a crash leaves the note of a store that answers no more.
 */
export function runningEvents(dataDir: string): EventsAccount | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, ACCESS_FILE), 'utf8')) as EventsAccount;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function writeAccess(dataDir: string, account: EventsAccount): void {
  const draft = join(dataDir, `${ACCESS_FILE}.new`);
  writeFileSync(draft, JSON.stringify(account), { mode: 0o600 });
  renameSync(draft, join(dataDir, ACCESS_FILE));
}

type StartOrder = Extract<EventsOrder, { kind: 'start' }>;

function supervise(first: ChildProcess, deps: { order: StartOrder; log: StorageLog }): EmbeddedEvents {
  const { order, log } = deps;
  let child: ChildProcess | undefined;
  let restarts = 0;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;

  function adopt(next: ChildProcess): void {
    child = next;
    const since = performance.now();
    next.once('exit', (code, signal) => {
      child = undefined;
      if (stopping) return;
      if (performance.now() - since > STEADY_AFTER_MS) pauseMs = FIRST_PAUSE_MS;
      log.error({ code, signal, pauseMs }, 'the event store ended unexpectedly and is started again');
      restartLater();
    });
  }

  function restartLater(): void {
    timer = setTimeout(() => {
      restarts++;
      startPatiently(order, { log, signal: undefined }).then(
        (next) => {
          adopt(next.child);
          if (stopping) next.child.disconnect();
        },
        (error: unknown) => {
          log.error({ error: errorText(error) }, 'the event store could not be started again');
          if (!stopping) restartLater();
        },
      );
    }, pauseMs);
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  }

  adopt(first);
  return {
    url: `http://127.0.0.1:${order.port}`,
    user: order.user,
    password: order.password,
    pid: () => child?.pid,
    restarts: () => restarts,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      if (child !== undefined) await stopChild(child);
    },
  };
}

async function startPatiently(
  order: StartOrder,
  deps: { log: StorageLog; signal: AbortSignal | undefined },
): Promise<Started> {
  const { log, signal } = deps;
  let heldSince: number | undefined;
  for (;;) {
    try {
      return await startChild(order, log);
    } catch (error) {
      if (signal?.aborted)
        throw new StorageStartError('STORE_START_ABORTED', 'The start was called off.', { cause: error });
      if (!(error instanceof FolderHeldError)) throw error;
      if (heldSince === undefined) {
        heldSince = performance.now();
        log.warn({ folder: order.folder }, 'the event store waits for a process that still holds its folder');
      }
      if (performance.now() - heldSince > FOLDER_HELD_FOR_MS) throw error;
      await wait(FIRST_PAUSE_MS);
    }
  }
}

class FolderHeldError extends StorageStartError {}

/** CANNOT_OPEN_FILE: the lock of another process on the folder. The engine says it on stderr only. */
const FOLDER_HELD = /Code: 76\b/;

type Started = { child: ChildProcess; port: number };

function startChild(order: StartOrder, log: StorageLog): Promise<Started> {
  const child = forkEventsProcess();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      fail(
        new StorageStartError(
          'STORE_START_FAILED',
          `The event store did not become ready in ${START_WITHIN_MS / 1000} s.`,
        ),
      );
    }, START_WITHIN_MS);
    const fail = (error: Error) => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.on('error', () => undefined);
      child.kill('SIGKILL');
      reject(error);
    };
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2_000);
    });
    child.once('error', fail);
    let reason: string | undefined;
    // `close` comes when its last words were read.
    child.once('close', (code, signal) => {
      const message =
        reason === undefined
          ? `The event store ended at start (${signal ?? code}): ${complaint.trim()}`
          : `The event store could not be started: ${reason} ${complaint.trim()}`.trim();
      fail(
        FOLDER_HELD.test(message)
          ? new FolderHeldError('DATA_DIR_IN_USE', message)
          : new StorageStartError('STORE_START_FAILED', message),
      );
    });
    child.on('message', (news: EventsNews) => {
      if (news.kind === 'expired') return logExpired(news, log);
      if (news.kind === 'failed') {
        reason = news.message;
        child.kill('SIGKILL');
        return;
      }
      clearTimeout(timer);
      child.removeAllListeners('close');
      child.removeAllListeners('error');
      child.on('error', () => undefined);
      resolve({ child, port: news.port });
    });
    child.send(order);
  });
}

function logExpired({ parts, rows, failed, failure }: Extract<EventsNews, { kind: 'expired' }>, log: StorageLog): void {
  if (parts > 0) log.info({ parts, rows }, 'events whose time is over were taken away, as the disk is nearly full');
  if (failure !== undefined) log.warn({ failed, error: failure }, 'events whose time is over could not be taken away');
}

function forkEventsProcess(): ChildProcess {
  return fork(fileURLToPath(builtProgram('events-process')), [], {
    execArgv: [],
    // Calls into chDB occupy a thread each; glibc's default of one arena per thread would keep freed memory.
    env: { PATH: process.env.PATH, TZ: 'UTC', UV_THREADPOOL_SIZE: String(ENGINE_THREADS), MALLOC_ARENA_MAX: '2' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((settle) => child.once('exit', () => settle()));
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  if (child.connected) child.send({ kind: 'stop' } satisfies EventsOrder);
  else child.kill('SIGKILL');
  await gone;
  clearTimeout(timer);
}
