import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Completion, findComplete, inOrder } from './completion.ts';
import type { Mark } from './timeline.ts';

type Sequence = Extract<Completion, { kind: 'sequence' }>;

const sequence: Sequence = { kind: 'sequence', steps: 3, withinMs: 10 };

const steps = (...list: [timeMs: number, step: number, eventId?: string][]): Mark[] =>
  inOrder(list.map(([timeMs, step, eventId = `e${timeMs}-${step}`]) => ({ eventId, timeMs, step, value: null })));

const timesOf = (marks: readonly Mark[], plan: Completion) => findComplete(marks, plan)?.map(({ timeMs }) => timeMs);

describe('a sequence', () => {
  test.each<[string, Mark[], Sequence, number[] | undefined]>([
    ['all steps in order, both ends within the time', steps([0, 0], [5, 1], [10, 2]), sequence, [0, 5, 10]],
    ['the last step too late', steps([0, 0], [5, 1], [11, 2]), sequence, undefined],
    ['the steps in another order', steps([0, 1], [5, 0], [10, 2]), sequence, undefined],
    ['a first step too long ago, and a later one', steps([0, 0], [8, 0], [9, 1], [15, 2]), sequence, [8, 9, 15]],
    ['the earliest of two', steps([0, 0], [1, 1], [2, 2], [3, 0], [4, 1], [5, 2]), sequence, [0, 1, 2]],
    ['steps of the same moment', steps([0, 2], [0, 1], [0, 0]), sequence, [0, 0, 0]],
    ['one event that fits two steps', steps([0, 0, 'x'], [0, 1, 'x']), { ...sequence, steps: 2 }, undefined],
    ['it and another', steps([0, 0, 'x'], [0, 1, 'x'], [0, 0, 'y']), { ...sequence, steps: 2 }, [0, 0]],
    ['any order', steps([0, 2], [5, 0], [10, 1]), { ...sequence, anyOrder: true }, [0, 5, 10]],
    ['any order, too wide', steps([0, 2], [5, 0], [11, 1]), { ...sequence, anyOrder: true }, undefined],
    ['any order, one missing', steps([0, 2], [5, 2], [10, 1]), { ...sequence, anyOrder: true }, undefined],
  ])('%s', (_what, marks, plan, expected) => {
    expect(timesOf(marks, plan)).toEqual(expected);
  });
});

test('something is complete exactly where a naive reading finds it, whatever order the marks came in', () => {
  const plan: fc.Arbitrary<Completion> = fc.oneof(
    fc.record({
      kind: fc.constant('count' as const),
      count: fc.integer({ min: 2, max: 5 }),
      withinMs: fc.integer({ min: 0, max: 20 }),
      distinct: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('sequence' as const),
      steps: fc.integer({ min: 2, max: 3 }),
      withinMs: fc.integer({ min: 0, max: 20 }),
    }),
  );
  const one = fc.record({
    eventId: fc.constantFrom(...'abcdefgh'),
    timeMs: fc.integer({ min: 0, max: 60 }),
    step: fc.integer({ min: 0, max: 2 }),
    value: fc.constantFrom('x', 'y', 'z', null),
  });
  // One event has one time and one value, and may fit two steps.
  const marks = fc
    .uniqueArray(one, { minLength: 3, maxLength: 10, selector: ({ eventId }) => eventId })
    .map((list) => [...list, ...list.slice(0, 2).map((first) => ({ ...first, step: (first.step + 1) % 3 }))]);
  const seen = { yes: 0, no: 0 };
  fc.assert(
    fc.property(plan, marks, (chosen, list) => {
      const stepCount = chosen.kind === 'sequence' ? chosen.steps : 1;
      const fitting = list.map((each) => ({ ...each, step: each.step % stepCount }));
      const own = fitting.filter(
        ({ eventId, step }, at) => fitting.findIndex((each) => each.eventId === eventId && each.step === step) === at,
      );
      const expected = isThereAny(chosen, own);
      expect(findComplete(inOrder(own), chosen) !== undefined).toBe(expected);
      expect(findComplete(inOrder(own.toReversed()), chosen)).toEqual(findComplete(inOrder(own), chosen));
      seen[expected ? 'yes' : 'no'] += 1;
    }),
    { numRuns: 3000 },
  );
  expect(seen.yes).toBeGreaterThan(300);
  expect(seen.no).toBeGreaterThan(300);
});

/** Tries everything. */
function isThereAny(plan: Completion, marks: readonly Mark[]): boolean {
  if (plan.kind === 'count') {
    return marks.some(({ timeMs: end }) => {
      const within = marks.filter(({ timeMs }) => timeMs <= end && timeMs >= end - plan.withinMs);
      const values = new Set(within.flatMap(({ value }) => value ?? []));
      return (plan.distinct ? values.size : within.length) >= plan.count;
    });
  }
  const from = (step: number, before: Mark, startMs: number): boolean =>
    step === plan.steps ||
    marks.some(
      (next) =>
        next.step === step &&
        next.eventId !== before.eventId &&
        next.timeMs >= before.timeMs &&
        next.timeMs - startMs <= plan.withinMs &&
        from(step + 1, next, startMs),
    );
  return marks.some((first) => first.step === 0 && from(1, first, first.timeMs));
}
