import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanValue, MAX_DEPTH, TRUNCATED_FIELD } from './clean-record.ts';
import { parseLine, parseRecord, recogniseRecord } from './parse-record.ts';

const receivedAt = Date.parse('2026-11-21T12:00:00.000Z');
const parse = (record: string | Record<string, unknown>) => parseRecord(record, { receivedAt });

describe('lines no parser takes', () => {
  it.each(['plain words', '<999>PRI beyond the range', '{"broken":', '[1, 2]', '<34', '', '"text"'])(
    'keeps %j raw',
    (line) => {
      const event = parse(line);
      expect(event).toMatchObject({
        integration: 'generic',
        event_type: 'log',
        raw: line,
        message: line,
        time: receivedAt,
        time_source: 'received',
      });
    },
  );

  it('removes NULs, which no store takes', () => {
    expect(parse('a\0b')).toMatchObject({ raw: 'ab', message: 'ab' });
    expect(parse('{"user":"a\\u0000b","x":["\\u0000"]}')).toMatchObject({
      user: 'ab',
      fields: { user: 'ab', x: [''] },
    });
  });

  it('replaces halves of surrogate pairs, which are no text', () => {
    expect(parse('{"user":"\\ud800x","emoji":"\\ud83d\\ude00"}').fields).toEqual({ user: '\uFFFDx', emoji: '😀' });
    expect(parse('{"user":"\ud800x"}')).toMatchObject({ user: '\uFFFDx', raw: '{"user":"\uFFFDx"}' });
    expect(parse('half \ud83d')).toMatchObject({ message: 'half \uFFFD', raw: 'half \uFFFD' });
  });

  it('keeps no half of a pair that a pattern cut in two', () => {
    const reason = `${'x'.repeat(198)}${'\u{1f600}'.repeat(80)}`;
    for (const at of ['', 'y']) {
      const line = `%ASA-6-113005: AAA user authentication Rejected : reason = ${at}${reason} : server = 192.0.2.1 : user = bo : user IP = 192.0.2.9`;
      for (const record of [line, `<166>Nov 21 11:59:00 fw ${line}`, { message: line }]) {
        const { fields } = parseRecord(record, { receivedAt });
        expect(JSON.stringify(fields)).not.toMatch(/\\ud[89a-f]/);
      }
    }
  });

  const cutOff = '{"eventName":"cut off \\ud83d","ipAddress":"192.0.2.1","nul":"\\u0000"}';
  it.each<[string, string | Record<string, unknown>]>([
    ['behind a syslog header', `<34>Nov 21 11:59:00 h app: {"user":"cut off \\ud83d","\\udc00":["\\u0000"]}`],
    ['behind RFC 5424', `<34>1 2026-11-21T11:59:00Z h app - - - @cee: {"message":"\\ud83d"}`],
    ['as the text of a CloudTrail record', { CloudTrailEvent: cutOff, EventId: '1' }],
    ['as text of Entra ID', { category: 'AuditLogs', InitiatedBy: '{"user":{"userPrincipalName":"\\ud83d"}}' }],
    [
      'as entities of an alert',
      {
        Type: 'SecurityAlert',
        AlertName: 'a',
        SystemAlertId: '1',
        Entities: '[{"Type":"host","HostName":"\\ud83d"},{"Type":"account","Name":"\\udc00"}]',
      },
    ],
  ])('keeps out what no store takes of JSON %s', (_name, record) => {
    const event = parse(record);
    expect(event.integration).not.toBe('generic');
    expect(event).toEqual(cleanValue(event));
  });

  it('cuts a line at 256 kB between characters and says how much is missing', () => {
    const event = parse('é'.repeat(200_000));
    expect(Buffer.byteLength(event.raw)).toBe(262_144);
    expect(event.fields[TRUNCATED_FIELD]).toBe(400_000 - 262_144);
  });

  it('keeps the columns of a JSON record that is too large, long texts cut, and of its other fields as many as fit', () => {
    const parts = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`part${at}`, 'y'.repeat(7_000)]));
    const list = Array.from({ length: 20_000 }, (_, at) => at);
    const event = parse(JSON.stringify({ user: 'ana', rule: { id: 5 }, blob: 'x'.repeat(100_000), list, ...parts }));
    expect(event.user).toBe('ana');
    expect(event.fields).toMatchObject({ user: 'ana', rule: { id: 5 }, part0: 'y'.repeat(7_000) });
    expect(event.fields[TRUNCATED_FIELD]).toBeGreaterThan(0);
    expect(event.fields).not.toHaveProperty('list');
    expect(Buffer.byteLength(JSON.stringify(event.fields))).toBeLessThan(70_000);
    const { blob } = parse(JSON.stringify({ user: 'ana', blob: 'x'.repeat(300_000) })).fields;
    expect(blob).toBe('x'.repeat(8_192));
  });

  it('keeps numbers exact that are longer than a number can hold', () => {
    const flow = { flow_id: '1818937287654321987', src_port: 22 };
    expect(parse('{"flow_id":1818937287654321987,"src_port":22}').fields).toMatchObject(flow);
  });

  it('takes JSON nested beyond the limit as text', () => {
    const depth = MAX_DEPTH + 10;
    const text = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    expect(parse(text)).toMatchObject({ integration: 'generic', raw: text, fields: {} });
  });
});

