import type { ParsedEvent, StoredEvent } from '@airdeck/contracts/events/event';
import { inSlices } from '../../loop-share.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import { eventIdsOf } from './batch-identity.ts';

const EVENTS_PER_LOOK = 32;

/** Gives events their owner and their ids, in slices. The same events of the same batch always get the same. */
export async function ownEvents(
  events: readonly ParsedEvent[],
  owner: { source: IngestSource; storedAs: string; receivedAt: number },
): Promise<StoredEvent[]> {
  const { source, storedAs: batchId, receivedAt } = owner;
  const idOf = eventIdsOf(batchId);
  const owned: StoredEvent[] = [];
  const slices = inSlices();
  for (const [index, event] of events.entries()) {
    owned.push(ownEvent(event, { source, id: idOf(index), batchId, receivedAt }));
    if (index % EVENTS_PER_LOOK === 0 && slices.isOver) await slices.next();
  }
  return owned;
}

function ownEvent(
  event: ParsedEvent,
  owner: { source: IngestSource; id: string; batchId: string; receivedAt: number },
): StoredEvent {
  const { source, id, batchId, receivedAt } = owner;
  // Written out: copying by spread is several times as slow, and this is done for every event.
  return {
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
    fields: fieldsOf(event),
    raw: event.raw,
    id,
    tenant: source.tenantId,
    source: source.id,
    batch: batchId,
    connector_id: source.connectorId ?? '',
    received_at: receivedAt,
  };
}

/** A time that is not the event's own says so where people and policies can ask for it. */
function fieldsOf({ fields, time_source }: ParsedEvent): ParsedEvent['fields'] {
  return time_source === 'event' ? fields : { time_source, ...fields };
}
