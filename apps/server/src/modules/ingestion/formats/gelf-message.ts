import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { fillFromGraylog } from './graylog-message.ts';
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
  const { host: source, level, timestamp, short_message: short, message: other } = record;
  const message = [short, other].find(isText);
  if (message === undefined) return 'A GELF message needs short_message.';
  const event = parseRecord(withoutUnderscores(record), { receivedAt, raw });
  fillFromGraylog(event, { source, level, timestamp, message }, receivedAt);
  return [event];
};

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
