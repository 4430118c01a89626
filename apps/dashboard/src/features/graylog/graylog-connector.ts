import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';

/** Whom the live calls go to: the default connector of Graylog, or the only one. Undefined when there is none. */
export function graylogOf(connectors: readonly ConnectorSummary[]): ConnectorSummary | undefined {
  const own = connectors.filter(({ definition_id }) => definition_id === 'graylog');
  return own.find((connector) => connector.default) ?? own[0];
}
