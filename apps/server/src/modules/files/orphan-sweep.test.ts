import { expect, it } from 'vitest';
import { createOrphanSweep } from './orphan-sweep.ts';

it('goes on where it was told to stop, and after the last of the list begins with its first again', async () => {
  const files = {
    async *listOlder() {
      yield ['a', 'b'];
      yield ['c', 'd'];
      yield ['e'];
    },
    remove: () => expect.unreachable('all of them are kept'),
  };
  const asked: string[] = [];
  let stop = new AbortController();
  const known = async (ids: readonly string[]) => {
    asked.push(...ids);
    stop.abort();
    return new Set(ids);
  };
  const sweep = createOrphanSweep({ files, known, now: () => new Date() });
  for (const soFar of ['ab', 'abcd', 'abcde', 'abcde', 'abcdeab']) {
    stop = new AbortController();
    await sweep(stop.signal);
    expect(asked.join('')).toBe(soFar);
  }
});

it('begins anew after a failure', async () => {
  const files = {
    async *listOlder() {
      yield ['a'];
      yield ['b'];
    },
    remove: () => expect.unreachable('all of them are kept'),
  };
  const asked: string[] = [];
  const known = async (ids: readonly string[]) => {
    asked.push(...ids);
    if (asked.length === 2) throw new Error('away');
    return new Set(ids);
  };
  const sweep = createOrphanSweep({ files, known, now: () => new Date() });
  await expect(sweep()).rejects.toThrow('away');
  await sweep();
  expect(asked.join('')).toBe('abab');
});
