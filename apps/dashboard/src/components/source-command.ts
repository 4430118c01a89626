import type { EventSource, SourceKind } from '@airdeck/contracts/sources/schema';
import { t } from '../language/translate.ts';

export const sourceKindWords: Readonly<Record<SourceKind, { label: string; text: string }>> = {
  syslog: { label: t('Syslog'), text: t('Firewalls, servers and appliances that write syslog, over TCP or UDP.') },
  ndjson: {
    label: t('Log shipper'),
    text: t('Vector, Fluent Bit and others that send one JSON object a line, or plain lines.'),
  },
  graylog: {
    label: t('Graylog alerts'),
    text: t('HTTP notifications of Graylog: the alert, and each message that led to it.'),
  },
  gelf: { label: t('GELF'), text: t('Programs that write the log format of Graylog, over HTTP.') },
  webhook: { label: t('Webhook'), text: t('Services that call an address with JSON when something happens.') },
  cloudevents: { label: t('CloudEvents'), text: t('Event brokers and functions that speak CloudEvents 1.0.') },
};

/** Stands where the token goes, once it can no longer be shown. */
export const TOKEN_PLACE = 'src_…';

/** What a shell puts in at the time, to the nanosecond where its `date` knows that. */
const NOW = '$(date +%s%N)';
const FRESH_ID = '{id}';

const sample: Readonly<Record<Exclude<SourceKind, 'syslog'>, { type: string; body: string }>> = {
  webhook: { type: 'application/json', body: '{"message":"First event"}' },
  gelf: {
    type: 'application/json',
    body: '{"version":"1.1","host":"set-up","short_message":"First event","level":6}',
  },
  ndjson: { type: 'application/x-ndjson', body: '{"message":"First event"}' },
  graylog: {
    type: 'application/json',
    body: '{"event_definition_title":"Set-up","event":{"message":"First event","priority":1},"backlog":[]}',
  },
  cloudevents: {
    type: 'application/cloudevents+json',
    body: `{"specversion":"1.0","id":"${FRESH_ID}","source":"/set-up","type":"com.example.first","data":{"message":"First event"}}`,
  },
};

/** Where a syslog source's lines go; undefined where the door is closed and the address is that of HTTP. */
export function syslogDoorOf({
  kind,
  url,
}: Pick<EventSource, 'kind' | 'url'>): { host: string; port: string } | undefined {
  const door = kind === 'syslog' && URL.canParse(url) ? new URL(url) : undefined;
  if (door?.protocol !== 'syslog+tcp:') return undefined;
  return { host: door.hostname.replace(/^\[|\]$/g, ''), port: door.port || '514' };
}

/**
 * A line for a shell that sends one event to the source: another one each time, as an equal body would be taken for a
 * repetition for ten minutes. A CloudEvent says by itself which it is, everything else is sent with a key.
 */
export function firstEventCommand(source: Pick<EventSource, 'kind' | 'url'>, token: string): string {
  const { kind, url } = source;
  const door = syslogDoorOf(source);
  if (door !== undefined) {
    const address = `--server ${quoted(door.host)} --port ${door.port}`;
    const data = `--sd-id airdeck@32473 --sd-param ${quoted(`token="${token}"`)}`;
    return `logger ${address} --tcp --octet-count --rfc5424 ${data} 'First event'`;
  }
  const { type, body } = sample[kind === 'syslog' ? 'ndjson' : kind];
  const key = body.includes(FRESH_ID) ? [] : [`-H "idempotency-key: ${NOW}"`];
  const headers = [`authorization: Bearer ${token}`, `content-type: ${type}`].map((header) => `-H ${quoted(header)}`);
  const data = quoted(body).replace(FRESH_ID, () => `'"${NOW}"'`);
  return ['curl', quoted(url), ...headers, ...key, '--data-binary', data].join(' ');
}

/** For a shell: nothing inside single quotes means anything. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
