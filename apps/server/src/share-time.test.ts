import { once } from 'node:events';
import { expect, it } from 'vitest';
import { shareTime } from './share-time.ts';

const hour = 3_600_000;
const calm = { signal: new AbortController().signal, forMs: hour, turnMs: hour, onLeft: () => expect.unreachable() };

it('lets all of them work, one after the other, and tells what failed', async () => {
  const done: string[] = [];
  const part =
    (name: string, fails = false) =>
    async () => {
      done.push(`${name} begins`);
      await Promise.resolve();
      done.push(`${name} ends`);
      if (fails) throw new Error(`${name} failed`);
    };
  const all = shareTime({ a: part('a', true), b: part('b'), c: part('c', true) }, calm);
  await expect(all).rejects.toThrow('Error: a failed; Error: c failed');
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  await shareTime({ d: part('d') }, calm);
});

it('tells one that takes too long to stop, and lets it go on behind the others', async () => {
  const done: string[] = [];
  const long = async (signal: AbortSignal) => {
    done.push('goes on');
    if (done.length > 4) return;
    await once(signal, 'abort');
    if (done.length > 2) signal.throwIfAborted();
  };
  await shareTime({ long, other: () => done.push('other') }, { ...calm, turnMs: 1 });
  expect(done).toEqual(['goes on', 'other', 'goes on', 'goes on', 'goes on']);
});

it('says what is left when the time is over', async () => {
  const left: unknown[] = [];
  const endless = (signal: AbortSignal) => once(signal, 'abort');
  const bounds = { ...calm, onLeft: (names: readonly string[]) => left.push(names) };
  await shareTime({ endless, other: () => undefined }, { ...bounds, forMs: 50, turnMs: 1 });
  await shareTime({ endless, other: () => undefined }, { ...bounds, forMs: 0 });
  expect(left).toEqual([['endless'], ['endless', 'other']]);
});

it('begins nothing more once all are to stop, tells the one whose turn it is, and loses no failure', async () => {
  const stop = new AbortController();
  const done: string[] = [];
  const endless = async (signal: AbortSignal) => {
    setImmediate(() => stop.abort(new Error('stopping')));
    await once(signal, 'abort');
    done.push('stopped');
  };
  const failing = () => Promise.reject(new Error('failed'));
  const all = shareTime({ failing, endless, late: () => done.push('too late') }, { ...calm, signal: stop.signal });
  await expect(all).rejects.toThrow('Error: failed; Error: stopping');
  expect(done).toEqual(['stopped']);
  await expect(shareTime({ late: () => done.push('too late') }, { ...calm, signal: stop.signal })).rejects.toThrow(
    'stopping',
  );
  expect(done).toEqual(['stopped']);
});
