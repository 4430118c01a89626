import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advanceGroup,
  expiresAtMs,
  type GroupPlan,
  type GroupState,
  type GroupStep,
  MAX_MARKS,
} from './group-tracker.ts';
import type { Mark } from './timeline.ts';

const count: GroupPlan = {
  kind: 'count',
  count: 3,
  withinMs: 10,
  distinct: false,
  toleranceMs: 100,
  quietForMs: 0,
};
const sequence: GroupPlan = { kind: 'sequence', steps: 3, withinMs: 10, toleranceMs: 100, quietForMs: 0 };

function mark(timeMs: number, parts: Partial<Mark> = {}): Mark {
  return { eventId: `e${timeMs}`, timeMs, step: 0, value: null, ...parts };
}

function run(plan: GroupPlan, marks: readonly Mark[], from?: GroupState) {
  const steps: GroupStep[] = [];
  let state = from;
  for (const one of marks) {
    // As a store would: what is kept must survive as JSON.
    const step = advanceGroup(
      plan,
      state === undefined ? state : (JSON.parse(JSON.stringify(state)) as GroupState),
      one,
    );
    steps.push(step);
    state = step.state;
  }
  return { state, kinds: steps.map(({ outcome }) => outcome.kind), steps };
}

describe('counting', () => {
  test('the window is inclusive on both ends, and what was reported counts no more', () => {
    expect(
      run(
        count,
        [0, 5, 10, 11, 12, 13].map((time) => mark(time)),
      ).kinds,
    ).toEqual(['kept', 'kept', 'reported', 'kept', 'kept', 'reported']);
    expect(
      run(
        count,
        [0, 5, 11].map((time) => mark(time)),
      ).kinds,
    ).toEqual(['kept', 'kept', 'kept']);
  });

  test('distinct values: the same one again does not count, nor does none', () => {
    const values = ['a', 'a', null, 'b', 'b', 'c'];
    const marks = values.map((value, time) => mark(time, { value }));
    expect(run({ ...count, distinct: true }, marks).kinds.indexOf('reported')).toBe(5);
  });

  test('an event that arrives twice counts once', () => {
    expect(run(count, [mark(1), mark(1), mark(2), mark(2)]).kinds).toEqual(['kept', 'known', 'kept', 'known']);
  });

  test('an event that arrives again after it was reported counts no more', () => {
    const again = [0, 1, 2, 0, 1, 2].map((time) => mark(time));
    expect(run(count, again).kinds).toEqual(['kept', 'kept', 'reported', 'known', 'known', 'known']);
  });

  test('an event older than the tolerance is late and changes nothing', () => {
    const { state } = run(count, [mark(0), mark(200)]);
    const late = advanceGroup(count, state, mark(99));
    expect(late).toEqual({ state, outcome: { kind: 'late' } });
    expect(advanceGroup(count, state, mark(100)).outcome.kind).toBe('kept');
  });

  test('in the quiet time after a report nothing is reported, after it again', () => {
    const times = [0, 1, 2, 10, 11, 12, 60, 61, 62];
    expect(
      run(
        { ...count, quietForMs: 50 },
        times.map((time) => mark(time)),
      ).kinds,
    ).toEqual([...['kept', 'kept', 'reported'], ...['kept', 'kept', 'suppressed'], ...['kept', 'kept', 'reported']]);
  });

  test('a group never keeps more than its bound', () => {
    let state: GroupState | undefined = {
      marks: Array.from({ length: MAX_MARKS }, (_, at) => mark(0, { eventId: `x${String(at).padStart(6, '0')}` })),
      newestMs: 0,
      usedUntilMs: null,
      quietUntilMs: null,
    };
    state = advanceGroup({ ...count, count: 100_000 }, state, mark(1)).state;
    expect(state.marks).toHaveLength(MAX_MARKS);
    expect(state.marks.at(-1)?.eventId).toBe('e1');
    expect(expiresAtMs(count, state)).toBe(1 + 10 + 100);
  });
});

