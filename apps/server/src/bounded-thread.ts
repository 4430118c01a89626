/**
 * Work on a stranger's text in a thread of its own: parsing megabytes of YAML takes seconds and as much memory as its
 * author likes, so it happens neither on the event loop nor without bounds.
 *
 * One thread a piece of work, limited in memory and time, two at once and a few waiting. A thread that crashes or is
 * stopped takes nothing with it.
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from './thread-start.ts';

export type ThreadLimits = {
  /** Milliseconds for one piece of work. */
  readonly timeoutMs: number;
  readonly heapMb: number;
  /** How many may wait for their turn. */
  readonly maxWaiting: number;
};

export class ThreadError extends Error {
  /** `STOPPED` at its limits or by a crash, `TOO_MANY` when nobody may wait any more. */
  readonly code: 'STOPPED' | 'TOO_MANY';

  constructor(code: 'STOPPED' | 'TOO_MANY', options?: { cause?: unknown }) {
    super(code, options);
    this.name = 'ThreadError';
    this.code = code;
  }
}

const MAX_AT_ONCE = 2;
const YOUNG_HEAP_MB = 64;
const STACK_MB = 4;

/**
 * Returns what the thread answers with its first message. Throws `ThreadError`.
 */
export function createBoundedThread<Order, Result>(
  entry: URL,
  limits: ThreadLimits,
): (order: Order, transfer?: readonly ArrayBuffer[]) => Promise<Result> {
  const waiting: (() => void)[] = [];
  const memory = {
    maxOldGenerationSizeMb: limits.heapMb,
    maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
    stackSizeMb: STACK_MB,
  };
  let running = 0;

  async function turn(): Promise<void> {
    if (running < MAX_AT_ONCE) {
      running += 1;
      return;
    }
    if (waiting.length >= limits.maxWaiting) throw new ThreadError('TOO_MANY');
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** The place goes to whoever waits, so that nobody who comes at that moment takes it as well. */
  function handOver(): void {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }

  return async (order, transfer = []) => {
    await turn();
    try {
      return await runThread<Result>(startThread(entry, { order, transfer, limits: memory }), limits.timeoutMs);
    } finally {
      handOver();
    }
  };
}

async function runThread<Result>(worker: Worker, timeoutMs: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      const stopped = (cause?: unknown) => reject(new ThreadError('STOPPED', { cause }));
      timer = setTimeout(stopped, timeoutMs);
      worker.once('message', resolve);
      worker.once('error', stopped);
      worker.once('exit', stopped);
    });
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
