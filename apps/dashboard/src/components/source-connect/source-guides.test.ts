// @vitest-environment node
import { type SourceKind, sourceKinds } from '@airdeck/contracts/sources/schema';
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
    [http, ['Host              air.example', 'Port              443', 'tls               On']],
    ['http://10.0.0.1:4000/api/t', ['Host              10.0.0.1', 'Port              4000', 'tls               Off']],
    ['http://[2001:db8::1]:4000/a', ['Host              2001:db8::1', 'Port              4000']],
  ])('takes %s apart for Fluent Bit', (url, lines) => {
    for (const line of lines) expect(textOf('ndjson', 'fluent-bit', url)).toContain(line);
  });
});
