import type { ConnectorState, ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import type { Integration } from '@airdeck/contracts/integrations/schema';
import { lastTestText } from './last-test-text.ts';
import { hasWords } from './text-match.ts';

export type ConnectorRow = ConnectorSummary & {
  /** What it connects to; the id while the catalogue is not there, or no longer names it. */
  integrationName: string;
  fetchesEvents: boolean;
};

type Filter = { q?: string | undefined; states?: readonly ConnectorState[] | undefined };

/** Connectors with the names of their integrations, as the search and the filter leave them, in the server's order. */
export function connectorRows(
  connectors: readonly ConnectorSummary[],
  integrations: readonly Integration[] | undefined,
  { q, states }: Filter,
): ConnectorRow[] {
  const byId = new Map(integrations?.map((integration) => [integration.id, integration]));
  return connectors.flatMap((connector) => {
    const integration = byId.get(connector.definition_id);
    const integrationName = integration?.name ?? connector.definition_id;
    if (states !== undefined && !states.includes(connector.state)) return [];
    const texts = [connector.name, integrationName, integration?.vendor ?? '', connector.definition_id];
    if (!hasWords(q, [...texts, lastTestText(connector)])) return [];
    return [{ ...connector, integrationName, fetchesEvents: connector.events_enabled }];
  });
}

/** How many there are in each state. */
export function stateCounts(connectors: readonly ConnectorSummary[]): ReadonlyMap<ConnectorState, number> {
  const counts = new Map<ConnectorState, number>();
  for (const { state } of connectors) counts.set(state, (counts.get(state) ?? 0) + 1);
  return counts;
}
