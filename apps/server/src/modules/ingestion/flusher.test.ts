import { expect, test } from 'vitest';
import type { Batch } from './batch.ts';
import type { OnEnd } from './batch-writer.ts';
import { createFlusher } from './flusher.ts';

/** A writer whose writes end when the test says so. */
function heldWriter() {
  const writes: { events: number; tenants: string[]; end: () => void }[] = [];
  const writer = {
    write: (batches: readonly Batch[], onEnd: OnEnd) =>
      new Promise<void>((resolve) => {
        const events = batches.reduce((total, batch) => total + batch.events.count, 0);
        const tenants = batches.map(({ source }) => source.tenantId);
        const end = () => {
          for (const batch of batches) onEnd(batch, undefined);
          resolve();
        };
        writes.push({ events, tenants, end });
      }),
  };
  return { writes, flusher: createFlusher({ writer }) };
}

function batchOf(events: number, tenantId = 'a tenant'): Batch {
  return { source: { tenantId }, events: { count: events } } as Batch;
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

test('while one tenant fills the writes, whoever has nothing under way gets one beside, and only one', async () => {
  const { writes, flusher } = heldWriter();
  const done = Array.from({ length: 30 }, () => flusher.add(batchOf(500, 'loud')));
  expect(writes.map(({ events }) => events)).toEqual([500, 4000]);
  done.push(flusher.add(batchOf(10, 'quiet')), flusher.add(batchOf(10, 'quiet')), flusher.add(batchOf(10, 'other')));
  expect(writes.map(({ tenants }) => tenants).slice(2)).toEqual([['quiet']]);
  writes.splice(2, 1)[0]?.end();
  await expect.poll(() => writes[2]?.tenants).toEqual(['quiet', 'other']);
  while (writes.length > 0) {
    for (const { end } of writes.splice(0)) end();
    await new Promise(setImmediate);
  }
  await Promise.all([...done, flusher.idle()]);
});

test('small batches of many tenants wait for each other and are written together', async () => {
  const { writes, flusher } = heldWriter();
  const done = ['a', 'b', 'c', 'd'].map((tenant) => flusher.add(batchOf(100, tenant)));
  expect(writes.map(({ tenants }) => tenants)).toEqual([['a']]);
  writes.shift()?.end();
  await expect.poll(() => writes.map(({ tenants }) => tenants)).toEqual([['b', 'c', 'd']]);
  writes.shift()?.end();
  await Promise.all(done);
});

test('a write holds batches of all who wait, one each in turn, however many one of them brought', async () => {
  const { writes, flusher } = heldWriter();
  const done = [flusher.add(batchOf(1, 'first'))];
  for (let n = 0; n < 3; n++) done.push(flusher.add(batchOf(900, 'loud')));
  done.push(flusher.add(batchOf(900, 'quiet')));
  writes.shift()?.end();
  await expect.poll(() => writes.map(({ tenants }) => tenants)).toEqual([['loud', 'quiet', 'loud', 'loud']]);
  writes.shift()?.end();
  await Promise.all(done);
});
