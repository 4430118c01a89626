/** One uncounted match of a group, in the order of event time. */
export type TimelineEntry = { readonly timeMs: number; readonly distinctValue: string | null };

export type BurstRule = {
  readonly count: number;
  readonly withinMs: number;
  /** Count different values instead of events; entries without a value do not count, but lie in the window. */
  readonly distinct: boolean;
};

/** Positions in the timeline: `first` opens the window, `trigger` is the entry that filled it. */
export type Burst = { readonly first: number; readonly trigger: number };

/**
 * The earliest window of event time that reaches the threshold, or undefined. A window ends with an entry and reaches
 * `withinMs` back, both ends included. Linear in the length of the timeline.
 */
export function findBurst(timeline: readonly TimelineEntry[], rule: BurstRule): Burst | undefined {
  const seen = new Map<string, number>();
  let first = 0;
  let counted = 0;
  for (const [trigger, entry] of timeline.entries()) {
    counted += count(seen, entry, rule, 1);
    for (let oldest = timeline[first]; oldest !== undefined; oldest = timeline[first]) {
      if (entry.timeMs - oldest.timeMs <= rule.withinMs) break;
      counted += count(seen, oldest, rule, -1);
      first += 1;
    }
    if (counted >= rule.count) return { first, trigger };
  }
  return undefined;
}

/** How the number of counted things changes when the entry enters (+1) or leaves (-1) the window. */
function count(seen: Map<string, number>, entry: TimelineEntry, rule: BurstRule, step: 1 | -1): number {
  if (!rule.distinct) return step;
  if (entry.distinctValue === null) return 0;
  const before = seen.get(entry.distinctValue) ?? 0;
  seen.set(entry.distinctValue, before + step);
  if (step === 1) return before === 0 ? 1 : 0;
  return before === 1 ? -1 : 0;
}
