import type { FirstCriterion } from '../draft/policy-draft.ts';
import type { EditorSearch } from '../policies-search.ts';

/** The value of an event that the address brings along, with where it was seen. */
export function seenIn({ criterion, source = '' }: EditorSearch): FirstCriterion | undefined {
  if (criterion === undefined) return undefined;
  const [integration = '', eventType = ''] = source.split(':');
  return { ...criterion, source: { connector_definition_id: integration, event_type: eventType } };
}
