import type { EventSource, SourceKind } from '@airdeck/contracts/sources/schema';

export const sourceKindWords: Readonly<Record<SourceKind, { label: string; text: string }>> = {
  syslog: { label: 'Syslog', text: 'Firewalls, servers and appliances that write syslog over TCP.' },
  webhook: { label: 'Webhook', text: 'Services that call an address with JSON when something happens.' },
  gelf: { label: 'GELF', text: 'Graylog and whatever else writes its format, over HTTP.' },
  ndjson: { label: 'NDJSON', text: 'Log shippers such as Vector or Fluent Bit, one JSON object a line.' },
};

/** Stands where the token goes, once it can no longer be shown. */
export const TOKEN_PLACE = 'src_…';

const sample: Readonly<Record<Exclude<SourceKind, 'syslog'>, { type: string; body: string }>> = {
  webhook: { type: 'application/json', body: '{"message":"First event"}' },
  gelf: {
    type: 'application/json',
    body: '{"version":"1.1","host":"set-up","short_message":"First event","level":6}',
  },
  ndjson: { type: 'application/x-ndjson', body: '{"message":"First event"}' },
};

/** A line for a shell that sends one event to the source. */
export function firstEventCommand({ kind, url }: Pick<EventSource, 'kind' | 'url'>, token: string): string {
  const door = URL.canParse(url) ? new URL(url) : undefined;
  if (kind === 'syslog' && door?.protocol === 'syslog+tcp:') {
    const address = `--server ${quoted(door.hostname.replace(/^\[|\]$/g, ''))} --port ${door.port || '514'}`;
    const data = `--sd-id airdeck@32473 --sd-param ${quoted(`token="${token}"`)}`;
    return `logger ${address} --tcp --octet-count --rfc5424 ${data} 'First event'`;
  }
  const { type, body } = sample[kind === 'syslog' ? 'ndjson' : kind];
  return `curl ${quoted(url)} -H ${quoted(`authorization: Bearer ${token}`)} -H ${quoted(`content-type: ${type}`)} --data-binary ${quoted(body)}`;
}

/** For a shell: nothing inside single quotes means anything. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
