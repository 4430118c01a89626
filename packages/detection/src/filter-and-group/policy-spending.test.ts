import { describe, expect, test } from 'vitest';
import { beginningFor, createSpending, isCheap, searchedFor } from './policy-spending.ts';

const LONG = 'x'.repeat(262_144);

describe('the text that expressions are held against', () => {
  test('is the shorter the more parts there are', () => {
    expect(beginningFor([LONG], { size: 10 }, 4).work).toBe(200_000);
    expect(beginningFor([LONG], { size: 100 }, 100).work).toBe(1_500_000);
    expect(beginningFor([LONG], { size: 1_500 }, 1_500).work).toBe(1_500_000);
    expect(beginningFor([LONG], { size: 1_500 }, 1).texts).toEqual(['x'.repeat(1_000)]);
  });

  test('is that of all values together, also of many short ones', () => {
    const lines = Array.from({ length: 5_000 }, () => 'x'.repeat(92));
    const { texts, work } = beginningFor(lines, { size: 1_500 }, 1);
    expect(texts).toHaveLength(10);
    expect(work).toBe(1_000);
    const empty = Array.from({ length: 5_000 }, () => '');
    expect(beginningFor(empty, { size: 1_500 }, 1).texts).toHaveLength(125);
  });

  test('is all of it, where it is short', () => {
    expect(beginningFor(['', 'abc'], { size: 30 }, 2)).toEqual({ texts: ['', 'abc'], work: 38 });
  });
});

test('the text that others are looked for in is all of it, until they are hundreds', () => {
  expect(isCheap(createSpending())).toBe(true);
  expect(isCheap({ searches: 51 })).toBe(false);
  expect(searchedFor([LONG], { searches: 100 }, 100)).toEqual({ texts: [LONG], work: 655_380 });
  expect(searchedFor([LONG], { searches: 1_000 }, 40)).toEqual({ texts: ['x'.repeat(50_000)], work: 50_000 });
});
