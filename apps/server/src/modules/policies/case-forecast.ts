/**
 * Which cases the matches of a policy would open, told match by match in the order of event time.
 *
 * A group gathers matches until its threshold is reached within its window, or its sequence is complete; then a case opens
 * and takes every match for as long as it is taken to stay open. Matches in the quiet time after the one that completed it
 * are not counted. What is kept of a group is bounded: at most as many times (or values) as the threshold asks for, and of
 * a sequence the newest `MARKS_PER_STEP` of each step.
 */
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { type Completion, completionOf, findComplete, inOrder, marksOf } from '@airdeck/detection/counting/completion';
import type { Mark } from '@airdeck/detection/counting/timeline';

export type ForecastPlan = {
  readonly completion: Completion;
  readonly suppressMs: number;
  readonly openForMs: number;
};

export type ForecastMatch = Omit<Mark, 'step'> & {
  readonly groupKey: string;
  /** Of a sequence: those the event fits. */
  readonly steps: readonly number[] | undefined;
};

export interface Forecast {
  /** `joined` an open case, was kept `quiet`, was `counted`, or `opened` a case. */
  add(match: ForecastMatch): 'joined' | 'quiet' | 'counted' | 'opened';
  readonly groups: number;
}

/** Every match of a sequence may look through all of them. */
const MARKS_PER_STEP = 100;

export function planOf({ logic }: Pick<PolicyRule, 'logic'>): Omit<ForecastPlan, 'openForMs'> {
  return { completion: completionOf(logic), suppressMs: (logic.suppress_for_s ?? 0) * 1000 };
}

type Group = {
  gathered: Gathered;
  openUntilMs: number;
  quietUntilMs: number;
};

export function createForecast(plan: ForecastPlan): Forecast {
  const groups = new Map<string, Group>();
  return {
    add(match) {
      const { groupKey, timeMs } = match;
      let group = groups.get(groupKey);
      if (group === undefined) {
        group = {
          gathered: gatheringFor(plan.completion),
          openUntilMs: Number.NEGATIVE_INFINITY,
          quietUntilMs: Number.NEGATIVE_INFINITY,
        };
        groups.set(groupKey, group);
      }
      if (timeMs < group.openUntilMs) return 'joined';
      if (timeMs <= group.quietUntilMs) return 'quiet';
      if (!group.gathered.completes(match)) return 'counted';
      group.gathered = gatheringFor(plan.completion);
      group.openUntilMs = timeMs + plan.openForMs;
      group.quietUntilMs = plan.suppressMs > 0 ? timeMs + plan.suppressMs : Number.NEGATIVE_INFINITY;
      return 'opened';
    },
    get groups() {
      return groups.size;
    },
  };
}

/** What a group has seen within its time. */
interface Gathered {
  /** Whether this match makes it complete. */
  completes(match: ForecastMatch): boolean;
}

function gatheringFor(plan: Completion): Gathered {
  if (plan.kind === 'sequence') return gatherSteps(plan);
  return plan.distinct ? gatherValues(plan) : gatherTimes(plan);
}

function gatherTimes({ count, withinMs }: Extract<Completion, { kind: 'count' }>): Gathered {
  const times: number[] = [];
  return {
    completes({ timeMs }) {
      times.push(timeMs);
      const first = times.findIndex((time) => time >= timeMs - withinMs);
      if (first > 0) times.splice(0, first);
      return times.length >= count;
    },
  };
}

function gatherValues({ count, withinMs }: Extract<Completion, { kind: 'count' }>): Gathered {
  /** The latest time of each, oldest first. */
  const values = new Map<string, number>();
  return {
    completes({ timeMs, value }) {
      if (value !== null) {
        // Put at the end again, so that the oldest stay first.
        values.delete(value);
        values.set(value, timeMs);
      }
      for (const [known, time] of values) {
        if (time >= timeMs - withinMs) break;
        values.delete(known);
      }
      return values.size >= count;
    },
  };
}

function gatherSteps(plan: Extract<Completion, { kind: 'sequence' }>): Gathered {
  const byStep: Mark[][] = Array.from({ length: plan.steps }, () => []);
  return {
    completes({ eventId, timeMs, value, steps }) {
      for (const mark of marksOf({ eventId, timeMs, value }, steps)) byStep[mark.step]?.push(mark);
      for (const marks of byStep) {
        const fresh = marks.findIndex((mark) => mark.timeMs >= timeMs - plan.withinMs);
        marks.splice(0, Math.max(fresh === -1 ? marks.length : fresh, marks.length - MARKS_PER_STEP));
      }
      if (byStep.some((marks) => marks.length === 0)) return false;
      return findComplete(inOrder(byStep.flat()), plan) !== undefined;
    },
  };
}
