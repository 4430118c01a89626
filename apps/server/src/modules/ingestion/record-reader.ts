import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { serverLimits } from '@airdeck/contracts/server-limits';
import type { IngestAnswer } from '@airdeck/contracts/sources/schema';
import { isTooDeep, TRUNCATED_FIELD } from '@airdeck/event-parsers/clean-record';
import { parseJson } from '@airdeck/event-parsers/exact-json';
import { parseLine, parseRecord } from '@airdeck/event-parsers/parse-record';
import { AppError } from '../../http/app-error.ts';
import { inSlices } from '../../loop-share.ts';
import { readCloudEvent } from './formats/cloud-event.ts';
import { isGelf, readGelf } from './formats/gelf-message.ts';
import { isGraylogNotification, readGraylogNotification } from './formats/graylog-notification.ts';
import type { JsonRecord, RecordReader } from './formats/record-format.ts';
import {
  BrokenArrayError,
  elementsOf,
  linesOf,
  type RecordText,
  skipBlank,
  startsArray,
  wrappedArray,
} from './record-texts.ts';

/** How records stand in a body; `any-json` is one record, an array or lines. */
export type BodyFormat = 'json' | 'ndjson' | 'text' | 'any-json';
/** What a record is. `any` is decided record by record. */
export type RecordKind = 'any' | 'gelf' | 'graylog' | 'cloudevent';

export type RecordsOptions = { format: BodyFormat; kind: RecordKind; receivedAt: number };

export type ReadBatch = {
  events: ParsedEvent[];
  rejected: number;
  errors: IngestAnswer['errors'];
};

/** Decoding one record stops everything else, so there is a limit well above what is kept of it. */
const RECORD_MAX_BYTES = 1_048_576;
/** A notification holds all messages that led to the alert. */
export const NOTIFICATION_MAX_BYTES = 4 * 1_048_576;
const ERRORS_SHOWN = 100;
/** Looking at the clock costs something too. */
const RECORDS_PER_LOOK = 16;

const readers: Readonly<Record<Exclude<RecordKind, 'any'>, RecordReader>> = {
  gelf: readGelf,
  graylog: readGraylogNotification,
  cloudevent: readCloudEvent,
};

/**
 * Turns a decoded body into events, in slices. Records that are not what the body should hold are counted and named by
 * line; the others are kept whatever they hold. Throws BODY_NOT_DECODABLE for an array that breaks off, BODY_TOO_LARGE for
 * too many records.
 */
export async function readRecords(body: Buffer, { format, kind, receivedAt }: RecordsOptions): Promise<ReadBatch> {
  const batch: ReadBatch = { events: [], rejected: 0, errors: [] };
  const readOne = format === 'text' ? readText : (record: RecordText) => readJson(record, { kind, receivedAt });
  const slices = inSlices();
  let count = 0;
  for (const record of textsOf(body, { format, kind })) {
    if (record === undefined) {
      if (slices.isOver) await slices.next();
      continue;
    }
    refuseTooMany(++count);
    const events = readOne(record, receivedAt);
    if (typeof events === 'string') reject(batch, record.line, events);
    else {
      for (const event of events) {
        batch.events.push(event);
        if (batch.events.length % RECORDS_PER_LOOK === 0 && slices.isOver) await slices.next();
      }
    }
    refuseTooMany(batch.events.length);
    if ((record.bytes.length > 16_384 || count % RECORDS_PER_LOOK === 0) && slices.isOver) await slices.next();
  }
  return batch;
}

function refuseTooMany(records: number): void {
  if (records <= serverLimits.ingestRecordsMax) return;
  throw new AppError('BODY_TOO_LARGE', { message: `More than ${serverLimits.ingestRecordsMax} records in one body.` });
}

function* textsOf(
  body: Buffer,
  { format, kind }: Pick<RecordsOptions, 'format' | 'kind'>,
): Generator<RecordText | undefined, void> {
  const isLines = format === 'ndjson' || format === 'text';
  if (isLines || (format === 'any-json' && holdsLines(body, kind))) return yield* linesOf(body);
  // Smaller ones are looked into as the record they may be.
  const wrapped = kind === 'any' && body.length > RECORD_MAX_BYTES ? wrappedArray(body) : undefined;
  if (wrapped === undefined && !startsArray(body)) {
    if (body.length > 0) yield { line: 1, bytes: body };
    return;
  }
  try {
    yield* elementsOf(wrapped ?? body);
  } catch (error) {
    if (!(error instanceof BrokenArrayError)) throw error;
    throw new AppError('BODY_NOT_DECODABLE', { message: error.message, cause: error });
  }
}

