import { expect, test } from 'vitest';
import { createFairTurns } from './fair-turns.ts';

test('whoever has one piece of work waits for one of each other, not for all that somebody else brought', async () => {
  const inTurn = createFairTurns();
  const done: string[] = [];
  let running = 0;
  const work = (name: string) => async () => {
    expect(++running).toBe(1);
    await new Promise(setImmediate);
    running--;
    done.push(name);
  };
  const loud = Array.from({ length: 5 }, (_, index) => inTurn('loud', work(`loud ${index}`)));
  const others = [inTurn('quiet', work('quiet')), inTurn('other', work('other 0')), inTurn('other', work('other 1'))];
  await Promise.all([...loud, ...others]);
  expect(done).toEqual(['loud 0', 'loud 1', 'quiet', 'other 0', 'loud 2', 'other 1', 'loud 3', 'loud 4']);
});

test('a piece that fails gives its turn on, and nothing is kept of an owner who has no more', async () => {
  const inTurn = createFairTurns();
  const failing = inTurn('a', () => Promise.reject(new Error('broken')));
  const next = inTurn('a', () => Promise.resolve('done'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('done');
  expect(await inTurn('b', () => Promise.resolve('idle again'))).toBe('idle again');
});
