import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { recogniseRecord } from '@airdeck/event-parsers/parse-record';
import { inSlices } from '../../loop-share.ts';
import type { Arrival } from './arrival.ts';
import { readBody } from './body-plan.ts';
import type { ReadBatch } from './record-reader.ts';
import { readVendorRecord } from './vendor-record.ts';

export type ReadArrival = ReadBatch & {
  /** Of lines: the places of those that no format took. */
  raw: number[];
};

/** The events of a delivery, in slices. Throws as `readRecords` does. */
export async function readArrival(arrival: Arrival, receivedAt: number): Promise<ReadArrival> {
  if (arrival.kind === 'lines') return await readLines(arrival.lines);
  if (arrival.kind === 'records') return await readVendorRecords(arrival, receivedAt);
  const { buffer, byteOffset, byteLength } = arrival.bytes;
  return { ...(await readBody(Buffer.from(buffer, byteOffset, byteLength), arrival.plan, receivedAt)), raw: [] };
}

async function readLines(lines: Extract<Arrival, { kind: 'lines' }>['lines']): Promise<ReadArrival> {
  const events: ParsedEvent[] = [];
  const raw: number[] = [];
  const slices = inSlices();
  for (const [index, { text, receivedAt }] of lines.entries()) {
    const { format, event } = recogniseRecord(text, { receivedAt });
    if (format === 'raw') raw.push(index);
    events.push(event);
    if (slices.isOver) await slices.next();
  }
  return { events, rejected: 0, errors: [], raw };
}

async function readVendorRecords(
  { records, definitionId, eventType }: Extract<Arrival, { kind: 'records' }>,
  receivedAt: number,
): Promise<ReadArrival> {
  const events: ParsedEvent[] = [];
  const slices = inSlices();
  for (const record of records) {
    events.push(readVendorRecord({ record, definitionId, eventType, receivedAt }));
    if (slices.isOver) await slices.next();
  }
  return { events, rejected: 0, errors: [], raw: [] };
}
