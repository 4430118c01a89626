import type { FoundEvent } from '@airdeck/contracts/search/schema';

/** Where each vendor's own page of an event stands in it, the one that says most first. */
const linkFields: Readonly<Record<string, readonly string[]>> = {
  crowdstrike: ['falcon_host_link'],
  github: ['html_url'],
  microsoft_graph: ['alertWebUrl', 'incidentWebUrl'],
  pagerduty: ['html_url'],
};

/**
 * The vendor's page of an event, with the host it is on. Only of events that a connector fetched: what else comes in can be
 * written by anybody, and must not lead people to a sign-in that is none.
 */
export function vendorLinkOf({
  connector_id: connectorId,
  integration,
  fields,
}: Pick<FoundEvent, 'connector_id' | 'integration' | 'fields'>): { href: string; host: string } | undefined {
  if (connectorId === '') return undefined;
  for (const name of linkFields[integration] ?? []) {
    const value = fields[name];
    if (typeof value !== 'string' || !URL.canParse(value)) continue;
    const url = new URL(value);
    if (url.protocol === 'https:' && url.username === '') return { href: url.href, host: url.host };
  }
  return undefined;
}
