import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { cleanRecord, cleanText, cutText, TRUNCATED_FIELD } from '@airdeck/event-parsers/clean-record';
import { parseLine, parseRecord } from '@airdeck/event-parsers/parse-record';
import { type JsonRecord, type RecordOrigin, type RecordReader, textOf } from './record-format.ts';

/** Attributes every CloudEvent has; the specification refuses it without one of them. */
const required = ['id', 'source', 'type'] as const;
const ATTRIBUTE = /^[a-z0-9]{1,64}$/;
/** What is kept of the attributes of an event that is too large to be kept whole. */
const naming = [...required, 'specversion', 'subject', 'time'] as const;
const NAMING_MAX_BYTES = 1_024;
const DATA_MAX_CHARACTERS = 1_400_000;

/** Names the event, so that one that is sent again is the same: its source counts, and its id within it. */
export function cloudEventKey({ id, source }: JsonRecord): string | undefined {
  return isFilled(id) && isFilled(source) ? `cloudevent ${JSON.stringify([source, id])}` : undefined;
}

/**
 * One CloudEvent (1.0) as JSON. What it carries is read as if it had come by itself; its attributes are kept in the field
 * `cloudevent` and fill what the data leaves empty.
 */
export const readCloudEvent: RecordReader = (record, origin) => {
  if (record.specversion !== '1.0') return 'A CloudEvent needs specversion 1.0.';
  const missing = required.find((name) => !isFilled(record[name]));
  if (missing !== undefined) return `A CloudEvent needs ${missing}.`;
  const { data, data_base64: packed, ...attributes } = cleanRecord(record, origin.raw);
  if (packed !== undefined) return fromPacked(packed, attributes, origin);
  return [around(dataEvent(data, origin), attributes, origin)];
};

/** The same over HTTP in binary mode: attributes in headers, the data is the body. */
export function cloudEventOf(attributes: JsonRecord, data: ParsedEvent, receivedAt: number): ParsedEvent {
  return around(data, attributes, { receivedAt, raw: data.raw });
}

/** Attributes from `ce-…` headers; why there are none where they are not valid. */
export function cloudEventAttributes(headers: Readonly<Record<string, unknown>>): JsonRecord | string {
  const attributes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith('ce-') || typeof value !== 'string') continue;
    const attribute = name.slice(3);
    const text = decoded(value);
    if (!ATTRIBUTE.test(attribute) || text === undefined) return `The header ${name.slice(0, 80)} is not valid.`;
    attributes[attribute] = cleanText(text);
  }
  if (attributes.specversion !== '1.0') return 'A CloudEvent needs ce-specversion 1.0.';
  const missing = required.find((name) => !isFilled(attributes[name]));
  return missing === undefined ? attributes : `A CloudEvent needs ce-${missing}.`;
}

function fromPacked(packed: unknown, attributes: JsonRecord, origin: RecordOrigin): ParsedEvent[] | string {
  if (typeof packed !== 'string' || packed.length > DATA_MAX_CHARACTERS)
    return 'data_base64 is not a text of up to 1 MB.';
  const text = Buffer.from(packed, 'base64').toString('utf8');
  return [around(parseLine(text, { receivedAt: origin.receivedAt }), attributes, origin)];
}

function dataEvent(data: unknown, { receivedAt, raw }: RecordOrigin): ParsedEvent {
  if (typeof data === 'string') return parseLine(data, { receivedAt });
  return parseRecord(isJsonObject(data) ? data : data === undefined || data === null ? {} : { data }, {
    receivedAt,
    raw,
  });
}

function around(event: ParsedEvent, given: JsonRecord, { receivedAt, raw }: RecordOrigin): ParsedEvent {
  const { text, cutBytes } = cutText(raw);
  const attributes = cutBytes === 0 ? given : namingOf(given);
  const own = parseRecord({ time: attributes.time }, { receivedAt });
  const time = event.time_source === 'event' || own.time_source === 'received' ? event : own;
  const { type, subject } = attributes;
  const fields = { ...event.fields, cloudevent: attributes };
  return {
    ...event,
    time: time.time,
    time_source: time.time_source,
    message: event.message || [textOf(type), textOf(subject)].filter((part) => part !== '').join(' '),
    fields: cutBytes === 0 ? fields : { ...fields, [TRUNCATED_FIELD]: cutBytes },
    raw: text,
  };
}

function namingOf(attributes: JsonRecord): JsonRecord {
  return Object.fromEntries(naming.map((name) => [name, cutText(textOf(attributes[name]), NAMING_MAX_BYTES).text]));
}

/** Header values are percent-encoded where they are not plain; undefined for what is not. */
function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
