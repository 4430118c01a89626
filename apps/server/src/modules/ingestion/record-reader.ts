import { setImmediate } from 'node:timers/promises';
import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { limits } from '@airdeck/contracts/limits';
import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import { isTooDeep } from '@airdeck/event-parsers/clean-record';
import { parseLine, parseRecord } from '@airdeck/event-parsers/parse-record';
import { AppError } from '../../http/app-error.ts';
import { BrokenArrayError, elementsOf, linesOf, type RecordText, startsArray } from './record-texts.ts';

export type BodyFormat = 'json' | 'ndjson' | 'text';

export type ReadBatch = {
  events: ParsedEvent[];
  rejected: number;
  errors: IngestAnswer['errors'];
};

/** Decoding one record stops everything else, so there is a limit well above what is kept of it. */
const RECORD_MAX_BYTES = 1_048_576;
const ERRORS_SHOWN = 100;
/** The event loop belongs to everybody: after this long others get their turn. */
const SLICE_MS = 8;
const RECORDS_PER_LOOK = 16;

/**
 * Turns a decoded body into events, in slices. Records that are no JSON objects are counted and named by line; the others
 * are kept whatever they hold. Throws BODY_NOT_DECODABLE for an array that breaks off, BODY_TOO_LARGE for too many records.
 */
export async function readRecords(
  body: Buffer,
  options: { format: BodyFormat; receivedAt: number },
): Promise<ReadBatch> {
  const { receivedAt } = options;
  const batch: ReadBatch = { events: [], rejected: 0, errors: [] };
  const read = options.format === 'text' ? readText : readJson;
  let count = 0;
  let sliceStart = performance.now();
  for (const record of textsOf(body, options.format)) {
    if (record !== undefined) {
      if (++count > limits.ingestRecordsMax) {
        throw new AppError('BODY_TOO_LARGE', { message: `More than ${limits.ingestRecordsMax} records in one body.` });
      }
      const event = read(record, receivedAt);
      if (typeof event !== 'string') batch.events.push(event);
      else reject(batch, record.line, event);
    }
    const mayPause = record === undefined || record.bytes.length > 16_384 || count % RECORDS_PER_LOOK === 0;
    if (mayPause && performance.now() - sliceStart > SLICE_MS) {
      await setImmediate();
      sliceStart = performance.now();
    }
  }
  return batch;
}

function* textsOf(body: Buffer, format: BodyFormat): Generator<RecordText | undefined, void> {
  if (format !== 'json') return yield* linesOf(body);
  if (!startsArray(body)) {
    if (body.length > 0) yield { line: 1, bytes: body };
    return;
  }
  try {
    yield* elementsOf(body);
  } catch (error) {
    if (!(error instanceof BrokenArrayError)) throw error;
    throw new AppError('BODY_NOT_DECODABLE', { message: error.message, cause: error });
  }
}

/** The event, or why there is none. */
function readJson(record: RecordText, receivedAt: number): ParsedEvent | string {
  if (record.bytes.length > RECORD_MAX_BYTES) return 'The record is larger than 1 MB.';
  const raw = record.bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    return 'Not valid JSON.';
  }
  // A list of plain lines is a common way to send them.
  if (typeof value === 'string') return parseLine(value, { receivedAt });
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'A record must be a JSON object.';
  if (isTooDeep(value)) return 'The record is nested too deeply.';
  return parseRecord(value as Record<string, unknown>, { receivedAt, raw });
}

function readText(record: RecordText, receivedAt: number): ParsedEvent {
  // What goes beyond a kept line by far is not worth decoding; the parser cuts and counts the rest.
  return parseRecord(record.bytes.toString('utf8'), { receivedAt });
}

function reject(batch: ReadBatch, line: number, message: string): void {
  batch.rejected++;
  if (batch.errors.length < ERRORS_SHOWN) batch.errors.push({ line, message });
}
