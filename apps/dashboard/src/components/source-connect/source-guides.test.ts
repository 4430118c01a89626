import { type SourceKind, sourceKinds } from '@airdeck/contracts/sources/schema';
import { parse as parseToml } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { guidesFor } from './source-guides.ts';

const http = 'https://air.example/api/t/event/ingest/s';
const syslog = 'syslog+tcp://air.example:5514';
const id = '01920000-0000-7000-8000-000000000401';
const urlOf = (kind: SourceKind) => (kind === 'syslog' ? syslog : http);

test.each(sourceKinds)(
  'a source of kind %s shows how to send to it, with its token in every guide that can carry one',
  (kind) => {
    const guides = guidesFor({ id, kind, url: urlOf(kind) }, 'src_secret');
    expect(guides.length).toBeGreaterThan(0);
    for (const { id: guideId, pieces, steps } of guides) {
      expect(steps.length).toBeGreaterThan(0);
      const text = pieces.map((piece) => piece.text).join('\n');
      expect(text).toContain(guideId === 'appliance' ? id : 'src_secret');
    }
  },
);

describe('what is pasted', () => {
  const textOf = (kind: SourceKind, guideId: string, url = urlOf(kind)) =>
    guidesFor({ id, kind, url }, 'src_x')
      .find((guide) => guide.id === guideId)
      ?.pieces.map(({ text }) => text)
      .join('\n');

  test('names host and port of the syslog door, and carries the token as structured data', () => {
    expect(textOf('syslog', 'rsyslog')).toContain('target="air.example" port="5514" protocol="tcp"');
    expect(textOf('syslog', 'rsyslog')).toContain('[airdeck@32473 token=\\"src_x\\"]');
  });

  test('says nothing of rsyslog where the syslog door is closed, but how to send over HTTP', () => {
    expect(guidesFor({ id, kind: 'syslog', url: http }, 'src_x').map((guide) => guide.id)).toEqual(['shell']);
    expect(textOf('syslog', 'shell', http)).toContain('curl');
  });

  test.each([
    ['ndjson', 'json'],
    ['gelf', 'gelf'],
  ] as const)('is for Vector, of a source of kind %s, TOML with one sink that sends there', (kind, codec) => {
    expect(parseToml(textOf(kind, 'vector') ?? '')).toEqual({
      sinks: {
        airdeck: {
          type: 'http',
          inputs: ['*'],
          uri: http,
          compression: 'zstd',
          encoding: { codec },
          framing: { method: 'newline_delimited' },
          auth: { strategy: 'bearer', token: 'src_x' },
          request: { headers: { 'Content-Type': 'application/x-ndjson' } },
        },
      },
    });
  });

  test.each([
    [http, { Host: 'air.example', Port: '443', URI: '/api/t/event/ingest/s', tls: 'On' }],
    ['http://10.0.0.1:4000/api/t', { Host: '10.0.0.1', Port: '4000', URI: '/api/t', tls: 'Off' }],
    ['http://[2001:db8::1]:4000/a', { Host: '2001:db8::1', Port: '4000', URI: '/a', tls: 'Off' }],
  ])('is for Fluent Bit a section with %s taken apart', (url, place) => {
    expect(fluentBitSections(textOf('ndjson', 'fluent-bit', url) ?? '')).toEqual([
      {
        name: 'OUTPUT',
        values: {
          ...{ Name: 'http', Match: '*', ...place, Format: 'json_lines', Compress: 'gzip' },
          ...{ Json_date_key: 'time', Json_date_format: 'iso8601', Header: 'Authorization Bearer src_x' },
        },
      },
    ]);
  });

  test('is for Graylog an address and a header that HTTP takes', () => {
    const pieces = guidesFor({ id, kind: 'graylog', url: http }, 'src_x').find(
      (guide) => guide.id === 'graylog',
    )?.pieces;
    const [url = '', name = '', secret = ''] = pieces?.map(({ text }) => text) ?? [];
    const sent = new Request(url, { headers: { [name]: secret } });
    expect([sent.url, sent.headers.get('authorization')]).toEqual([http, 'Bearer src_x']);
  });
});

/** As Fluent Bit reads its classic form: sections in brackets, under each an indented name and its value on a line. */
function fluentBitSections(text: string): { name: string; values: Record<string, string> }[] {
  const sections: { name: string; values: Record<string, string> }[] = [];
  for (const line of text.trimEnd().split('\n')) {
    const section = /^\[(\w+)\]$/.exec(line)?.[1];
    const [, name = '', value = ''] = /^ {4}(\w+) +(\S.*)$/.exec(line) ?? [];
    if (section !== undefined) sections.push({ name: section, values: {} });
    else if (name === '' || Object.hasOwn(sections.at(-1)?.values ?? {}, name)) throw new Error(`Not a value: ${line}`);
    else Object.assign(sections.at(-1)?.values ?? {}, { [name]: value });
  }
  return sections;
}
