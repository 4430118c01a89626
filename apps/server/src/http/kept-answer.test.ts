import { expect, test } from 'vitest';
import { KeptAnswer } from './kept-answer.ts';

test('is written once, however often it is given', () => {
  const answer = new KeptAnswer({ n: 1 });
  let times = 0;
  const write = (value: { n: number }) => ({ text: JSON.stringify(value), tag: `tag ${++times}` });
  expect(answer.written(write)).toEqual({ text: '{"n":1}', tag: 'tag 1' });
  expect(answer.written(write)).toEqual({ text: '{"n":1}', tag: 'tag 1' });
});

test('that does not fit its schema fails each time, and is never taken for written', () => {
  const answer = new KeptAnswer({ n: 1 });
  const fail = () => {
    throw new Error('does not fit');
  };
  for (const _ of [1, 2]) expect(() => answer.written(fail)).toThrow('does not fit');
  expect(answer.written(() => ({ text: 'fits', tag: 'now' }))).toEqual({ text: 'fits', tag: 'now' });
});
