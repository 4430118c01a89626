import type { FetchContext } from '@airdeck/connector-kit/definition';
import type { JsonObject } from '@airdeck/contracts/fields';
import { numberOf } from '../answer-fields.ts';
import { graylogClient } from './graylog-client.ts';

/** Of the node that answers: how much goes through it and how much waits on its disk. Null for what it does not say. */
export async function fetchMetrics(context: FetchContext): Promise<JsonObject> {
  const journal = await graylogClient.object(context, { path: '/system/journal' });
  const throughput = await graylogClient.object(context, { path: '/system/throughput' });
  return {
    throughput_per_second: numberOf(throughput, 'throughput'),
    journal_entries_waiting: numberOf(journal, 'uncommitted_journal_entries'),
    journal_size_bytes: numberOf(journal, 'journal_size'),
    journal_limit_bytes: numberOf(journal, 'journal_size_limit'),
    journal_appended_per_second: numberOf(journal, 'append_events_per_second'),
    journal_read_per_second: numberOf(journal, 'read_events_per_second'),
  };
}
