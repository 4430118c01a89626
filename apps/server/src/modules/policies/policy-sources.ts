import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { sourcesOfMatches } from '@airdeck/detection/filter-and-group/matched-events';

/** One kind of events a policy looks at, in lower case; empty means any. */
export type PolicySourceKind = { readonly integration: string; readonly eventType: string };

export function sourcesOf({ logic }: Pick<PolicyRule, 'logic'>): PolicySourceKind[] {
  return sourcesOfMatches(logic).map(({ connector_definition_id, event_type }) => ({
    integration: connector_definition_id.toLowerCase(),
    eventType: event_type.toLowerCase(),
  }));
}

export function sourceFits(rule: Pick<PolicyRule, 'logic'>): (event: ParsedEvent) => boolean {
  const sources = sourcesOf(rule);
  return (event) =>
    sources.some(
      ({ integration, eventType }) =>
        (integration === '' || integration === event.integration.toLowerCase()) &&
        (eventType === '' || eventType === event.event_type.toLowerCase()),
    );
}
