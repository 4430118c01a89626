import type { Mark } from './timeline.ts';

export type CountPlan = {
  readonly count: number;
  readonly withinMs: number;
  /** Count different values instead of events; an event without a value does not count. */
  readonly distinct: boolean;
};

/**
 * The marks of the earliest window of event time that reaches the count: from its oldest to the one that filled it, both
 * ends within `withinMs`. Undefined when no window does. `marks` in order of time; linear in their number.
 */
export function findCount(marks: readonly Mark[], plan: CountPlan): readonly Mark[] | undefined {
  const seen = new Map<string, number>();
  let counted = 0;
  let first = 0;
  const change = ({ value }: Mark, by: 1 | -1) => {
    if (!plan.distinct) counted += by;
    if (!plan.distinct || value === null) return;
    const before = seen.get(value) ?? 0;
    seen.set(value, before + by);
    if (before + by === 0) counted -= 1;
    else if (before === 0) counted += 1;
  };
  for (const [last, mark] of marks.entries()) {
    change(mark, 1);
    for (let oldest = marks[first]; oldest !== undefined; oldest = marks[first]) {
      if (mark.timeMs - oldest.timeMs <= plan.withinMs) break;
      change(oldest, -1);
      first += 1;
    }
    if (counted >= plan.count) return marks.slice(first, last + 1);
  }
  return undefined;
}
