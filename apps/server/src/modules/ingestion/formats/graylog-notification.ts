import { isTestNotification } from '@airdeck/connectors/graylog/notification-test-button';
import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { cleanRecord, cutText, TRUNCATED_FIELD } from '@airdeck/event-parsers/clean-record';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { columnOf, fillFromGraylog } from './graylog-message.ts';
import { type JsonRecord, type RecordOrigin, type RecordReader, textOf } from './record-format.ts';

/** Graylog counts upwards: 4 is critical. */
const severities = ['info', 'low', 'medium', 'high', 'critical'];
/** What stands for the title of the definition where a notification comes from none. */
const UNKNOWN = '<unknown>';
/** More messages than Graylog puts into one notification. */
const BACKLOG_MAX = 10_000;

/** Whether a record that came without a word about its format is a notification of Graylog. */
export function isGraylogNotification(record: JsonRecord): boolean {
  return typeof record.event_definition_id === 'string' && isJsonObject(record.event) && Array.isArray(record.backlog);
}

/**
 * What names a notification, so that one that is sent again is the same; undefined for a test, which may be pressed twice,
 * and for what is no notification.
 */
export function notificationKey(record: JsonRecord): string | undefined {
  const id = isJsonObject(record.event) ? textOf(record.event.id) : '';
  const isAlert = record.event_definition_id !== undefined && !isTestNotification(record);
  return id === '' || !isAlert ? undefined : `graylog ${id}`;
}

/** The alert, and one event for each message that led to it. */
export const readGraylogNotification: RecordReader = (record, origin) => {
  const { event, backlog = [] } = record;
  if (!isJsonObject(event)) return 'A Graylog notification needs an event.';
  if (!Array.isArray(backlog) || backlog.length > BACKLOG_MAX) return 'The backlog of the notification is not a list.';
  const messages = backlog.filter(isJsonObject);
  if (messages.length < backlog.length) return 'A message in the backlog is not an object.';
  return eventsOf(record, messages, origin);
};

/** One by one, so that a long backlog does not hold up others. */
function* eventsOf(
  record: JsonRecord,
  messages: readonly JsonRecord[],
  { receivedAt }: RecordOrigin,
): Generator<ParsedEvent, void> {
  // The messages are events of their own.
  const { backlog: _, ...alert } = record;
  yield alertOf(alert, messages.length, receivedAt);
  for (const message of messages) yield messageOf(message, receivedAt);
}

function alertOf(given: JsonRecord, backlogSize: number, receivedAt: number): ParsedEvent {
  const raw = JSON.stringify(given);
  const alert = cleanRecord(given, raw);
  const event = isJsonObject(alert.event) ? alert.event : {};
  const title = textOf(alert.event_definition_title);
  // Of an aggregation the groups are no fields of the alert, and often all that names whom it is about.
  const { group_by_fields: groups, fields } = event;
  const found = parseRecord(
    { ...(isJsonObject(groups) && groups), ...(isJsonObject(fields) && fields) },
    { receivedAt, raw },
  );
  const { cutBytes } = cutText(raw);
  return {
    ...found,
    ...timeOf(event.timestamp, receivedAt),
    integration: 'graylog',
    event_type: 'alert',
    severity: severityOf(event.priority),
    message: columnOf(event.message) || (title === UNKNOWN ? '' : columnOf(title)) || 'Graylog alert',
    host: found.host || columnOf(event.source),
    fields: {
      ...(cutBytes === 0 ? alert : { ...namingOf(alert), [TRUNCATED_FIELD]: cutBytes }),
      backlog_size: backlogSize,
    },
  };
}

/** All fields would be as large as the text that is too large to keep; by these an alert is recognised and answered. */
function namingOf(alert: JsonRecord): JsonRecord {
  const event = isJsonObject(alert.event) ? alert.event : {};
  const { priority } = event;
  return {
    ...columnsOf(alert, ['event_definition_id', 'event_definition_title']),
    event: {
      ...columnsOf(event, ['id', 'timestamp', 'message', 'source', 'key']),
      ...(typeof priority === 'number' && { priority }),
    },
  };
}

function columnsOf(record: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(names.map((name) => [name, columnOf(record[name])]));
}

function messageOf(given: JsonRecord, receivedAt: number): ParsedEvent {
  const raw = JSON.stringify(given);
  const message = cleanRecord(given, raw);
  const inner = isJsonObject(message.fields) ? message.fields : {};
  const { source, timestamp, message: text, id, index } = message;
  const event = parseRecord({ ...inner, timestamp, message: text }, { receivedAt, raw });
  event.fields = {
    ...event.fields,
    graylog_id: columnOf(id) || undefined,
    graylog_index: columnOf(index) || undefined,
  };
  fillFromGraylog(event, { source, level: inner.level, timestamp, message: text }, receivedAt);
  return event;
}

function severityOf(priority: unknown): string {
  return typeof priority === 'number' ? (severities[priority] ?? '') : '';
}

function timeOf(timestamp: unknown, receivedAt: number): Pick<ParsedEvent, 'time' | 'time_source'> {
  const { time, time_source } = parseRecord({ timestamp }, { receivedAt });
  return { time, time_source };
}
