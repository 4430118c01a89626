import type { ParsedEvent, StoredEvent } from '@airdeck/contracts/events/event';
import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import type { IngestSource } from '../sources/ingest-source.ts';
import { eventIdsOf } from './batch-identity.ts';

/** Events of one delivery, ready to be written. */
export type Batch = {
  source: IngestSource;
  id: string;
  bodyHash: Buffer;
  receivedAt: number;
  events: StoredEvent[];
  rejected: number;
  errors: IngestAnswer['errors'];
  /** Some of the events may be in the store already: a writer before us did not finish. */
  resumed: boolean;
};

/** Gives events their owner and their ids. The same events of the same batch always get the same. */
export function ownEvents(
  events: readonly ParsedEvent[],
  owner: { source: IngestSource; batchId: string; receivedAt: number },
): StoredEvent[] {
  const { source, batchId, receivedAt } = owner;
  const idOf = eventIdsOf(batchId);
  // Written out: copying by spread is several times as slow, and this is done for every event.
  return events.map((event, index) => ({
    time: event.time,
    time_source: event.time_source,
    integration: event.integration,
    event_type: event.event_type,
    severity: event.severity,
    message: event.message,
    host: event.host,
    user: event.user,
    src_ip: event.src_ip,
    dst_ip: event.dst_ip,
    action: event.action,
    outcome: event.outcome,
    fields: event.fields,
    raw: event.raw,
    id: idOf(index),
    tenant: source.tenantId,
    source: source.id,
    batch: batchId,
    connector_id: source.connectorId ?? '',
    received_at: receivedAt,
  }));
}

export function answerOf(batch: Pick<Batch, 'id' | 'rejected' | 'errors'>, accepted: number): IngestAnswer {
  return { accepted, rejected: batch.rejected, batch_id: batch.id, errors: batch.errors };
}
