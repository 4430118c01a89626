/**
 * The work on events in a thread of its own, so that reading, hashing and writing thirty thousand events a second, and the
 * collections of memory they cause, hold up no request and no refusal.
 *
 * Bodies are given to the thread without a copy; back come counts, and the events that matched a policy or may be alerts.
 * Whatever ends the thread takes the events it holds with it: their deliveries are refused, their senders come again, and
 * the next one starts a new thread.
 */
import type { Worker } from 'node:worker_threads';
import { builtProgram } from '../built-program.ts';
import type { OpenEventWork, RunningEventWork } from '../compose-event-work.ts';
import { AppError } from '../http/app-error.ts';
import type { LoadPolicies } from '../modules/detection/detection-port.ts';
import type { Arrival } from '../modules/ingestion/arrival.ts';
import type { EventOwner, HeldEvents, Matched, WriteOrder, Written } from '../modules/ingestion/event-work.ts';
import type { EventsStoreOptions } from '../storage/events-store.ts';
import type { StorageLog } from '../storage/storage-log.ts';
import { type Calls, openCalls } from '../thread-calls.ts';
import { startThread } from '../thread-start.ts';

export type ThreadOrder = { store: Omit<EventsStoreOptions, 'log'> };

export type ThreadAnswers = {
  ready(): true;
  read(order: { arrival: Arrival; owner: EventOwner }): Promise<HeldEvents>;
  write(batches: readonly WriteOrder[]): Promise<Written>;
  match(order: { batches: readonly WriteOrder[]; from: number }): Promise<Matched>;
  ping(): Promise<void>;
  drop(id: string): void;
  markStale(tenant: string): void;
  markAllStale(): void;
};

export type ServerAnswers = {
  policies(order: { tenant: string; knownVersion: number | undefined }): ReturnType<LoadPolicies>;
  log(order: { level: LogLevel; fields: Record<string, unknown>; message: string }): void;
};

export type LogLevel = keyof StorageLog;

/** Decoded events take several times as much as their bytes, of which 48 MB at most are held. */
const HEAP_MB = 1_024;
/** As of a process of its own. */
const YOUNG_HEAP_MB = 48;

type Thread = { worker: Worker; calls: Calls<ThreadAnswers> };

export function createEventThread(
  deps: ThreadOrder & {
    log: StorageLog;
    /** For tests. */
    heapMb?: number;
  },
): OpenEventWork {
  return ({ loadPolicies }) => openThread({ ...deps, loadPolicies });
}

function openThread(
  deps: ThreadOrder & { log: StorageLog; heapMb?: number; loadPolicies: LoadPolicies },
): RunningEventWork {
  const { store, log, heapMb = HEAP_MB, loadPolicies } = deps;
  let present: Thread | undefined;
  let isStopped = false;
  const answers: ServerAnswers = {
    policies: ({ tenant, knownVersion }) => loadPolicies(tenant, knownVersion),
    log: ({ level, fields, message }) => log[level](fields, message),
  };

  function begin(): Thread {
    if (isStopped) throw new Error('The thread that works on events was stopped.');
    const limits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: YOUNG_HEAP_MB };
    const worker = startThread(builtProgram('event-worker'), {
      order: { store } satisfies ThreadOrder,
      limits,
    });
    const thread = { worker, calls: openCalls<ThreadAnswers>(worker, answers) };
    worker.on('error', (err) => log.error({ err }, 'the thread that works on events failed'));
    worker.once('exit', () => {
      if (present === thread) present = undefined;
      thread.calls.end(new Error('The thread that works on events ended.'));
    });
    return thread;
  }

  function calls(): Calls<ThreadAnswers> {
    present ??= begin();
    return present.calls;
  }

  return {
    async start() {
      await calls().ask('ready', undefined);
    },
    async stop() {
      isStopped = true;
      await present?.worker.terminate();
    },
    async read(arrival, owner) {
      if (arrival.kind !== 'body') return await calls().ask('read', { arrival, owner });
      const bytes = ofItsOwn(arrival.bytes);
      return await calls().ask('read', { arrival: { ...arrival, bytes }, owner }, [bytes.buffer]);
    },
    async write(batches) {
      const asked = calls();
      try {
        return await asked.ask('write', batches);
      } catch (cause) {
        if (present?.calls === asked) throw cause;
        // With the thread went the connection over which an insert may have been sent.
        throw new AppError('STORE_UNAVAILABLE', { retryAfterS: 2, underWayMs: 0, cause });
      }
    },
    match: async (batches, from) => await calls().ask('match', { batches, from }),
    ping: async () => await calls().ask('ping', undefined),
    drop: (id) => present?.calls.tell('drop', id),
    markStale: (tenant) => present?.calls.tell('markStale', tenant),
    markAllStale: () => present?.calls.tell('markAllStale', undefined),
  };
}

/** Small buffers share their memory with others, which must not be given away with them. */
function ofItsOwn(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}
