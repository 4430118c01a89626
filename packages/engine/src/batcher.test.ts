import { describe, expect, it } from 'vitest';
import { createBatcher } from './batcher.ts';
import { createGate } from './testing/test-engine.ts';

describe('group commit', () => {
  it('gathers what arrives while a batch is under way into the next one', async () => {
    const gate = createGate();
    const batches: number[][] = [];
    const batcher = createBatcher<number, number>(async (items) => {
      batches.push([...items]);
      if (batches.length === 1) await gate.opened;
      return items.map((item) => item * 2);
    }, 100);
    const first = batcher.submit(1);
    await new Promise((resolve) => setImmediate(resolve));
    const rest = [2, 3, 4].map((item) => batcher.submit(item));
    gate.open();
    expect(await Promise.all([first, ...rest])).toEqual([2, 4, 6, 8]);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  it('keeps batches within their size and ends idle', async () => {
    const sizes: number[] = [];
    const batcher = createBatcher<number, boolean>(async (items) => {
      sizes.push(items.length);
      return items.map(() => false);
    }, 4);
    const all = Array.from({ length: 10 }, (_, n) => batcher.submit(n));
    await batcher.idle();
    expect(await Promise.all(all)).toEqual(Array(10).fill(false));
    expect(sizes).toEqual([4, 4, 2]);
    expect(batcher.size()).toBe(0);
  });

  it('keeps batches within their bytes, however few items that leaves', async () => {
    const batches: number[][] = [];
    const batcher = createBatcher<number, boolean>(
      async (items) => {
        batches.push([...items]);
        return items.map(() => true);
      },
      4,
      { bytesOf: (item) => item, maxBytes: 10 },
    );
    await Promise.all([5, 5, 1, 50, 1, 1, 1, 1, 1].map((item) => batcher.submit(item)));
    expect(batches).toEqual([[5, 5], [1], [50], [1, 1, 1, 1], [1]]);
  });

  it('rejects only the items of the batch that failed', async () => {
    const batcher = createBatcher<number, number>(async (items) => {
      if (items.includes(2)) throw new Error('no twos');
      return [...items];
    }, 1);
    const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.submit(item)));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });
});
