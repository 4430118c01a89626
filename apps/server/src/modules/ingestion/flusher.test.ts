import { expect, test } from 'vitest';
import type { Batch } from './batch.ts';
import { createFlusher } from './flusher.ts';

/** A writer whose writes end when the test says so. */
function heldWriter() {
  const writes: { events: number; end: () => void }[] = [];
  const writer = {
    write: (batches: readonly Batch[]) =>
      new Promise<Set<Batch>>((resolve) => {
        const events = batches.reduce((total, batch) => total + batch.events.length, 0);
        writes.push({ events, end: () => resolve(new Set(batches)) });
      }),
  };
  return { writes, flusher: createFlusher({ writer }) };
}

function batchOf(events: number): Batch {
  return { events: Array.from({ length: events }) } as unknown as Batch;
}

test('what comes during a write is written together after it', async () => {
  const { writes, flusher } = heldWriter();
  const done = Array.from({ length: 5 }, () => flusher.add(batchOf(100)));
  expect(writes.map(({ events }) => events)).toEqual([100]);
  writes[0]?.end();
  await done[0];
  await expect.poll(() => writes.map(({ events }) => events)).toEqual([100, 400]);
  writes[1]?.end();
  await Promise.all([...done, flusher.idle()]);
});

test('a second write starts beside the first once enough waits for it, and never a third', async () => {
  const { writes, flusher } = heldWriter();
  const done = [flusher.add(batchOf(500))];
  while (flusher.waiting < 7) done.push(flusher.add(batchOf(500)));
  expect(writes).toHaveLength(1);
  for (let more = 0; more < 30; more++) done.push(flusher.add(batchOf(500)));
  expect(writes.map(({ events }) => events)).toEqual([500, 4000]);
  while (writes.length > 0) {
    for (const { end } of writes.splice(0)) end();
    await new Promise(setImmediate);
    expect(writes.length).toBeLessThanOrEqual(2);
  }
  await Promise.all([...done, flusher.idle()]);
});

test('a batch larger than a write is written alone', async () => {
  const { writes, flusher } = heldWriter();
  const done = flusher.add(batchOf(20_000));
  expect(writes.map(({ events }) => events)).toEqual([20_000]);
  writes[0]?.end();
  await done;
});
