/**
 * What one group of one policy has seen, as a state machine over plain data: the state goes in, the new state and what
 * happened come out. Whoever keeps the states (memory, a table) does so under a lock per group.
 *
 * States of a group: empty (nothing kept), gathering (marks kept, nothing complete), quiet (something was reported; what
 * ends before `quietUntilMs` is not reported again).
 *
 * What always holds:
 * - Time is event time. `newestMs` is the latest seen; a mark up to `toleranceMs` older than it is taken at its place in
 *   time, an older one is late: it changes nothing and is reported as late.
 * - Of marks that arrive within the tolerance, whether anything is reported at all does not depend on their order, nor on
 *   marks that arrive twice.
 * - What was reported is used up, with everything up to its time: no mark is part of two reports, not even one that
 *   arrives again.
 * - Kept are at most `MAX_MARKS` marks, the newest: an attacker cannot make a group grow without end.
 *
 * A crash between two marks costs nothing: the state holds everything, and a mark that is applied again is known.
 */
import { type Completion, findComplete } from './completion.ts';
import { type Mark, withMark } from './timeline.ts';

export const MAX_MARKS = 10_000;

export type GroupPlan = Completion & {
  /** How much older than the newest a mark may be. */
  readonly toleranceMs: number;
  /** For so long after a report, in event time, nothing further is reported. */
  readonly quietForMs: number;
};

/** Plain data, to be stored as JSON. */
export type GroupState = {
  /** In order of event time. */
  readonly marks: readonly Mark[];
  readonly newestMs: number;
  /** Up to here everything was used up by what was reported. */
  readonly usedUntilMs: number | null;
  readonly quietUntilMs: number | null;
};

export type GroupStep = {
  readonly state: GroupState;
  readonly outcome: /** `known`: there already, or used up with what was reported. */
    | { readonly kind: 'kept' | 'known' | 'late' }
    /** Complete: with the marks that made it so; `suppressed` is complete within the quiet time. */
    | { readonly kind: 'reported' | 'suppressed'; readonly marks: readonly Mark[] };
};

/**
 * Where states of groups are kept, so that several processes agree. `work` runs under the group's lock; what it returns is
 * stored in the same transaction, `undefined` removes the state.
 */
export interface GroupStates {
  change<Result>(
    group: { readonly tenant: string; readonly policyId: string; readonly groupKey: string },
    work: (state: GroupState | undefined) => { readonly state: GroupState | undefined; readonly result: Result },
  ): Promise<Result>;
}

/** Takes one mark. Pure. */
export function advanceGroup(plan: GroupPlan, state: GroupState | undefined, mark: Mark): GroupStep {
  const before = state ?? { marks: [], newestMs: mark.timeMs, usedUntilMs: null, quietUntilMs: null };
  if (mark.timeMs < before.newestMs - plan.toleranceMs) return { state: before, outcome: { kind: 'late' } };
  const isUsed = before.usedUntilMs !== null && mark.timeMs <= before.usedUntilMs;
  const marks = isUsed ? undefined : withMark(before.marks, mark);
  if (marks === undefined) return { state: before, outcome: { kind: 'known' } };
  const newestMs = Math.max(before.newestMs, mark.timeMs);
  const complete = findComplete(marks, plan);
  const last = complete?.at(-1);
  if (complete === undefined || last === undefined) {
    return { state: { ...before, marks: useful(marks, newestMs, plan), newestMs }, outcome: { kind: 'kept' } };
  }
  const isQuiet = before.quietUntilMs !== null && last.timeMs <= before.quietUntilMs;
  return {
    state: {
      marks: marks.filter(({ timeMs }) => timeMs > last.timeMs),
      newestMs,
      usedUntilMs: last.timeMs,
      quietUntilMs: isQuiet ? before.quietUntilMs : last.timeMs + plan.quietForMs,
    },
    outcome: { kind: isQuiet ? 'suppressed' : 'reported', marks: complete },
  };
}

/** When nothing that may still arrive can complete anything with what is kept: the state can be forgotten. */
export function expiresAtMs(plan: GroupPlan, state: GroupState): number {
  return Math.max(state.newestMs + plan.withinMs + plan.toleranceMs, state.quietUntilMs ?? 0);
}

/** Without marks that are too old for anything that is not late. */
function useful(marks: readonly Mark[], newestMs: number, plan: GroupPlan): readonly Mark[] {
  const oldest = newestMs - plan.toleranceMs - plan.withinMs;
  const first = marks.findIndex(({ timeMs }) => timeMs >= oldest);
  return marks.slice(Math.max(first, marks.length - MAX_MARKS, 0));
}
