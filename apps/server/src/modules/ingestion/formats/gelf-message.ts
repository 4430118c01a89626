import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { syslogSeverityOf } from '@airdeck/event-parsers/column-values';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import type { JsonRecord, RecordReader } from './record-format.ts';

const VERSIONS: readonly unknown[] = ['1.0', '1.1'];

/** Whether a record that came without a word about its format is a GELF message. */
export function isGelf(record: JsonRecord): boolean {
  return (
    VERSIONS.includes(record.version) && typeof record.short_message === 'string' && typeof record.host === 'string'
  );
}

/**
 * One GELF message. Additional fields lose their underscore, as Graylog shows them; levels are those of syslog. Without a
 * text there is nothing to show, so such a message is refused; everything else is taken as it is.
 */
export const readGelf: RecordReader = (record, { receivedAt, raw }) => {
  if (!isText(record.short_message) && !isText(record.message)) return 'A GELF message needs short_message.';
  const event = parseRecord(withoutUnderscores(record), { receivedAt, raw });
  const { level } = record;
  if (event.severity === '') event.severity = severityOfLevel(level);
  return [event];
};

/** By the scale of syslog, also written as text. */
export function severityOfLevel(level: unknown): ParsedEvent['severity'] {
  const number = typeof level === 'string' && /^\d$/.test(level) ? Number(level) : level;
  return typeof number === 'number' ? syslogSeverityOf(number) : '';
}

function withoutUnderscores(record: JsonRecord): JsonRecord {
  const plain: [string, unknown][] = Object.entries(record).map(([key, value]) => {
    const bare = key.length > 1 && key.startsWith('_') ? key.slice(1) : key;
    return [bare === key || Object.hasOwn(record, bare) ? key : bare, value];
  });
  return Object.fromEntries(plain);
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
