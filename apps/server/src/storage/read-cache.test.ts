import { describe, expect, it } from 'vitest';
import { createReadCache } from './read-cache.ts';

describe('what is kept for a moment', () => {
  let clock = 0;
  const bounds = { keptForMs: 1000, max: 3, now: () => new Date(clock) };
  const on = () => {
    const cache = createReadCache<number>(bounds);
    cache.setOn(true);
    return cache;
  };

  it('is asked for once by however many, and again after its time', async () => {
    const cache = on();
    let reads = 0;
    const read = async () => ++reads;
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => cache.get('a', read))))).toEqual(new Set([1]));
    clock += 999;
    expect(await cache.get('a', read)).toBe(1);
    clock += 1;
    expect(await cache.get('a', read)).toBe(2);
  });

  it('is asked for again when the clock was set back, which would make a moment an hour', async () => {
    const cache = on();
    await cache.get('a', async () => 1);
    clock -= 3_600_000;
    expect(await cache.get('a', async () => 2)).toBe(2);
    expect(await cache.get('a', async () => 3)).toBe(2);
  });

  it('is not what was read before a change, though the answer came after it', async () => {
    const cache = on();
    let answer: (value: number) => void = () => undefined;
    const slow = cache.get('a', () => new Promise<number>((resolve) => (answer = resolve)));
    cache.clear();
    const fresh = await cache.get('a', async () => 2);
    answer(1);
    expect(await slow).toBe(1);
    expect(fresh).toBe(2);
    expect(await cache.get('a', async () => 3)).toBe(2);
  });

  it('is left of those whose keys begin otherwise', async () => {
    const cache = on();
    let late: (value: number) => void = () => undefined;
    await cache.get('one a', async () => 1);
    await cache.get('two a', async () => 1);
    const slow = cache.get('one b', () => new Promise<number>((resolve) => (late = resolve)));
    cache.clear('one');
    late(1);
    await slow;
    expect(await cache.get('one a', async () => 2)).toBe(2);
    expect(await cache.get('one b', async () => 2)).toBe(2);
    expect(await cache.get('two a', async () => 2)).toBe(1);
  });

  it('is nothing while nobody listens for changes', async () => {
    const cache = on();
    await cache.get('a', async () => 1);
    cache.setOn(false);
    expect(await cache.get('a', async () => 2)).toBe(2);
    expect(await cache.get('a', async () => 3)).toBe(3);
    cache.setOn(true);
    expect(await cache.get('a', async () => 4)).toBe(4);
  });

  it('is bounded, failures are not kept, and the oldest goes first', async () => {
    const cache = on();
    await expect(cache.get('a', () => Promise.reject(new Error('store')))).rejects.toThrow('store');
    for (const key of ['a', 'b', 'c', 'd']) await cache.get(key, async () => 1);
    expect(await cache.get('d', async () => 2)).toBe(1);
    expect(await cache.get('a', async () => 2)).toBe(2);
  });
});
