import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { blankEvent } from './blank-event.ts';
import { cleanValue, cutText, hasUnsafeEscapes, isTooDeep, TRUNCATED_FIELD } from './clean-record.ts';
import { isObject } from './column-values.ts';
import type { JsonObject, LineFormat, Reception } from './format.ts';
import { fortigateLine } from './formats/fortigate.ts';
import { parseObject } from './formats/json-kinds.ts';
import { rfc3164Format, rfc5424Format } from './formats/syslog.ts';

/** Kinds of text lines, in the order asked. A new format is one file and one line here. */
const lineFormats: readonly LineFormat[] = [rfc5424Format, rfc3164Format, fortigateLine];

export type ParseOptions = {
  /** When the record arrived, in milliseconds since the epoch: the time of events that have none, and what decides a missing year. */
  receivedAt: number;
  /** Name of the line format to ask first, where the source says it. */
  hint?: string;
};

/** The event, and the name of the format that took the record; `raw` when none did. */
export type Recognised = { format: string; event: ParsedEvent };

/**
 * Turns one record, as text or as already decoded JSON object, into an event. Never throws and never drops anything: what
 * no format takes becomes a `generic` event of type `log` with the text in `raw` and `message`. NULs are removed; of
 * records beyond `limits.eventLineMaxBytes` the rest is cut off and counted in the field `raw_truncated_bytes`.
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
    return fromObject(object, options.raw ?? JSON.stringify(object), options.receivedAt);
  }
  const object = decode(record);
  return object === undefined ? fromLine(record, options) : fromObject(object, record, options.receivedAt);
}

function decode(text: string): JsonObject | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  try {
    const value: unknown = JSON.parse(trimmed);
    return isObject(value) && !isTooDeep(value) ? value : undefined;
  } catch {
    // Looks like JSON and is not: it is a line like any other.
    return undefined;
  }
}

function fromObject(object: JsonObject, text: string, receivedAt: number): Recognised {
  const { text: raw, cutBytes } = cutText(text);
  const clean = hasUnsafeEscapes(raw) || raw.length !== text.length ? (cleanValue(object) as JsonObject) : object;
  const reception = { receivedAt, raw };
  const recognised = guarded(reception, () => parseObject(clean, reception));
  // The fields would be as large as the text that is too large to keep.
  if (cutBytes > 0) cutColumns(recognised.event, cutBytes);
  return recognised;
}

function fromLine(line: string, { receivedAt, hint }: ParseOptions): Recognised {
  const { text: raw, cutBytes } = cutText(line);
  const reception = { receivedAt, raw };
  const text = raw.trimEnd();
  const recognised = guarded(reception, () => firstFormat(text, reception, hint));
  const { event } = recognised;
  if (recognised.format === 'raw') event.message = text;
  if (cutBytes > 0) event.fields = { ...event.fields, [TRUNCATED_FIELD]: cutBytes };
  return recognised;
}

function firstFormat(text: string, reception: Reception, hint: string | undefined): Recognised {
  const hinted = hint === undefined ? undefined : lineFormats.find(({ name }) => name === hint);
  for (const format of hinted === undefined ? lineFormats : [hinted, ...lineFormats]) {
    const event = format.parse(text, reception);
    if (event !== undefined) return { format: format.name, event };
  }
  return { format: 'raw', event: blankEvent(reception) };
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
const textColumns = ['message', 'host', 'user', 'action', 'severity', 'outcome', 'event_type'] as const;

function cutColumns(event: ParsedEvent, cutBytes: number): void {
  for (const column of textColumns) {
    if (event[column].length > MAX_COLUMN_LENGTH) event[column] = cutText(event[column], MAX_COLUMN_LENGTH).text;
  }
  event.fields = { [TRUNCATED_FIELD]: cutBytes };
  event.raw = cutText(event.raw).text;
}
