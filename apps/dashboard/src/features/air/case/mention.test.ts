import { describe, expect, it } from 'vitest';
import { mentionAt, peopleLike, withMention } from './mention.ts';

const ada = { uname: 'ada@example.com', fullname: 'Ada Lovelace' };
const grace = { uname: 'grace@example.com', fullname: 'Grace Hopper' };
const lena = { uname: 'boss@example.com', fullname: 'Lena Adams' };

describe('what is typed after an at sign', () => {
  it.each([
    ['@', { start: 0, typed: '' }],
    ['Ask @gr', { start: 4, typed: 'gr' }],
    ['mail ada@ex', undefined],
    ['@ada and', undefined],
    ['nobody', undefined],
  ])('of %j', (text, expected) => {
    expect(mentionAt(text, text.length)).toEqual(expected);
  });

  it('is looked for before the caret only', () => {
    expect(mentionAt('hello @ada', 5)).toBeUndefined();
  });
});

it('people are found by the beginning of username or any name', () => {
  expect(peopleLike([grace, lena, ada], 'ad')).toEqual([ada, lena]);
  expect(peopleLike([grace, ada], '')).toEqual([ada, grace]);
  expect(peopleLike([grace], 'x')).toEqual([]);
});

it('a chosen name takes the place of what was typed', () => {
  expect(withMention('Ask @gr please', { start: 4, typed: 'gr' }, grace.uname)).toEqual({
    text: 'Ask @grace@example.com please',
    caret: 23,
  });
});
