/** Which events count for a policy at all, before it is asked how many or in which order. */
import type { Criterion, PolicyLogic } from '@airdeck/contracts/policies/schema';

type Source = { readonly connector_definition_id: string; readonly event_type: string };

/** Criteria that every event fits which counts: the policy's own, and of a sequence those of a step. */
export function criteriaOfMatches(logic: Pick<PolicyLogic, 'filter_criteria' | 'sequence'>): readonly Criterion[] {
  const { filter_criteria: common, sequence } = logic;
  if (sequence === undefined) return common;
  return [...common, { any: sequence.steps.map(({ filter_criteria: own }) => ({ all: own })) }];
}

/** Sources those events come from: the policy's, or those of the steps that have their own. */
export function sourcesOfMatches({ source, sequence }: Pick<PolicyLogic, 'source' | 'sequence'>): readonly Source[] {
  const sources = sequence === undefined ? [source] : sequence.steps.map((step) => step.source ?? source);
  return [...new Set(sources)].flatMap(withOthers);
}

/** A source with its further ones. */
export function withOthers(source: PolicyLogic['source']): Source[] {
  return [source, ...(source.also ?? [])];
}
