/**
 * Collects batches and writes them together: while writes are on their way the next ones gather, so that many small
 * deliveries cost about as much as one large one, and a single one does not wait at all.
 *
 * Whose batches are written goes round among tenants. While one of them fills the writes, the others do not wait for it: who
 * has nothing under way gets a write of its own beside.
 */
import type { Batch } from './batch.ts';
import type { BatchWriter } from './batch-writer.ts';

const FLUSH_EVENTS = 5_000;
/** A second write uses the time in which the first waits for its commit, once it is worth its own part of the table. */
const SECOND_WRITE_EVENTS = 4_000;
/** So many events of one tenant in a write are worth not waiting for. */
const FILLED_BY_ONE = 1_000;
/** With the ones beside. */
const WRITES_MAX = 3;

export type Flusher = {
  /** Resolves when the batch is durable and evaluated; rejects when nothing may be acknowledged. */
  add(batch: Batch): Promise<void>;
  /** Resolves when nothing is waiting or being written. */
  idle(): Promise<void>;
  readonly waiting: number;
};

type Entry = { batch: Batch; resolve: () => void; reject: (error: unknown) => void };

type Write = { readonly eventsOf: ReadonlyMap<string, number> };

export function createFlusher(deps: { writer: Pick<BatchWriter, 'write'> }): Flusher {
  // In the order in which their next turn comes.
  const queues = new Map<string, Entry[]>();
  const writes = new Set<Write>();
  let queued = 0;
  let queuedEvents = 0;
  let idleWaiters: (() => void)[] = [];

  function pump(): void {
    while (queued > 0 && (writes.size === 0 || (writes.size === 1 && queuedEvents >= SECOND_WRITE_EVENTS))) {
      begin(nextEntries(() => true));
    }
    if (queued > 0 && writes.size < WRITES_MAX && [...writes].some(isFilledByOne)) {
      const isUnderWay = (tenant: string) => [...writes].some(({ eventsOf }) => eventsOf.has(tenant));
      const beside = nextEntries((tenant) => !isUnderWay(tenant));
      if (beside.length > 0) begin(beside);
    }
    if (queued > 0 || writes.size > 0) return;
    for (const wake of idleWaiters) wake();
    idleWaiters = [];
  }

  /** One batch of each tenant in turn; at least one batch where there is any, however large it is. */
  function nextEntries(isMeant: (tenant: string) => boolean): Entry[] {
    const entries: Entry[] = [];
    let events = 0;
    for (const [tenant, queue] of queues) {
      if (!isMeant(tenant)) continue;
      const [entry] = queue;
      if (entry === undefined) continue;
      if (entries.length > 0 && events + entry.batch.events.count > FLUSH_EVENTS) break;
      entries.push(entry);
      events += entry.batch.events.count;
      queue.shift();
      // Comes round again behind the others; the loop sees it there.
      queues.delete(tenant);
      if (queue.length > 0) queues.set(tenant, queue);
    }
    queued -= entries.length;
    queuedEvents -= events;
    return entries;
  }

  function begin(entries: readonly Entry[]): void {
    const write = { eventsOf: eventsByTenant(entries) };
    writes.add(write);
    void flush(entries).finally(() => {
      writes.delete(write);
      pump();
    });
  }

  async function flush(entries: readonly Entry[]): Promise<void> {
    const entryOf = new Map(entries.map((entry) => [entry.batch, entry]));
    await deps.writer.write([...entryOf.keys()], (batch, refusal) => {
      const entry = entryOf.get(batch);
      if (refusal === undefined) entry?.resolve();
      else entry?.reject(refusal);
    });
  }

  return {
    add(batch) {
      return new Promise((resolve, reject) => {
        const { tenantId } = batch.source;
        const queue = queues.get(tenantId);
        const entry = { batch, resolve, reject };
        if (queue === undefined) queues.set(tenantId, [entry]);
        else queue.push(entry);
        queued++;
        queuedEvents += batch.events.count;
        pump();
      });
    },
    idle: () =>
      queued === 0 && writes.size === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve)),
    get waiting() {
      return queued;
    },
  };
}

function eventsByTenant(entries: readonly Entry[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { batch } of entries) {
    const { tenantId } = batch.source;
    sums.set(tenantId, (sums.get(tenantId) ?? 0) + batch.events.count);
  }
  return sums;
}

function isFilledByOne({ eventsOf }: Write): boolean {
  for (const events of eventsOf.values()) if (events >= FILLED_BY_ONE) return true;
  return false;
}
