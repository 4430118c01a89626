import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { barScale } from './bar-scale.ts';
import { apart, evenMarks } from './column-marks.ts';

describe('the scale of bars', () => {
  test.each([
    [0, 'count', [0, 1]],
    [1, 'count', [0, 1]],
    [3, 'count', [0, 1, 2, 3]],
    [7, 'count', [0, 2, 4, 6, 8]],
    [180, 'count', [0, 50, 100, 150, 200]],
    [1_234_567, 'count', [0, 500_000, 1_000_000, 1_500_000]],
    [0, 'seconds', [0, 1]],
    [40, 'seconds', [0, 10, 20, 30, 40]],
    [5400, 'seconds', [0, 1800, 3600, 5400]],
    [200, 'seconds', [0, 60, 120, 180, 240]],
    [700_000, 'seconds', [0, 172_800, 345_600, 518_400, 691_200, 864_000]],
  ] as const)('%d as %s is marked at %j', (highest, measure, marks) => {
    expect(barScale(highest, measure)).toEqual({ top: marks.at(-1), marks });
  });

  test('no bar is higher than the chart, none has more than a handful of marks, and what is counted has no halves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e12 }), fc.constantFrom('count', 'seconds'), (highest, measure) => {
        const { top, marks } = barScale(highest, measure);
        expect(top).toBeGreaterThanOrEqual(highest);
        expect(marks.length).toBeGreaterThanOrEqual(2);
        expect(marks.length).toBeLessThanOrEqual(7);
        if (measure === 'count') expect(marks.every(Number.isInteger)).toBe(true);
      }),
    );
  });
});

test.each([
  [5, 10, [0, 1, 2, 3, 4]],
  [30, 10, [0, 3, 6, 9, 12, 15, 18, 21, 24, 27]],
  [31, 10, [0, 4, 8, 12, 16, 20, 24, 28]],
  [3, 0, [0]],
  [0, 4, []],
])('of %d columns at most %d have a word below them', (columns, most, at) => {
  const texts = Array.from({ length: columns }, (_, index) => `day ${index}`);
  expect(evenMarks(texts, most)).toEqual(at.map((index) => ({ at: index, text: `day ${index}` })));
});

test('of words that would touch the later one goes', () => {
  const marks = [0, 1, 5, 8, 9, 13].map((at) => ({ at, text: `day ${at}` }));
  expect(apart(marks, 3.5).map(({ at }) => at)).toEqual([0, 5, 9, 13]);
  expect(apart(marks, 0)).toEqual(marks);
  expect(apart([], 3)).toEqual([]);
});
