/** What completes a group of a policy, so that a case opens: so many events or values, or the steps of a sequence. */
import type { PolicyLogic } from '@airdeck/contracts/policies/schema';
import { type CountPlan, findCount } from './count-window.ts';
import { findSequence, type SequencePlan } from './step-sequence.ts';
import { isBefore, type Mark } from './timeline.ts';

export type Completion = ({ readonly kind: 'count' } & CountPlan) | ({ readonly kind: 'sequence' } & SequencePlan);

/** Without threshold or sequence every event completes by itself. */
export function completionOf({ threshold, sequence }: Pick<PolicyLogic, 'threshold' | 'sequence'>): Completion {
  if (sequence !== undefined) {
    const { steps, within_s: withinS, any_order: anyOrder } = sequence;
    return { kind: 'sequence', steps: steps.length, withinMs: withinS * 1000, anyOrder };
  }
  return {
    kind: 'count',
    count: threshold?.count ?? 1,
    withinMs: (threshold?.within_s ?? 0) * 1000,
    distinct: threshold?.distinct_field !== undefined,
  };
}

/** The marks that complete first, oldest first; undefined when nothing does. `marks` in order of time; linear in them. */
export function findComplete(marks: readonly Mark[], plan: Completion): readonly Mark[] | undefined {
  return plan.kind === 'count' ? findCount(marks, plan) : findSequence(marks, plan);
}

/** One mark for each step an event fits; without steps, one. */
export function marksOf(
  { eventId, timeMs, value }: Omit<Mark, 'step'>,
  steps: readonly number[] | undefined,
): readonly Mark[] {
  return (steps ?? [0]).map((step) => ({ eventId, timeMs, step, value }));
}

export function inOrder(marks: readonly Mark[]): Mark[] {
  return marks.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
}
