import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FoundEvent, searchAnswerSchema, searchBodySchema } from '@airdeck/contracts/search/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './main.ts';
import type { Surroundings } from './surroundings.ts';

const TENANT = '0195f3a0-0000-7000-8000-00000000000a';
const NOW = Date.parse('2026-11-21T12:00:00Z');
let results: string[];
let words: string[];
let calls: { url: string; authorization: string; body: ReturnType<typeof searchBodySchema.parse> }[];
let answers: Response[];
let folder: string;

beforeEach(() => {
  results = [];
  words = [];
  calls = [];
  answers = [];
  folder = mkdtempSync(join(tmpdir(), 'airdeck-query-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function surroundings(
  env: Record<string, string> = { AIRDECK_TOKEN: 'aird_key', AIRDECK_URL: 'http://server.test' },
): Surroundings {
  return {
    env,
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      // What is sent has to be what the contract takes.
      const body = searchBodySchema.parse(JSON.parse(String(init?.body)));
      calls.push({ url: String(input), authorization: headers.get('authorization') ?? '', body });
      return answers.shift() ?? Response.error();
    },
    now: () => NOW,
    wait: async () => undefined,
    result: (line) => results.push(line),
    say: (line) => words.push(line),
    interrupted: new AbortController().signal,
  };
}

function event(parts: Partial<FoundEvent> = {}): FoundEvent {
  return {
    ...{
      id: 'e',
      time: '2026-11-21T11:59:58.000Z',
      received_at: '2026-11-21T11:59:59.000Z',
      source_id: null,
      connector_id: '',
    },
    ...{
      integration: 'sshd',
      event_type: 'authentication',
      severity: 'low',
      action: '',
      outcome: '',
      host: 'web-1',
      user: '',
    },
    ...{ src_ip: '', dst_ip: '', message: 'Failed password', fields: {}, raw: '' },
    ...parts,
  };
}

function page(events: FoundEvent[], cursor: string | null, parts: object = {}): Response {
  const answer = searchAnswerSchema.parse({
    events,
    cursor,
    total: { value: 3, relation: 'eq' },
    ...{ histogram: [], bucket_ms: 1_000, took_ms: 1, partial: false, sources: [] },
    time_range: {
      start: '2026-11-20T12:00:00.000Z',
      end: '2026-11-21T12:00:00.000Z',
      clipped: false,
      search_length_days: 30,
    },
    ...parts,
  });
  return Response.json(answer);
}

describe('airdeck query', () => {
  it('prints one event per line, page after page up to the limit', async () => {
    answers = [page([event({ id: '1' }), event({ id: '2' })], 'next'), page([event({ id: '3' })], 'more')];
    const exit = await runCommand(
      ['query', 'failed', '--tenant', TENANT, '--last', '7d', '--limit', '3', '--sort', 'oldest', '--json'],
      surroundings(),
    );
    expect(exit).toBe(0);
    expect(results.map((line) => (JSON.parse(line) as FoundEvent).id)).toEqual(['1', '2', '3']);
    expect(calls).toMatchObject([
      {
        url: `http://server.test/api/tenants/${TENANT}/search`,
        authorization: 'Bearer aird_key',
        body: { query: 'failed', limit: 3, sort: 'oldest' },
      },
      { body: { cursor: 'next', limit: 1, sort: 'oldest' } },
    ]);
    expect(calls[0]?.body.time_range.start).toBe(new Date(NOW - 7 * 86_400_000).toISOString());
    expect(words).toEqual(['3 found since 2026-11-20T12:00:00.000Z.', '3 shown; there are more.']);
  });

  it('counts what live connectors answered beside what is stored', async () => {
    const source = { connector_id: TENANT, message: '', took_ms: 1 };
    answers = [
      page([event()], null, {
        total: { value: 0, relation: 'eq' },
        sources: [
          { ...source, name: 'Graylog', state: 'answered', found: 12 },
          { ...source, name: 'Archive', state: 'not_searchable', found: 0 },
          { ...source, name: 'Branch', state: 'failed', found: 0, message: 'No answer.' },
        ],
      }),
    ];
    expect(await runCommand(['query', '', '--tenant', TENANT], surroundings())).toBe(0);
    expect(words).toEqual([
      '0 stored, 12 from Graylog since 2026-11-20T12:00:00.000Z.',
      'Branch: No answer.',
      '1 shown.',
    ]);
  });

  it('says of every page which sources failed, each once', async () => {
    const failed = { state: 'failed', found: 0, message: 'No answer.', took_ms: 1 };
    const [branch, archive] = [
      { ...failed, connector_id: TENANT, name: 'Branch' },
      { ...failed, connector_id: TENANT.replace(/a$/, 'b'), name: 'Archive' },
    ];
    const answered = { ...archive, state: 'answered', found: 2, message: '' };
    answers = [
      page([event()], 'second', { sources: [branch, answered], partial: true }),
      page([event()], 'third', { sources: [branch, archive], partial: true }),
      page([event()], null, { sources: [branch, archive], partial: true }),
    ];
    expect(await runCommand(['query', '', '--tenant', TENANT], surroundings())).toBe(0);
    expect(words).toEqual([
      '3 stored, 2 from Archive since 2026-11-20T12:00:00.000Z.',
      'Not everything was searched to the end.',
      'Branch: No answer.',
      'Archive: No answer.',
      '3 shown.',
    ]);
  });

  it('shows people a line without what a terminal would obey', async () => {
    answers = [page([event({ message: 'red \u001b[31m\nalert' })], null)];
    expect(await runCommand(['query', '', '--tenant', TENANT], surroundings())).toBe(0);
    expect(results).toEqual(['2026-11-21T11:59:58.000Z  low       sshd:authentication  web-1  red ·[31m alert']);
  });

  it('points at the place where a query is wrong', async () => {
    const details = [
      { path: 'body.query', message: 'This bracket is never closed.', start: 4, end: 5, suggestion: 'Close it.' },
    ];
    const body = { code: 'QUERY_INVALID', message: 'This bracket is never closed.', request_id: 'r', details };
    answers = [Response.json(body, { status: 400 })];
    expect(await runCommand(['query', 'a b (c', '--tenant', TENANT], surroundings())).toBe(2);
    expect(words).toEqual(['This bracket is never closed.\n  a b (c\n      ^\nClose it.']);
  });

  it('uses the key of the demo for the tenant, and says what to do without one', async () => {
    const user = { email: 'a@example.com', password: 'p', totp_secret: 's' };
    const demo = {
      url: 'http://demo.test',
      ports: { syslog_tcp: 1 },
      tenants: [],
      sources: [],
      users: [
        { ...user, role: 'ReadOnly', tenant: TENANT, api_key: 'aird_reader' },
        { ...user, role: 'Analyst', tenant: TENANT, api_key: 'aird_analyst' },
      ],
    };
    writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo));
    const env = { AIRDECK_DATA_DIR: folder };
    answers = [page([], null)];
    expect(await runCommand(['query', '*', '--tenant', TENANT], surroundings(env))).toBe(0);
    expect(calls).toMatchObject([
      { url: `http://demo.test/api/tenants/${TENANT}/search`, authorization: 'Bearer aird_analyst' },
    ]);
    expect(await runCommand(['query', '*', '--tenant', 'other', '--json'], surroundings(env))).toBe(2);
    expect(results.map((line) => (JSON.parse(line) as { error: string }).error)).toEqual(['TENANT_UNKNOWN']);
  });

  it.each([
    ['--last', 'soon'],
    ['--last', '0h'],
    ['--limit', '0'],
    ['--limit', '1e9'],
    ['--sort', 'random'],
  ])('refuses %s %s before it asks', async (option, value) => {
    expect(await runCommand(['query', '*', '--tenant', TENANT, option, value], surroundings())).toBe(2);
    expect(calls).toEqual([]);
  });
});
