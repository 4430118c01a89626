import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { JsonObject } from '@airdeck/contracts/fields';
import { recogniseRecord } from '@airdeck/event-parsers/parse-record';
import { fillFromGraylog } from './formats/graylog-message.ts';

type VendorRecord = {
  readonly record: JsonObject;
  readonly definitionId: string;
  /** What the connector's options call events no parser knows. */
  readonly eventType: string | undefined;
  readonly receivedAt: number;
};

/**
 * A vendor's record as an event of its integration, polled or seen live. What a parser recognises keeps its type; the rest is
 * of the type the connector's options name, so that policies can ask for it.
 */
export function readVendorRecord({ record, definitionId, eventType, receivedAt }: VendorRecord): ParsedEvent {
  const { event } = recogniseRecord(record, { receivedAt });
  if (event.integration === 'generic' && eventType !== undefined) event.event_type = eventType;
  event.integration = definitionId;
  if (definitionId === 'graylog') fillFromGraylog(event, record, receivedAt);
  return event;
}
