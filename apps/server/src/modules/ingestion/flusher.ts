/**
 * Collects batches and writes them together: while writes are on their way the next ones gather, so that many small
 * deliveries cost about as much as one large one, and a single one does not wait at all.
 */
import { AppError } from '../../http/app-error.ts';
import type { Batch } from './batch.ts';
import type { BatchWriter } from './batch-writer.ts';

const FLUSH_EVENTS = 5_000;
/** A second write uses the time in which the first waits for its commit, once it is worth its own part of the table. */
const SECOND_WRITE_EVENTS = 4_000;

export type Flusher = {
  /** Resolves when the batch is durable and evaluated; rejects when nothing may be acknowledged. */
  add(batch: Batch): Promise<void>;
  /** Resolves when nothing is waiting or being written. */
  idle(): Promise<void>;
  readonly waiting: number;
};

type Entry = { batch: Batch; resolve: () => void; reject: (error: unknown) => void };

export function createFlusher(deps: { writer: BatchWriter }): Flusher {
  let queue: Entry[] = [];
  let queuedEvents = 0;
  let writing = 0;
  let idleWaiters: (() => void)[] = [];

  function pump(): void {
    while (queue.length > 0 && (writing === 0 || (writing === 1 && queuedEvents >= SECOND_WRITE_EVENTS))) {
      const entries = nextFlush();
      writing++;
      void flush(entries).finally(() => {
        writing--;
        pump();
      });
    }
    if (queue.length > 0 || writing > 0) return;
    for (const wake of idleWaiters) wake();
    idleWaiters = [];
  }

  /** At least one batch, however large it is. */
  function nextFlush(): Entry[] {
    let [count, events] = [0, 0];
    for (const { batch } of queue) {
      if (count > 0 && events + batch.events.length > FLUSH_EVENTS) break;
      count++;
      events += batch.events.length;
    }
    const entries = queue.slice(0, count);
    queue = queue.slice(count);
    queuedEvents -= events;
    return entries;
  }

  async function flush(entries: readonly Entry[]): Promise<void> {
    try {
      const done = await deps.writer.write(entries.map(({ batch }) => batch));
      for (const { batch, resolve, reject } of entries) {
        if (done.has(batch)) resolve();
        // Another process has this very batch in hand; a little later its result can be read.
        else
          reject(
            new AppError('OVERLOADED', { message: 'This batch is being written. Try again shortly.', retryAfterS: 1 }),
          );
      }
    } catch (error) {
      for (const { reject } of entries) reject(error);
    }
  }

  return {
    add(batch) {
      return new Promise((resolve, reject) => {
        queue.push({ batch, resolve, reject });
        queuedEvents += batch.events.length;
        pump();
      });
    },
    idle: () =>
      queue.length === 0 && writing === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve)),
    get waiting() {
      return queue.length;
    },
  };
}