describe('anything at all', () => {
  it('never throws and keeps the text, NULs aside', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '<34>',
        '<34>1 ',
        'Feb 22 16:45:20 ',
        'host ',
        'sshd[1]: ',
        'Failed password for ',
        ' from 192.0.2.1 port 1 ssh2',
        'devid=x type=y logid=1 ',
        '[a b="',
        '"]',
        '{"a":',
        '}',
        '- - - - ',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const line = pieces.join('');
        expect(parseLine(line, { receivedAt }).raw).toBe(line.replaceAll('\0', ''));
      }),
      { numRuns: 2_000 },
    );
  });

  it('never throws on any JSON, and leaves the record as it was', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.oneof(
            fc.string(),
            fc.constantFrom(
              'EventID',
              'Channel',
              'eventType',
              'published',
              'actor',
              'integration',
              'event_type',
              'fields',
              'time',
              'user',
              '__proto__',
              ...[
                'eventSource',
                'eventName',
                'detail',
                'detail-type',
                'CloudTrailEvent',
                'service',
                'resource',
                'type',
              ],
              ...['Operation', 'RecordType', 'Workload', 'ts', '@stream', 'id.orig_h', 'composite_id', 'cid', 'device'],
              ...['evidence', '@odata.type', 'serviceSource', 'properties', 'category', 'status', 'userPrincipalName'],
              ...['Entities', 'AlertName', 'SystemAlertId', 'SyslogMessage', 'ProcessName', 'MESSAGE', '_HOSTNAME'],
            ),
          ),
          fc.jsonValue(),
        ),
        (record) => {
          const before = JSON.stringify(record);
          const event = parseRecord(record, { receivedAt, raw: before });
          expect(JSON.stringify(record)).toBe(before);
          expect(Number.isFinite(event.time)).toBe(true);
          for (const column of [
            'message',
            'host',
            'user',
            'src_ip',
            'dst_ip',
            'action',
            'outcome',
            'severity',
          ] as const)
            expect(typeof event[column]).toBe('string');
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['many keys without a space', 'a="x"'.repeat(40_000)],
    ['a sign-in that never ends', `<34>Feb 22 16:45:20 h sshd[1]: Failed password for ${' from'.repeat(40_000)}`],
    ['structured data that never closes', `<34>1 - - - - - [a ${'b="c" '.repeat(30_000)}`],
    ['spaces', `<34>${' '.repeat(200_000)}`],
  ])(
    'stays linear on %s',
    (_name, line) => {
      expect(parseLine(line, { receivedAt }).raw).toBe(line);
    },
    2_000,
  );
});

const sample = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data', 'events');
const readSample = (name: string): string[] | undefined => {
  try {
    return readFileSync(resolve(sample, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  } catch {
    return undefined;
  }
};

describe('published samples', () => {
  const sshd = readSample('linux/sshd_bruteforce.log');
  it.skipIf(sshd === undefined)(
    'counts the guesses of a real password-guessing run once each, with their spacing',
    () => {
      const events = (sshd ?? []).map((line) => parseLine(line, { receivedAt }));
      const failures = events.filter(
        (e) => e.integration === 'sshd' && e.action === 'login' && e.outcome === 'failure',
      );
      const of = (address: string) => failures.filter((e) => e.src_ip === address);
      expect([failures.length, of('202.109.143.106').length, of('116.31.116.27').length]).toEqual([16, 13, 3]);
      expect(events.filter((e) => e.action === 'login' && e.outcome === 'success')).toHaveLength(1);
      const times = of('202.109.143.106').map((e) => e.time);
      expect(Math.max(...times) - Math.min(...times)).toBe(46_000);
      expect(new Set(events.map((e) => e.time_source))).toEqual(new Set(['event']));
    },
  );

  const windows = readSample('windows/cmd_lsass_memory_dumpert_syscalls.ndjson');
  it.skipIf(windows === undefined)('fills time and host of recorded Windows and Sysmon events', () => {
    for (const line of windows ?? []) {
      const { format, event } = recogniseRecord(line, { receivedAt });
      expect(format).toBe('windows');
      expect(event.time_source).toBe('event');
      expect(event.host).not.toBe('');
    }
  });
});
