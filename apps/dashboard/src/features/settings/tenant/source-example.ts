import type { EventSource, SourceKind } from '@airdeck/contracts/sources/schema';

export const sourceKindWords: Readonly<Record<SourceKind, { label: string; text: string }>> = {
  webhook: { label: 'Webhook', text: 'A tool that posts JSON, such as Graylog notifications or CloudEvents.' },
  ndjson: { label: 'NDJSON', text: 'A program or shipper that posts one JSON record per line.' },
  gelf: { label: 'GELF', text: 'A sender of Graylog’s extended log format, over HTTP.' },
  syslog: { label: 'Syslog', text: 'A device or daemon that sends RFC 5424 lines over TCP.' },
};

/** A line for a shell that sends one event, so that one sees at once whether it arrives. */
export function exampleOf({ kind, url }: Pick<EventSource, 'kind' | 'url'>, token: string): string {
  const syslog = /^syslog\+tcp:\/\/(\[[^\]]+\]|[^:/]+):(\d+)/.exec(url);
  if (syslog !== null) {
    const host = (syslog[1] ?? '').replace(/^\[|\]$/g, '');
    const line = `<134>1 - test airdeck - - [airdeck@32473 token="${token}"] It works`;
    return `printf '%s\\n' ${quoted(line)} | nc -w 1 ${host} ${syslog[2]}`;
  }
  const { type, body } = bodies[kind];
  return [
    `curl -X POST ${quoted(url)}`,
    `-H ${quoted(`Authorization: Bearer ${token}`)}`,
    `-H ${quoted(`Content-Type: ${type}`)}`,
    `--data-binary ${quoted(body)}`,
  ].join(' ');
}

const bodies: Readonly<Record<SourceKind, { type: string; body: string }>> = {
  webhook: { type: 'application/json', body: '[{"message":"It works","host":"test"}]' },
  ndjson: { type: 'application/x-ndjson', body: '{"message":"It works","host":"test"}' },
  gelf: { type: 'application/json', body: '[{"version":"1.1","host":"test","short_message":"It works"}]' },
  syslog: { type: 'application/x-ndjson', body: '{"message":"It works","host":"test"}' },
};

/** For a POSIX shell; nothing inside is read as anything else. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
