import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent } from './blank-event.ts';
import { cleanRecord, cleanText, cleanValue, cutText, isTooDeep, TRUNCATED_FIELD } from './clean-record.ts';
import { parseJson } from './exact-json.ts';
import type { EnvelopeFormat, JsonObject, Reception, Recognised } from './format.ts';
import { objectFormatNames, parseObject } from './formats/json-kinds.ts';
import { messageFormats } from './formats/message-formats.ts';
import { rfc3164Format } from './formats/rfc3164.ts';
import { rfc5424Format } from './formats/rfc5424.ts';
import { eventBehind, eventOfBareLine } from './formats/syslog.ts';

/** Headers that stand around other formats, in the order asked. */
const envelopes: readonly EnvelopeFormat[] = [rfc5424Format, rfc3164Format];

/** Every name a `hint` may have. */
export const formatNames: readonly string[] = [
  ...new Set([...envelopes, ...messageFormats].map(({ name }) => name).concat(objectFormatNames)),
];

/** The count of bytes that octet counting puts in front of a line, when a file kept it. */
const OCTET_COUNT = /^\d{1,7} (?=<\d{1,3}>)/;

/** As they are, or as JSON may write them. */
const HAS_PAIRS = /[\ud800-\udbff]|\\u[dD][89abAB]/;

export type ParseOptions = {
  /** When the record arrived, in milliseconds since the epoch: the time of events that have none, and what decides a missing year. */
  receivedAt: number;
  /** One of `formatNames`: the format to ask first, where the source says it. Others are asked when it declines. */
  hint?: string;
};

/**
 * Turns one record, as text or as already decoded JSON object, into an event. Never throws and never drops anything: what
 * no format takes becomes a `generic` event of type `log` with the text in `raw` and `message`. NULs are removed; of
 * records beyond `serverLimits.eventLineMaxBytes` the rest is cut off and counted in the field `raw_truncated_bytes`.
 */
export function parseRecord(record: string | JsonObject, options: ParseOptions & { raw?: string }): ParsedEvent {
  return recogniseRecord(record, options).event;
}

/** `parseRecord` for one line of text. */
export function parseLine(line: string, options: ParseOptions): ParsedEvent {
  return recogniseRecord(line, options).event;
}

/** `parseRecord` that also says which format it was. */
export function recogniseRecord(record: string | JsonObject, options: ParseOptions & { raw?: string }): Recognised {
  if (typeof record !== 'string') {
    const object = isTooDeep(record) ? (cleanValue(record) as JsonObject) : record;
    return fromObject(object, options.raw ?? JSON.stringify(object), options);
  }
  // Before it is decoded: JSON takes halves of surrogate pairs also as they are.
  const text = cleanText(record);
  const object = decode(text);
  return object === undefined ? fromLine(text, options) : fromObject(object, text, options);
}

function decode(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  try {
    const value = parseJson(trimmed);
    return isJsonObject(value) && !isTooDeep(value) ? value : undefined;
  } catch {
    // Looks like JSON and is not: it is a line like any other.
    return undefined;
  }
}

function fromObject(object: JsonObject, text: string, { receivedAt, hint }: ParseOptions): Recognised {
  const { text: raw, cutBytes } = cutText(text);
  const clean = cleanRecord(object, text);
  const reception = { receivedAt, raw };
  const recognised = guarded(reception, () => parseObject(clean, reception, hint));
  makeWhole(recognised.event, raw);
  if (cutBytes > 0) cutColumns(recognised.event, cutBytes);
  return recognised;
}

/** A pattern that takes so many characters may take one half of a pair, which no column of fields can hold. */
function makeWhole(event: ParsedEvent, text: string): void {
  if (HAS_PAIRS.test(text)) event.fields = cleanValue(event.fields) as ParsedEvent['fields'];
}

function fromLine(line: string, { receivedAt, hint }: ParseOptions): Recognised {
  const { text: raw, cutBytes } = cutText(line);
  const reception = { receivedAt, raw };
  const text = bareText(raw);
  const recognised = guarded(reception, () => firstFormat(text, reception, hint));
  const { event } = recognised;
  if (recognised.format === 'raw') event.message = text;
  makeWhole(event, text);
  if (cutBytes > 0) event.fields = { ...event.fields, [TRUNCATED_FIELD]: cutBytes };
  return recognised;
}

/** Without the end of the line, and without what transports put in front of it. */
function bareText(raw: string): string {
  const text = raw.startsWith('\uFEFF') ? raw.slice(1).trimEnd() : raw.trimEnd();
  const first = text.charCodeAt(0);
  return first >= 48 && first <= 57 ? text.replace(OCTET_COUNT, '') : text;
}

function firstFormat(text: string, reception: Reception, hint: string | undefined): Recognised {
  const hinted = hint === undefined ? undefined : messageFormats.find(({ name }) => name === hint);
  const options = { reception, hinted };
  for (const envelope of envelopes) {
    const header = envelope.read(text, reception.receivedAt);
    if (header !== undefined) return eventBehind(envelope, header, options);
  }
  return eventOfBareLine(text, options) ?? { format: 'raw', event: blankEvent(reception) };
}

/** A parser that fails on some record nobody thought of must not cost the record, nor the batch around it. */
function guarded(reception: Reception, parse: () => Recognised): Recognised {
  try {
    return parse();
  } catch (error) {
    const event = blankEvent(reception);
    event.fields = { parser_error: error instanceof Error ? error.message : String(error) };
    return { format: 'raw', event };
  }
}

const MAX_COLUMN_LENGTH = 8_192;
/** Of the fields of a record that is cut, together. */
const FIELDS_OF_CUT_MAX_BYTES = 65_536;
const textColumns = ['message', 'host', 'user', 'action', 'severity', 'outcome', 'event_type'] as const;

function cutColumns(event: ParsedEvent, cutBytes: number): void {
  for (const column of textColumns) {
    if (event[column].length > MAX_COLUMN_LENGTH) event[column] = cutText(event[column], MAX_COLUMN_LENGTH).text;
  }
  event.fields = { ...smallestOf(event.fields), [TRUNCATED_FIELD]: cutBytes };
  event.raw = cutText(event.raw).text;
}

/** All of them would be as large as the text that is too large to keep: a field is rarely large, and rarely the one asked for. */
function smallestOf(fields: JsonObject): JsonObject {
  const sized = Object.entries(fields).map(([name, value]) => {
    const kept = typeof value === 'string' ? cutText(value, MAX_COLUMN_LENGTH).text : value;
    return { name, kept, bytes: Buffer.byteLength(name) + Buffer.byteLength(JSON.stringify(kept) ?? '') };
  });
  const smallest: Record<string, unknown> = {};
  let left = FIELDS_OF_CUT_MAX_BYTES;
  for (const { name, kept, bytes } of sized.toSorted((a, b) => a.bytes - b.bytes)) {
    left -= bytes;
    if (left < 0) break;
    smallest[name] = kept;
  }
  return smallest;
}
