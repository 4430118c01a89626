import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNames, parseLine, recogniseRecord } from '../parse-record.ts';
import { lineSamples } from './line-samples-fixture.ts';

const receivedAt = Date.parse('2026-11-21T12:00:00.000Z');

describe('formats of lines', () => {
  it.each(lineSamples.map((sample) => [sample.line, sample] as const))('%s', (line, { format, envelope, expected }) => {
    const { event, ...names } = recogniseRecord(line, { receivedAt });
    expect(names).toEqual({ format, ...(envelope === undefined ? {} : { envelope }) });
    expect(event).toMatchObject({ ...expected, raw: line });
  });

  it.each([
    ['<13>app: Nov 21 10:00:00 web-1 started', { host: 'web-1', message: 'started', time_source: 'event' }],
    ['<13>app: Nov 21 10:00:00 %d entries: done', { host: '' }],
    ['<13>12: app: Nov 21 10:00:00 web-1 started', { host: '', time_source: 'received' }],
  ])('takes a word before the time for the host only where Cisco writes it: %s', (line, expected) => {
    expect(parseLine(line, { receivedAt })).toMatchObject(expected);
  });

  it('decodes what the audit system writes in hexadecimal digits, and only that', () => {
    const line = 'type=EXECVE msg=audit(1795255200.250:8): argc=2 a0="ls" a1=2D6C20782F';
    expect(parseLine(line, { receivedAt }).fields).toMatchObject({ argc: '2', a0: 'ls', a1: '-l x/' });
    const call = 'type=SYSCALL msg=audit(1795255200.250:8): arch=c000003e a0=5566 success=no';
    expect(parseLine(call, { receivedAt })).toMatchObject({ outcome: 'failure', fields: { a0: '5566' } });
  });

  it('takes keys of objects for keys like any other', () => {
    for (const line of ['__proto__=1 constructor=2 toString=3', 'CEF:0|a|b|c|d|e|1|__proto__=1 constructor=2']) {
      const { fields } = parseLine(line, { receivedAt });
      expect(Object.keys(fields)).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
      expect(({} as Record<string, unknown>).constructor).toBe(Object);
    }
    expect(parseLine('1,2026/11/21 10:00:00,1,constructor,x,1,2026', { receivedAt }).integration).toBe('generic');
  });

  it('asks the hinted format first, behind a header too, and the others when it declines', () => {
    const line = '<13>Nov 21 10:00:00 h app: a=1 b=2 c={}';
    expect(recogniseRecord(line, { receivedAt, hint: 'key_value' }).format).toBe('key_value');
    expect(recogniseRecord('%ASA-6-302010: 1 in use', { receivedAt, hint: 'cef' }).format).toBe('cisco_asa');
    expect(formatNames).toContain('cef');
    expect(new Set(formatNames).size).toBe(formatNames.length);
  });

  it('has every format in the document about them', () => {
    const document = readFileSync(resolve(import.meta.dirname, '../../../../docs/events.md'), 'utf8');
    const named = formatNames.filter((name) => !['rfc3164', 'rfc5424'].includes(name));
    expect(named.filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  });

  describe('of PAN-OS with a high resolution timestamp', () => {
    const session =
      '203.0.113.9,192.0.2.4,0.0.0.0,0.0.0.0,out,,,web,vsys1,in,out,e1,e2,fwd,,7,1,55,80,0,0,0x0,tcp,alert';
    const url = (misc: string) =>
      `1,2026/11/21 11:00:01,001,THREAT,url,10,2026/11/21 11:00:00,${session},"${misc}",(9999),any,informational,client-to-server,8,0x0,US,DE,,,0,,,0,agent,,,,,,,0,0,0,0,0,,fw-1,,,,get,0,,0,,N/A,any,apps`;
    const timeOf = (misc: string, ...late: string[]) =>
      new Date(parseLine([url(misc), ...late].join(','), { receivedAt }).time).toISOString();

    it.each([
      ['the zone it names', 'a', ['', '2026-11-21T11:00:01.250+01:00', ''], '2026-11-21T10:00:01.250Z'],
      ['the zone it names, also UTC', 'a', ['2026-11-21T11:00:00Z'], '2026-11-21T11:00:00.000Z'],
      // What follows was sent by somebody, or was never set.
      ['no zone from a URL', '2026-11-21T11:00:01.250+14:00', ['', ''], '2026-11-21T11:00:00.000Z'],
      ['no zone from another clock', 'a', ['2026-11-21T02:00:01+01:00'], '2026-11-21T11:00:00.000Z'],
      ['no zone from a clock that was never set', 'a', ['1969-12-31T16:00:00.000-08:00'], '2026-11-21T11:00:00.000Z'],
      [
        'no zone where two are named',
        'a',
        ['2026-11-21T11:00:00+14:00', '2026-11-21T11:00:01.250+01:00'],
        '2026-11-21T11:00:00.000Z',
      ],
      ['no zone from a time without', 'a', ['2026-11-21T11:00:01.250'], '2026-11-21T11:00:00.000Z'],
    ])('take %s', (_name, misc, late, expected) => {
      expect(timeOf(misc, ...late)).toBe(expected);
    });

    it('keep a time that has its zone by itself', () => {
      const line = url('a').replaceAll(/2026.11.21 (11:00:0\d)/g, '2026-11-21T$1.000000Z');
      expect(parseLine(`${line},2026-11-21T11:00:00+14:00`, { receivedAt }).time).toBe(Date.UTC(2026, 10, 21, 11));
    });
  });

  it('takes prose for what it is', () => {
    for (const line of [
      'the value x=1 was wrong, and y=2 too',
      '100% of users-1-A: fine',
      'a, b, c, d, e',
      '[info] started',
      'CEF: is a format',
      '# a comment',
      '1.5 2 3',
    ]) {
      expect(recogniseRecord(line, { receivedAt }).format, line).toBe('raw');
    }
  });
});

describe('damaged lines of every format', () => {
  const sampleLine = fc.constantFrom(...lineSamples.map(({ line }) => line));
  const damaged = fc
    .tuple(sampleLine, fc.nat(400), fc.nat(400), fc.string({ unit: 'binary', maxLength: 4 }), sampleLine)
    .map(([line, from, length, put, other]) =>
      length % 5 === 0 ? line.slice(0, from) + other : line.slice(0, from) + put + line.slice(from + (length % 20)),
    );

  it('are kept, never throw and have a time', () => {
    fc.assert(
      fc.property(damaged, (line) => {
        const event = parseLine(line, { receivedAt });
        expect(event.raw).toBe(line.replaceAll('\0', ''));
        expect(event.fields).not.toHaveProperty('parser_error');
        expect(Number.isSafeInteger(event.time)).toBe(true);
        for (const column of ['integration', 'event_type'] as const)
          expect(event[column]).toMatch(/^[a-z0-9_-]{1,100}$/);
        for (const column of ['message', 'host', 'user', 'src_ip', 'dst_ip', 'action', 'outcome', 'severity'] as const)
          expect(typeof event[column]).toBe('string');
      }),
      { numRuns: 3_000 },
    );
  });

  const pieces = [
    '=',
    ' ',
    'a=',
    '"',
    '\\',
    ',',
    '|',
    '\t',
    '[',
    ': ',
    'CEF:0|',
    'IN=',
    'x y ',
    '0.0.0.0',
    '{',
    'TTY=',
  ];
  it.each(lineSamples.map(({ line }) => [line] as const))(
    'stays linear behind the start of %s',
    (line) => {
      for (const piece of pieces) {
        const long = line.slice(0, line.length >> 1) + piece.repeat(Math.ceil(100_000 / piece.length));
        expect(parseLine(long, { receivedAt }).raw).toBe(long);
      }
    },
    20_000,
  );
});
