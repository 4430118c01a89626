import { expect, test } from 'vitest';
import { inTurns } from './in-turns.ts';

test('work that goes on and on lets others have their turn, and ends when it is not wanted any more', async () => {
  const leaving = new AbortController();
  function* endless(): Generator<undefined, never> {
    for (;;) yield;
  }
  const work = inTurns(endless(), leaving.signal);
  leaving.abort();
  await expect(work).rejects.toThrow();
});

test('what the steps come to is the answer', async () => {
  function* three(): Generator<undefined, string> {
    yield;
    yield;
    return 'done';
  }
  expect(await inTurns(three(), new AbortController().signal)).toBe('done');
});
