import type { JsonObject } from '@airdeck/contracts/fields';
import { recogniseRecord } from '@airdeck/event-parsers/parse-record';
import { inSlices } from '../../loop-share.ts';
import type { Delivery } from '../ingestion/ingestion-service.ts';

type ReadRecords = Delivery['read'];

/**
 * Reads a vendor's records as events of its integration. What a parser recognises keeps its type; the rest is of the type
 * the options name, so that policies can ask for it.
 */
export function recordsReader(
  records: readonly JsonObject[],
  about: { definitionId: string; eventType: string | undefined },
): ReadRecords {
  return async (receivedAt) => {
    const batch: Awaited<ReturnType<ReadRecords>> = { events: [], rejected: 0, errors: [] };
    const slices = inSlices();
    for (const record of records) {
      const { event } = recogniseRecord(record, { receivedAt });
      if (event.integration === 'generic' && about.eventType !== undefined) event.event_type = about.eventType;
      event.integration = about.definitionId;
      batch.events.push(event);
      if (slices.isOver) await slices.next();
    }
    return batch;
  };
}
