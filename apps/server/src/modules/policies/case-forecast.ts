/**
 * Which cases the matches of a policy would open, told match by match in the order of event time.
 *
 * A group gathers matches until its threshold is reached within its window; then a case opens and takes every match for as
 * long as it is taken to stay open. Matches in the quiet time after the one that filled the threshold are not counted.
 * What is kept of a group is bounded: at most as many times (or values) as the threshold asks for.
 */
import type { PolicyRule } from '@airdeck/contracts/policies/schema';

export type ForecastPlan = {
  readonly count: number;
  readonly withinMs: number;
  readonly distinct: boolean;
  readonly suppressMs: number;
  readonly openForMs: number;
};

export type ForecastMatch = { readonly groupKey: string; readonly timeMs: number; readonly value: string | null };

export interface Forecast {
  /** `joined` an open case, was kept `quiet`, was `counted`, or `opened` a case. */
  add(match: ForecastMatch): 'joined' | 'quiet' | 'counted' | 'opened';
  readonly groups: number;
}

export function planOf({ logic }: Pick<PolicyRule, 'logic'>): Omit<ForecastPlan, 'openForMs'> {
  return {
    count: logic.threshold?.count ?? 1,
    withinMs: (logic.threshold?.within_s ?? 0) * 1000,
    distinct: logic.threshold?.distinct_field !== undefined,
    suppressMs: (logic.suppress_for_s ?? 0) * 1000,
  };
}

type Group = {
  /** Of events: one entry each. Of values: the latest time of each. In the order of time. */
  times: number[];
  values: Map<string, number>;
  openUntilMs: number;
  quietUntilMs: number;
};

export function createForecast(plan: ForecastPlan): Forecast {
  const groups = new Map<string, Group>();
  return {
    add({ groupKey, timeMs, value }) {
      let group = groups.get(groupKey);
      if (group === undefined) {
        group = {
          times: [],
          values: new Map(),
          openUntilMs: Number.NEGATIVE_INFINITY,
          quietUntilMs: Number.NEGATIVE_INFINITY,
        };
        groups.set(groupKey, group);
      }
      if (timeMs < group.openUntilMs) return 'joined';
      if (timeMs <= group.quietUntilMs) return 'quiet';
      if (counted(group, plan, { timeMs, value }) < plan.count) return 'counted';
      group.times = [];
      group.values = new Map();
      group.openUntilMs = timeMs + plan.openForMs;
      group.quietUntilMs = plan.suppressMs > 0 ? timeMs + plan.suppressMs : Number.NEGATIVE_INFINITY;
      return 'opened';
    },
    get groups() {
      return groups.size;
    },
  };
}

/** What lies in the window that ends with this match. */
function counted(group: Group, plan: ForecastPlan, { timeMs, value }: Omit<ForecastMatch, 'groupKey'>): number {
  const oldest = timeMs - plan.withinMs;
  if (!plan.distinct) {
    group.times.push(timeMs);
    const first = group.times.findIndex((time) => time >= oldest);
    if (first > 0) group.times.splice(0, first);
    return group.times.length;
  }
  if (value !== null) {
    // Put at the end again, so that the oldest stay first.
    group.values.delete(value);
    group.values.set(value, timeMs);
  }
  for (const [known, time] of group.values) {
    if (time >= oldest) break;
    group.values.delete(known);
  }
  return group.values.size;
}
