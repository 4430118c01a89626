import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject } from '@airdeck/contracts/json-object';
import type { SourceKind } from '@airdeck/contracts/sources/schema';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { AppError } from '../../http/app-error.ts';
import { cloudEventAttributes, cloudEventKey, cloudEventOf } from './formats/cloud-event.ts';
import { notificationKey } from './formats/graylog-notification.ts';
import type { JsonRecord } from './formats/record-format.ts';
import {
  type BodyFormat,
  NOTIFICATION_MAX_BYTES,
  type ReadBatch,
  type RecordKind,
  readRecords,
} from './record-reader.ts';

/** How the body of a delivery is to be read, decided by its source's kind and its headers before the first byte of it. */
export type BodyPlan = {
  format: BodyFormat;
  kind: RecordKind;
  /** Of a CloudEvent in binary mode, whose data the body is. */
  attributes?: JsonRecord;
};

const formatByMediaType: ReadonlyMap<string, BodyFormat> = new Map([
  ['application/json', 'json'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['text/plain', 'text'],
]);
const cloudEventTypes: readonly string[] = ['application/cloudevents+json', 'application/cloudevents-batch+json'];
/** Shippers of GELF and webhooks often say nothing, or what their tool says by default. */
const saysNothing: readonly string[] = ['', 'application/x-www-form-urlencoded', 'application/octet-stream'];
const GELF_CHUNK = Buffer.from([0x1e, 0x0f]);

/** Throws MEDIA_TYPE_UNSUPPORTED, and VALIDATION_FAILED for headers of a CloudEvent that are not valid. */
export function planOf(kind: SourceKind, headers: IncomingHttpHeaders): BodyPlan {
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const format = formatByMediaType.get(mediaType);
  if (headers['ce-specversion'] !== undefined) return binaryPlan(headers, format, mediaType);
  if (cloudEventTypes.includes(mediaType)) return { format: 'json', kind: 'cloudevent' };
  if (kind === 'cloudevents' && format === 'json') return { format, kind: 'cloudevent' };
  if (kind === 'gelf' && format === 'ndjson') return { format, kind: 'gelf' };
  if (kind === 'gelf' && (format !== undefined || saysNothing.includes(mediaType))) {
    return { format: 'any-json', kind: 'gelf' };
  }
  if (kind === 'graylog' && (format === 'json' || saysNothing.includes(mediaType)))
    return { format: 'json', kind: 'graylog' };
  if (kind === 'graylog' || kind === 'cloudevents' || format === undefined) throw unsupported(kind, mediaType);
  // Fluent Bit and others call lines of JSON so, too.
  return { format: format === 'json' ? 'any-json' : format, kind: 'any' };
}

function binaryPlan(headers: IncomingHttpHeaders, format: BodyFormat | undefined, mediaType: string): BodyPlan {
  const attributes = cloudEventAttributes(headers);
  if (typeof attributes === 'string') {
    throw new AppError('VALIDATION_FAILED', { details: [{ path: 'ce-*', message: attributes }] });
  }
  const isJson = format === 'json' || mediaType.endsWith('+json');
  if (!isJson && format !== 'text' && mediaType !== '') throw unsupported('cloudevents', mediaType);
  return { format: isJson ? 'json' : 'text', kind: 'cloudevent', attributes };
}

/** The body's events. Throws as `readRecords` does. */
export async function readBody(bytes: Buffer, plan: BodyPlan, receivedAt: number): Promise<ReadBatch> {
  const { attributes, ...rest } = plan;
  if (plan.kind === 'gelf' && bytes.subarray(0, 2).equals(GELF_CHUNK)) {
    throw new AppError('BODY_NOT_DECODABLE', { message: 'Chunks of GELF are for UDP. Send whole messages over HTTP.' });
  }
  if (attributes === undefined) return await readRecords(bytes, { ...rest, receivedAt });
  if (plan.format === 'text' || bytes.length === 0) {
    const event = parseRecord(bytes.toString('utf8'), { receivedAt });
    return { events: [cloudEventOf(attributes, event, receivedAt)], rejected: 0, errors: [] };
  }
  const batch = await readRecords(bytes, { format: 'json', kind: 'any', receivedAt });
  return { ...batch, events: batch.events.map((event) => cloudEventOf(attributes, event, receivedAt)) };
}

/**
 * What makes the delivery the same when it comes again, where its content says so: Graylog and CloudEvents number what
 * they send, and may write it down a little differently the second time. Undefined where the whole body decides.
 */
export function contentKeyOf(bytes: Buffer, { kind, attributes }: BodyPlan): string | undefined {
  if (attributes !== undefined) return cloudEventKey(attributes);
  const mayBeNotification = kind === 'graylog' || (kind === 'any' && bytes.includes('"event_definition_id"'));
  if (!mayBeNotification && kind !== 'cloudevent') return undefined;
  const value = bytes.length > NOTIFICATION_MAX_BYTES ? undefined : decode(bytes);
  if (!isJsonObject(value)) return undefined;
  return kind === 'cloudevent' ? cloudEventKey(value) : notificationKey(value);
}

/** Stands for a body that its content key names. */
export function keyHash(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

function decode(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // Reading it will say so.
    return undefined;
  }
}

const expected: Readonly<Partial<Record<SourceKind, readonly string[]>>> = {
  graylog: ['application/json'],
  cloudevents: [...cloudEventTypes, 'application/json', 'or ce-… headers'],
};

function unsupported(kind: SourceKind, mediaType: string): AppError {
  const wanted = expected[kind] ?? [...formatByMediaType.keys(), ...cloudEventTypes];
  const sent = mediaType === '' ? 'a body without Content-Type' : mediaType.slice(0, 100);
  return new AppError('MEDIA_TYPE_UNSUPPORTED', { message: `Send ${wanted.join(', ')}, not ${sent}.` });
}
