import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type BurstRule, findBurst, type TimelineEntry } from './burst.ts';

function at(...timesMs: number[]): TimelineEntry[] {
  return timesMs.map((timeMs) => ({ timeMs, distinctValue: null }));
}

const threeInTen: BurstRule = { count: 3, withinMs: 10, distinct: false };

describe('findBurst', () => {
  test.each<[string, TimelineEntry[], BurstRule, ReturnType<typeof findBurst>]>([
    ['nothing in nothing', [], threeInTen, undefined],
    ['too few', at(0, 1), threeInTen, undefined],
    ['spread too wide', at(0, 6, 12, 18), threeInTen, undefined],
    ['both ends of the window count', at(0, 5, 10), threeInTen, { first: 0, trigger: 2 }],
    ['entries before the window do not belong', at(0, 20, 21, 22), threeInTen, { first: 1, trigger: 3 }],
    ['the earliest window wins', at(0, 1, 2, 50, 51, 52), threeInTen, { first: 0, trigger: 2 }],
    ['one is enough without a threshold', at(7), { count: 1, withinMs: 0, distinct: false }, { first: 0, trigger: 0 }],
    ['equal times all belong', at(5, 5, 5), { ...threeInTen, withinMs: 0 }, { first: 0, trigger: 2 }],
  ])('%s', (_, timeline, rule, expected) => {
    expect(findBurst(timeline, rule)).toEqual(expected);
  });

  test('distinct values are counted once and leave with their last entry', () => {
    const rule = { ...threeInTen, distinct: true };
    const users = (...entries: [number, string | null][]) =>
      entries.map(([timeMs, distinctValue]) => ({ timeMs, distinctValue }));
    expect(findBurst(users([0, 'a'], [1, 'a'], [2, 'b'], [3, 'b']), rule)).toBeUndefined();
    expect(findBurst(users([0, 'a'], [1, null], [2, 'b'], [3, 'c']), rule)).toEqual({ first: 0, trigger: 3 });
    expect(findBurst(users([0, 'a'], [8, 'a'], [11, 'b'], [17, 'c']), rule)).toEqual({ first: 1, trigger: 3 });
  });

  test('agrees with counting every window by hand', () => {
    const entries = fc.array(
      fc.record({ timeMs: fc.integer({ min: 0, max: 40 }), distinctValue: fc.constantFrom(null, 'a', 'b', 'c') }),
      { maxLength: 25 },
    );
    const rule = fc.record({
      count: fc.integer({ min: 1, max: 5 }),
      withinMs: fc.integer({ min: 0, max: 15 }),
      distinct: fc.boolean(),
    });
    fc.assert(
      fc.property(entries, rule, (unsorted, one) => {
        const timeline = unsorted.toSorted((a, b) => a.timeMs - b.timeMs);
        const trigger = timeline.findIndex((end, index) => {
          const inside = timeline.slice(0, index + 1).filter((entry) => end.timeMs - entry.timeMs <= one.withinMs);
          const values = inside.flatMap((entry) => entry.distinctValue ?? []);
          return (one.distinct ? new Set(values).size : inside.length) >= one.count;
        });
        const end = timeline[trigger];
        const first = timeline.findIndex((entry) => end !== undefined && end.timeMs - entry.timeMs <= one.withinMs);
        expect(findBurst(timeline, one)).toEqual(end === undefined ? undefined : { first, trigger });
      }),
      { numRuns: 1000 },
    );
  });
});
