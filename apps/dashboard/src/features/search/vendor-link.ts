import type { FoundEvent } from '@airdeck/contracts/search/schema';

/** Where each vendor's own page of an event stands in it, the one that says most first. */
const linkFields: Readonly<Record<string, readonly string[]>> = {
  crowdstrike: ['falcon_host_link'],
  github: ['html_url'],
  microsoft_graph: ['alertWebUrl', 'incidentWebUrl'],
  pagerduty: ['html_url'],
};

type Linked = Pick<FoundEvent, 'connector_id' | 'integration' | 'fields' | 'link'>;

/**
 * The vendor's page of an event, with the host it is on. Only of events that a connector fetched: what else comes in can be
 * written by anybody, and must not lead people to a sign-in that is none. `link` is made by the server from the connector's
 * own address, which may be one in the clear.
 */
export function vendorLinkOf({
  connector_id: connectorId,
  integration,
  fields,
  link,
}: Linked): { href: string; host: string } | undefined {
  if (connectorId === '') return undefined;
  if (link !== undefined && URL.canParse(link)) {
    const { protocol, href, host } = new URL(link);
    if (protocol === 'https:' || protocol === 'http:') return { href, host };
  }
  for (const name of linkFields[integration] ?? []) {
    const value = fields[name];
    if (typeof value !== 'string' || !URL.canParse(value)) continue;
    const url = new URL(value);
    if (url.protocol === 'https:' && url.username === '') return { href: url.href, host: url.host };
  }
  return undefined;
}
