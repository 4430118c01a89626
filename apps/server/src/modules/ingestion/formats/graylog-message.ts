import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { setTime } from '@airdeck/event-parsers/blank-event';
import { cleanText, cutText } from '@airdeck/event-parsers/clean-record';
import { syslogSeverityOf } from '@airdeck/event-parsers/column-values';
import { readTime } from '@airdeck/event-parsers/event-time';
import { type JsonRecord, textOf } from './record-format.ts';

const COLUMN_MAX_BYTES = 8_192;

/**
 * What Graylog says of any message, where the fields in it leave it open: a vendor's format reads its own names alone. The
 * sender is `source`, and `level` counts as syslog does.
 */
export function fillFromGraylog(event: ParsedEvent, said: JsonRecord, receivedAt: number): void {
  const { source, level, timestamp, message } = said;
  if (event.time_source !== 'event') setTime(event, readTime(timestamp), { receivedAt, raw: event.raw });
  if (event.host === '') event.host = columnOf(source);
  if (event.severity === '') event.severity = severityOfLevel(level);
  if (event.message === '') event.message = columnOf(message);
}

/** By the scale of syslog, also written as text. */
function severityOfLevel(level: unknown): ParsedEvent['severity'] {
  const number = typeof level === 'string' && /^\d$/.test(level) ? Number(level) : level;
  return typeof number === 'number' ? syslogSeverityOf(number) : '';
}

export function columnOf(value: unknown): string {
  return cutText(cleanText(textOf(value)), COLUMN_MAX_BYTES).text;
}
