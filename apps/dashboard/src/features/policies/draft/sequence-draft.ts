import type { PolicySequence, PolicyStep } from '@airdeck/contracts/policies/schema';
import { criteriaOf, type GroupNode, newGroup, treeOf } from '../criteria/criteria-tree.ts';

/** A step while it is edited. It is known by the id of its criteria, which stays whatever is changed in them. */
export type StepDraft = Omit<PolicyStep, 'filter_criteria'> & { readonly criteria: GroupNode };

export type SequenceDraft = Omit<PolicySequence, 'steps'> & { readonly steps: readonly StepDraft[] };

export const FEWEST_STEPS = 2;
const FIRST_WITHIN_S = 600;

export function sequenceDraftOf({ steps, ...rest }: PolicySequence): SequenceDraft {
  return {
    ...rest,
    steps: steps.map(({ filter_criteria, ...step }) => ({ ...step, criteria: treeOf(filter_criteria) })),
  };
}

/** As it is stored. */
export function sequenceOf({ steps, ...rest }: SequenceDraft): PolicySequence {
  return {
    ...rest,
    steps: steps.map(({ criteria, ...step }) => ({ filter_criteria: criteriaOf(criteria), ...step })),
  };
}

/** Two steps, the first of them as given. */
export function newSequence(first: GroupNode): SequenceDraft {
  return { steps: [{ criteria: first }, newStep()], within_s: FIRST_WITHIN_S };
}

export function newStep(): StepDraft {
  return { criteria: newGroup('all') };
}

/** The step one place further up or down. */
export function movedStep(steps: readonly StepDraft[], index: number, by: -1 | 1): readonly StepDraft[] {
  const [step, other] = [steps[index], steps[index + by]];
  return step === undefined || other === undefined ? steps : steps.with(index, other).with(index + by, step);
}
