/**
 * Group commit: what arrives while a batch is under way forms the next batch. One batch runs at a time, so under load many
 * items share one transaction, and an item that comes alone waits for nobody.
 */
export interface Batcher<Item, Outcome> {
  submit(item: Item): Promise<Outcome>;
  /** Items not answered yet. */
  size(): number;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}

/** An item larger than `maxBytes` is a batch by itself. */
export type BatchBytes<Item> = { readonly bytesOf: (item: Item) => number; readonly maxBytes: number };

/** `process` answers every item, in order; when it throws, every item of that batch is rejected with the error. */
export function createBatcher<Item, Outcome>(
  process: (items: readonly Item[]) => Promise<readonly Outcome[]>,
  maxItems: number,
  bytes: BatchBytes<Item> = { bytesOf: () => 0, maxBytes: 0 },
): Batcher<Item, Outcome> {
  type Entry = { item: Item; resolve: (outcome: Outcome) => void; reject: (error: unknown) => void };
  const queue: Entry[] = [];
  let underWay = 0;
  let busy = false;
  let drained: Promise<void> = Promise.resolve();

  async function drain(): Promise<void> {
    // Let everything that settles in this turn of the loop join the first batch.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (queue.length > 0) {
      const batch = queue.splice(0, nextSize());
      underWay = batch.length;
      await processBatch(batch);
      underWay = 0;
    }
    busy = false;
  }

  function nextSize(): number {
    let size = 0;
    let total = 0;
    for (const { item } of queue.slice(0, maxItems)) {
      total += bytes.bytesOf(item);
      if (size > 0 && total > bytes.maxBytes) break;
      size += 1;
    }
    return size;
  }

  async function processBatch(batch: readonly Entry[]): Promise<void> {
    try {
      const outcomes = await process(batch.map(({ item }) => item));
      batch.forEach((entry, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) entry.reject(new Error('A batch answered fewer items than it was given.'));
        else entry.resolve(outcome);
      });
    } catch (error) {
      for (const entry of batch) entry.reject(error);
    }
  }

  return {
    submit(item) {
      return new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject });
        if (busy) return;
        busy = true;
        drained = drain();
      });
    },
    size: () => queue.length + underWay,
    async idle() {
      while (busy) await drained;
    },
  };
}