/**
 * Whether the first of several lines is a record by itself: what begins on it and ends on another is one record, whole or
 * broken. Those who send GELF break single messages only.
 */
function holdsLines(body: Buffer, kind: RecordKind): boolean {
  const start = skipBlank(body, 0);
  const end = body.indexOf('\n', start);
  if (end < 0 || skipBlank(body, end) === body.length || startsArray(body)) return false;
  return isJson(body.subarray(start, end)) || (kind === 'gelf' && !isJson(body));
}

function isJson(text: Buffer): boolean {
  if (text.length > RECORD_MAX_BYTES) return false;
  try {
    JSON.parse(text.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}

/** The events, or why there are none. */
function readJson(
  record: RecordText,
  { kind, receivedAt }: { kind: RecordKind; receivedAt: number },
): Iterable<ParsedEvent> | string {
  const maxBytes = kind === 'graylog' ? NOTIFICATION_MAX_BYTES : RECORD_MAX_BYTES;
  if (record.bytes.length > maxBytes) return `The record is larger than ${maxBytes / 1_048_576} MB.`;
  const raw = record.bytes.toString('utf8');
  let value: unknown;
  try {
    value = parseJson(raw);
  } catch {
    return 'Not valid JSON.';
  }
  // A list of plain lines is a common way to send them.
  if (typeof value === 'string' && kind === 'any') return [parseLine(value, { receivedAt })];
  if (!isJsonObject(value)) return 'A record must be a JSON object.';
  if (isTooDeep(value)) return 'The record is nested too deeply.';
  const wrapped = kind === 'any' && isWrapper(value) ? textsWithin(record.bytes) : undefined;
  if (wrapped !== undefined) return eventsOf(wrapped, receivedAt);
  const reader = kind === 'any' ? readerFor(value) : readers[kind];
  return reader === undefined ? [parseRecord(value, { receivedAt, raw })] : reader(value, { receivedAt, raw });
}

/** Nothing but a list of records, as clouds write their log files. */
function isWrapper(value: JsonRecord): boolean {
  const [[name, records] = [], ...others] = Object.entries(value);
  if (others.length > 0 || (name !== 'Records' && name !== 'records')) return false;
  return Array.isArray(records) && records.length > 0 && records.every(isJsonObject);
}

/** Undefined for an object that writes its one name twice: which of its lists is meant, nobody knows. */
function textsWithin(wrapper: Buffer): RecordText[] | undefined {
  const list = wrappedArray(wrapper);
  try {
    return list === undefined ? undefined : [...elementsOf(list)].filter((text) => text !== undefined);
  } catch (error) {
    if (error instanceof BrokenArrayError) return undefined;
    throw error;
  }
}

function* eventsOf(records: readonly RecordText[], receivedAt: number): Generator<ParsedEvent, void> {
  for (const { bytes } of records) {
    const raw = bytes.toString('utf8');
    const value = parseJson(raw);
    if (isJsonObject(value)) yield parseRecord(value, { receivedAt, raw });
  }
}

/** Formats that tell themselves. */
function readerFor(value: JsonRecord): RecordReader | undefined {
  if (isGelf(value)) return readGelf;
  return isGraylogNotification(value) ? readGraylogNotification : undefined;
}

function readText(record: RecordText, receivedAt: number): ParsedEvent[] {
  // What goes beyond a kept line by far is not worth decoding: nobody else's events are read meanwhile.
  const event = parseRecord(record.bytes.subarray(0, RECORD_MAX_BYTES).toString('utf8'), { receivedAt });
  const unread = record.bytes.length - RECORD_MAX_BYTES;
  if (unread > 0) {
    const cut = Number(event.fields[TRUNCATED_FIELD] ?? 0);
    event.fields = { ...event.fields, [TRUNCATED_FIELD]: cut + unread };
  }
  return [event];
}

function reject(batch: ReadBatch, line: number, message: string): void {
  batch.rejected++;
  if (batch.errors.length < ERRORS_SHOWN) batch.errors.push({ line, message });
}
