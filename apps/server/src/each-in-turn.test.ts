import { once } from 'node:events';
import { expect, it } from 'vitest';
import { eachInTurn } from './each-in-turn.ts';

const never = new AbortController().signal;

it('does all of them, one after the other, and tells what failed', async () => {
  const done: string[] = [];
  const part =
    (name: string, fails = false) =>
    async () => {
      done.push(`${name} begins`);
      await Promise.resolve();
      done.push(`${name} ends`);
      if (fails) throw new Error(`${name} failed`);
    };
  const all = eachInTurn([part('a', true), part('b'), part('c', true)], { signal: never });
  await expect(all).rejects.toThrow('Error: a failed; Error: c failed');
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  await eachInTurn([part('d')], { signal: never });
});

it('begins nothing more once it is to stop', async () => {
  const stop = new AbortController();
  const done: string[] = [];
  const parts = [async () => stop.abort(new Error('stopping')), async () => done.push('too late')];
  await expect(eachInTurn(parts, { signal: stop.signal })).rejects.toThrow('stopping');
  expect(done).toEqual([]);
});

it('tells one that takes too long to stop, and then does those behind it', async () => {
  const done: string[] = [];
  const endless = async (signal: AbortSignal) => {
    await once(signal, 'abort');
    done.push('stopped');
  };
  await eachInTurn([endless, () => done.push('behind it')], { signal: never, partMs: 1 });
  expect(done).toEqual(['stopped', 'behind it']);
});

it('tells the one whose turn it is to stop when all are to', async () => {
  const stop = new AbortController();
  const done: string[] = [];
  const endless = async (signal: AbortSignal) => {
    setImmediate(() => stop.abort(new Error('stopping')));
    await once(signal, 'abort');
    done.push('stopped');
  };
  const all = eachInTurn([endless, () => done.push('too late')], { signal: stop.signal, partMs: 600_000 });
  await expect(all).rejects.toThrow('stopping');
  expect(done).toEqual(['stopped']);
});
