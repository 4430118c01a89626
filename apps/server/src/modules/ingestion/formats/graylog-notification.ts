import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { isRecord, type JsonRecord, type RecordOrigin, type RecordReader, textOf } from './record-format.ts';

/** Graylog counts upwards: 4 is critical. */
const severities = ['info', 'low', 'medium', 'high', 'critical'];
/** What a notification holds in place of a definition when somebody presses its test button. */
const UNKNOWN = '<unknown>';
/** More messages than Graylog puts into one notification. */
const BACKLOG_MAX = 10_000;

/** Whether a record that came without a word about its format is a notification of Graylog. */
export function isGraylogNotification(record: JsonRecord): boolean {
  return typeof record.event_definition_id === 'string' && isRecord(record.event) && Array.isArray(record.backlog);
}

/**
 * What names a notification, so that one that is sent again is the same; undefined for a test, which may be pressed twice,
 * and for what is no notification.
 */
export function notificationKey(record: JsonRecord): string | undefined {
  const id = isRecord(record.event) ? textOf(record.event.id) : '';
  const isTest = record.event_definition_id === UNKNOWN || record.event_definition_id === undefined;
  return id === '' || isTest ? undefined : `graylog ${id}`;
}

/** The alert, and one event for each message that led to it. */
export const readGraylogNotification: RecordReader = (record, origin) => {
  const { event, backlog = [] } = record;
  if (!isRecord(event)) return 'A Graylog notification needs an event.';
  if (!Array.isArray(backlog) || backlog.length > BACKLOG_MAX) return 'The backlog of the notification is not a list.';
  const messages = backlog.filter(isRecord);
  if (messages.length < backlog.length) return 'A message in the backlog is not an object.';
  return eventsOf(record, { event, messages, origin });
};

type Parts = { event: JsonRecord; messages: readonly JsonRecord[]; origin: RecordOrigin };

/** One by one, so that a long backlog does not hold up others. */
function* eventsOf(record: JsonRecord, { event, messages, origin }: Parts): Generator<ParsedEvent, void> {
  yield alertOf(record, event, origin);
  for (const message of messages) yield messageOf(message, origin.receivedAt);
}

function alertOf(record: JsonRecord, event: JsonRecord, { receivedAt }: RecordOrigin): ParsedEvent {
  // The messages are events of their own.
  const { backlog, ...alert } = record;
  const title = textOf(record.event_definition_title);
  const fields = isRecord(event.fields) ? event.fields : {};
  const raw = JSON.stringify(alert);
  const found = parseRecord(fields, { receivedAt, raw });
  return {
    ...found,
    ...timeOf(event.timestamp, receivedAt),
    integration: 'graylog',
    event_type: 'alert',
    severity: severityOf(event.priority),
    message: textOf(event.message) || (title === UNKNOWN ? '' : title) || 'Graylog alert',
    host: found.host || textOf(event.source),
    fields: { ...alert, backlog_size: Array.isArray(backlog) ? backlog.length : 0 },
  };
}

function messageOf(message: JsonRecord, receivedAt: number): ParsedEvent {
  const inner = isRecord(message.fields) ? message.fields : {};
  const { source, timestamp, message: text } = message;
  const event = parseRecord({ ...inner, timestamp, message: text }, { receivedAt, raw: JSON.stringify(message) });
  event.fields = { ...event.fields, graylog_id: message.id, graylog_index: message.index };
  if (event.host === '') event.host = textOf(source);
  return event;
}

function severityOf(priority: unknown): string {
  return typeof priority === 'number' ? (severities[priority] ?? '') : '';
}

function timeOf(timestamp: unknown, receivedAt: number): Pick<ParsedEvent, 'time' | 'time_source'> {
  const { time, time_source } = parseRecord({ timestamp }, { receivedAt });
  return { time, time_source };
}
