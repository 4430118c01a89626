import { expect, it } from 'vitest';
import { eachInTurn } from './each-in-turn.ts';

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
  const all = eachInTurn([part('a', true), part('b'), part('c', true)]);
  await expect(all).rejects.toThrow('Error: a failed; Error: c failed');
  expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  await eachInTurn([part('d')]);
});
