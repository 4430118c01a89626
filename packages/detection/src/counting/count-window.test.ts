import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CountPlan, findCount } from './count-window.ts';
import type { Mark } from './timeline.ts';

function marks(...entries: (number | [timeMs: number, value: string | null])[]): Mark[] {
  return entries.map((entry, index) => {
    const [timeMs, value] = Array.isArray(entry) ? entry : [entry, null];
    return { eventId: String(index), timeMs, step: 0, value };
  });
}

/** The first and the last mark of what was found, by position. */
function found(of: readonly Mark[], plan: CountPlan): [first: number, last: number] | undefined {
  const complete = findCount(of, plan);
  const [first, last] = [complete?.at(0), complete?.at(-1)];
  return first && last && [of.indexOf(first), of.indexOf(last)];
}

const threeInTen: CountPlan = { count: 3, withinMs: 10, distinct: false };

describe('findCount', () => {
  test.each<[string, Mark[], CountPlan, ReturnType<typeof found>]>([
    ['nothing in nothing', [], threeInTen, undefined],
    ['too few', marks(0, 1), threeInTen, undefined],
    ['spread too wide', marks(0, 6, 12, 18), threeInTen, undefined],
    ['both ends of the window count', marks(0, 5, 10), threeInTen, [0, 2]],
    ['marks before the window do not belong', marks(0, 20, 21, 22), threeInTen, [1, 3]],
    ['the earliest window wins', marks(0, 1, 2, 50, 51, 52), threeInTen, [0, 2]],
    ['one is enough without a threshold', marks(7), { count: 1, withinMs: 0, distinct: false }, [0, 0]],
    ['equal times all belong', marks(5, 5, 5), { ...threeInTen, withinMs: 0 }, [0, 2]],
  ])('%s', (_, timeline, plan, expected) => {
    expect(found(timeline, plan)).toEqual(expected);
  });

  test('distinct values are counted once and leave with their last mark', () => {
    const plan = { ...threeInTen, distinct: true };
    expect(found(marks([0, 'a'], [1, 'a'], [2, 'b'], [3, 'b']), plan)).toBeUndefined();
    expect(found(marks([0, 'a'], [1, null], [2, 'b'], [3, 'c']), plan)).toEqual([0, 3]);
    expect(found(marks([0, 'a'], [8, 'a'], [11, 'b'], [17, 'c']), plan)).toEqual([1, 3]);
  });

  test('agrees with counting every window by hand', () => {
    const entries = fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(null, 'a', 'b', 'c')), {
      maxLength: 25,
    });
    const plans = fc.record({
      count: fc.integer({ min: 1, max: 5 }),
      withinMs: fc.integer({ min: 0, max: 15 }),
      distinct: fc.boolean(),
    });
    fc.assert(
      fc.property(entries, plans, (unsorted, plan) => {
        const timeline = marks(...unsorted.toSorted(([a], [b]) => a - b));
        const last = timeline.findIndex((end, index) => {
          const inside = timeline.slice(0, index + 1).filter((mark) => end.timeMs - mark.timeMs <= plan.withinMs);
          const values = new Set(inside.flatMap((mark) => mark.value ?? []));
          return (plan.distinct ? values.size : inside.length) >= plan.count;
        });
        const end = timeline[last];
        const first = timeline.findIndex((mark) => end !== undefined && end.timeMs - mark.timeMs <= plan.withinMs);
        expect(found(timeline, plan)).toEqual(end === undefined ? undefined : [first, last]);
      }),
      { numRuns: 1000 },
    );
  });
});
