import type { ConnectorSummary } from '@airdeck/contracts/connectors/schema';
import { told } from '../../language/translate.ts';

/** What came of the last test, empty where there was none. */
export function lastTestText(
  connector: Pick<ConnectorSummary, 'test_connection_message' | 'test_connection_told'>,
): string {
  const { test_connection_message: message, test_connection_told: which } = connector;
  return message === null ? '' : told({ message, ...which });
}