describe('sequences', () => {
  const steps = (...list: [timeMs: number, step: number, eventId?: string][]) =>
    list.map(([timeMs, step, eventId = `e${timeMs}-${step}`]) => mark(timeMs, { step, eventId }));

  test('all steps in order and in time complete one, others do not', () => {
    expect(run(sequence, steps([0, 0], [5, 1], [10, 2])).kinds.at(-1)).toBe('reported');
    expect(run(sequence, steps([0, 0], [5, 1], [11, 2])).kinds).not.toContain('reported');
    expect(run(sequence, steps([0, 1], [5, 0], [10, 2])).kinds).not.toContain('reported');
  });

  test('a first step that is too long ago is replaced by a later one', () => {
    const { steps: taken } = run(sequence, steps([0, 0], [8, 0], [9, 1], [15, 2]));
    expect(taken.at(-1)?.outcome).toMatchObject({
      kind: 'reported',
      marks: [{ timeMs: 8 }, { timeMs: 9 }, { timeMs: 15 }],
    });
  });

  test('one event that fits two steps does not follow itself', () => {
    const two: GroupPlan = { ...sequence, steps: 2 };
    expect(run(two, steps([0, 0, 'x'], [0, 1, 'x'])).kinds).not.toContain('reported');
    expect(run(two, steps([0, 0, 'x'], [0, 1, 'x'], [0, 0, 'y'])).kinds).toContain('reported');
  });

  test('in any order all steps are enough, as long as they lie within the time', () => {
    const anyOrder: GroupPlan = { ...sequence, anyOrder: true };
    expect(run(anyOrder, steps([0, 2], [5, 0], [10, 1])).kinds.at(-1)).toBe('reported');
    expect(run(anyOrder, steps([0, 2], [5, 0], [11, 1])).kinds).not.toContain('reported');
    expect(run(anyOrder, steps([0, 2], [5, 2], [10, 1])).kinds).not.toContain('reported');
  });

  test('steps of the same moment count as in order', () => {
    expect(run(sequence, steps([0, 2], [0, 1], [0, 0])).kinds).toContain('reported');
  });
});

test('whether anything is reported depends neither on the order of arrival nor on repetition', () => {
  const plan = fc.oneof(
    fc.record({
      kind: fc.constant('count' as const),
      count: fc.integer({ min: 2, max: 5 }),
      withinMs: fc.integer({ min: 0, max: 20 }),
      distinct: fc.boolean(),
      toleranceMs: fc.constant(100),
      quietForMs: fc.integer({ min: 0, max: 30 }),
    }),
    fc.record({
      kind: fc.constant('sequence' as const),
      steps: fc.integer({ min: 2, max: 3 }),
      withinMs: fc.integer({ min: 0, max: 20 }),
      toleranceMs: fc.constant(100),
      quietForMs: fc.integer({ min: 0, max: 30 }),
    }),
  );
  const one = fc.record({
    eventId: fc.constantFrom(...'abcdefgh'),
    timeMs: fc.integer({ min: 0, max: 60 }),
    step: fc.integer({ min: 0, max: 2 }),
    value: fc.constantFrom('x', 'y', 'z', null),
  });
  // One event has one time and one value.
  const marks = fc
    .uniqueArray(one, { minLength: 3, maxLength: 10, selector: ({ eventId }) => eventId })
    .map((list) => [...list, ...list.slice(0, 2).map((first) => ({ ...first, step: (first.step + 1) % 3 }))]);
  const seen = { yes: 0, no: 0 };
  fc.assert(
    fc.property(
      plan.chain((chosen) =>
        fc.tuple(
          fc.constant(chosen),
          marks.map((list) => forPlan(list, chosen)),
        ),
      ),
      fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      ([chosen, list], keys) => {
        const expected = isThereAny(chosen, list);
        const shuffled = list.map((each, at) => ({ each, key: keys[at] ?? 0 })).sort((a, b) => a.key - b.key);
        const arrivals = shuffled.flatMap(({ each }, at) => (at % 3 === 0 ? [each, each] : [each]));
        expect(run(chosen, arrivals).kinds.includes('reported')).toBe(expected);
        seen[expected ? 'yes' : 'no'] += 1;
      },
    ),
    { numRuns: 3000 },
  );
  expect(seen.yes).toBeGreaterThan(300);
  expect(seen.no).toBeGreaterThan(300);
});

function forPlan(marks: readonly Mark[], plan: GroupPlan): Mark[] {
  const steps = plan.kind === 'sequence' ? plan.steps : 1;
  const unique = new Map(
    marks.map((one) => ({ ...one, step: one.step % steps })).map((one) => [`${one.eventId} ${one.step}`, one]),
  );
  return [...unique.values()];
}

/** Tries everything. */
function isThereAny(plan: GroupPlan, marks: readonly Mark[]): boolean {
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
