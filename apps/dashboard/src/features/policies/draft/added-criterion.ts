import type { FieldCriterion } from '@airdeck/contracts/policies/schema';
import { addTo, changeField, type FieldNode, newField } from '../criteria/criteria-tree.ts';
import { valuesOf, withValues } from '../criteria/operators.ts';
import { type FirstCriterion, type PolicyDraft, sourcesOf } from './policy-draft.ts';

type Seen = Pick<FirstCriterion, 'field' | 'value'>;

/**
 * Asks for a value that was seen in an event as well: where a condition names values of that field, as one more of them, since
 * a field never is two values at once; else as one more condition. The same draft where it has that already.
 */
export function withCriterion(draft: PolicyDraft, { field, value }: Seen): PolicyDraft {
  const { criteria } = draft;
  const named = criteria.members.find(
    (member): member is FieldNode => member.kind === 'field' && namesValuesOf(member.criterion, field),
  );
  if (named === undefined) return { ...draft, criteria: addTo(criteria, criteria.id, newField(field, value)) };
  const values = valuesOf(named.criterion);
  const plain = (text: string) => (named.criterion.case_sensitive === true ? text : text.toLowerCase());
  if (values.some((known) => plain(known) === plain(value))) return draft;
  return { ...draft, criteria: changeField(criteria, named.id, withValues(named.criterion, [...values, value])) };
}

/** Whether the policy looks at events of that kind, in itself or in a step. */
export function looksAt({ logic }: Pick<PolicyDraft, 'logic'>, seen: FirstCriterion['source']): boolean {
  const steps = logic.sequence?.steps ?? [];
  const sources = [logic.source, ...steps.flatMap(({ source }) => source ?? [])].flatMap((source) =>
    sourcesOf({ source }),
  );
  return sources.some(
    ({ connector_definition_id: integration, event_type: eventType }) =>
      ['', seen.connector_definition_id].includes(integration) && ['', seen.event_type].includes(eventType),
  );
}

function namesValuesOf(criterion: FieldCriterion, field: string): boolean {
  const { operator, match, value, value_field } = criterion;
  return (
    criterion.field === field &&
    (operator === 'equals' || operator === 'in') &&
    match !== 'all' &&
    value !== undefined &&
    value_field === undefined
  );
}
