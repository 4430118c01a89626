import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { cleanText, cutText } from '@airdeck/event-parsers/clean-record';
import { severityOfLevel } from './gelf-message.ts';
import { type JsonRecord, textOf } from './record-format.ts';

const COLUMN_MAX_BYTES = 8_192;

/** What only Graylog calls so: the sender is `source`, and `level` counts as syslog does. */
export function fillFromGraylog(event: ParsedEvent, { source, level }: JsonRecord): void {
  if (event.host === '') event.host = columnOf(source);
  if (event.severity === '') event.severity = severityOfLevel(level);
}

export function columnOf(value: unknown): string {
  return cutText(cleanText(textOf(value)), COLUMN_MAX_BYTES).text;
}
