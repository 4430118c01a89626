import type { ReportSchedule, SearchReport } from '@airdeck/contracts/reports/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { eventRow } from '../../storage/test-events.ts';

const MINUTE_MS = 60_000;

let server: TestServer;
let tenant: string;
let analyst: Actor;
let stranger: { tenant: string; analyst: Actor };
/** The engine works by the clock of the machine; this one runs ahead of it at most. */
let aheadMs = 0;

beforeAll(async () => {
  server = await createTestServer({ now: () => new Date(Date.now() + aheadMs) });
  tenant = await server.createTenant();
  analyst = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
  const other = await server.createTenant();
  stranger = { tenant: other, analyst: await server.createActor({ home: other, roles: { [other]: 'Analyst' } }) };
  const at = Date.now() - 10 * MINUTE_MS;
  await server.stores.events.insert([
    ...Array.from({ length: 30 }, (_, n) => eventRow({ tenant, time: at + n, message: `Ours ${n}`, user: 'root' })),
    eventRow({ tenant, time: at, message: '=cmd|calc', user: 'eve' }),
    eventRow({ tenant: other, time: at, message: 'Theirs', user: 'root' }),
  ]);
});
afterAll(() => server?.close());

function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  rest: string,
  options: { who?: Actor; payload?: object; in?: string; key?: string } = {},
) {
  const { who = analyst, payload, in: of = tenant, key } = options;
  const url = `/api/tenants/${of}${rest}`;
  const headers = { ...who.headers, ...(key === undefined ? {} : { 'idempotency-key': key }) };
  return server.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) });
}

const lastHour = () => ({
  start: new Date(Date.now() - 60 * MINUTE_MS).toISOString(),
  end: new Date(Date.now() + MINUTE_MS).toISOString(),
});

async function made(search: object = {}): Promise<SearchReport> {
  const payload = { query: '', time_range: lastHour(), name: 'Last hour', format: 'csv', ...search };
  const answer = await call('POST', '/search/export', { payload });
  expect(answer.statusCode).toBe(202);
  const { id } = answer.json<SearchReport>();
  const now = async () => (await call('GET', '/reports/air')).json<SearchReport[]>().find((one) => one.id === id);
  await expect.poll(async () => (await now())?.status).toBe('success');
  const report = await now();
  if (report === undefined) throw new Error('gone');
  return report;
}

async function linkTo(id: string): Promise<string> {
  return (await call('GET', `/reports/air/${id}`)).json<{ download_link: string }>().download_link;
}

const download = (url: string) => server.inject({ method: 'GET', url });

/** What a refusal says, without the id of its request. */
function said(answer: { statusCode: number; body: string }): string {
  return `${answer.statusCode} ${answer.body.replace(/"request_id":"[^"]*"/, '')}`;
}

describe('a search that is exported', () => {
  it('is made by a worker, listed with rows, size and who, and downloaded by a link', async () => {
    const report = await made({ query: 'user:eve' });
    expect(report).toMatchObject({
      row_count: 1,
      format: 'csv',
      created_by: analyst.email,
      query: 'user:eve',
      cut_by: null,
    });
    const answer = await download(await linkTo(report.id));
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': String(report.size_bytes),
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers['content-disposition']).toContain("filename*=UTF-8''Last%20hour.csv");
    expect(answer.body).toContain('"\'=cmd|calc"');
  });

  it('holds no event of another tenant, whatever the query says', async () => {
    const { id } = await made({ query: 'user:root OR message:Theirs', format: 'ndjson' });
    const { body } = await download(await linkTo(id));
    expect(body.trimEnd().split('\n')).toHaveLength(30);
    expect(body).not.toContain('Theirs');
  });

  it('is refused when it cannot be searched, at its place', async () => {
    const payload = { query: 'user:(', time_range: lastHour(), name: 'Broken', format: 'csv' };
    const answer = await call('POST', '/search/export', { payload });
    expect(answer.json()).toMatchObject({ code: 'QUERY_INVALID', details: [{ path: 'body.query' }] });
  });

  it.each([
    { name: '' },
    { name: 'x'.repeat(201) },
    { format: 'xlsx' },
    { query: 'x'.repeat(200_001) },
    { time_range: { start: '2026-11-21T00:00:00Z', end: '2026-11-20T00:00:00Z' } },
    // Of the year 10000 in UTC: the list of reports could not say it.
    { time_range: { start: '2026-11-20T00:00:00Z', end: '9999-12-31T23:59:59-12:00' } },
    { cursor: 'abc' },
  ])('is refused as %o', async (part) => {
    const payload = { query: '', time_range: lastHour(), name: 'Odd', format: 'csv', ...part };
    expect((await call('POST', '/search/export', { payload })).statusCode).toBe(400);
  });
});

describe('the same request again, by its Idempotency-Key', () => {
  const reports = async () => (await call('GET', '/reports/air?limit=100')).json<SearchReport[]>().length;
  const body = (part: object = {}) => ({ query: 'user:eve', name: 'Once', format: 'csv', ...part });

  it('orders one report, also when both come at once; another body is refused', async () => {
    const before = await reports();
    const key = v7();
    const payload = body({ time_range: lastHour() });
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', '/search/export', { key, payload })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202]);
    expect(new Set(answers.map((answer) => answer.json<SearchReport>().id)).size).toBe(1);
    expect(await reports()).toBe(before + 1);
    const other = await call('POST', '/search/export', { key, payload: { ...payload, format: 'ndjson' } });
    expect(other.statusCode).toBe(422);
    expect(other.json()).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await reports()).toBe(before + 1);
  });

  it('is somebody else’s own with the same key, and nothing to another tenant', async () => {
    const key = v7();
    const payload = body({ time_range: lastHour() });
    const colleague = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const [mine, theirs, foreign] = await Promise.all([
      call('POST', '/search/export', { key, payload }),
      call('POST', '/search/export', { key, payload, who: colleague }),
      call('POST', '/search/export', { key, payload, who: stranger.analyst, in: stranger.tenant }),
    ]);
    const ids = [mine, theirs, foreign].map((answer) => answer.json<SearchReport>().id);
    expect(new Set(ids).size).toBe(3);
    const there = { who: stranger.analyst, in: stranger.tenant };
    await call('DELETE', `/reports/air/${ids[2]}`, there);
  });

  it('makes a report again once, and a schedule once', async () => {
    const { id } = await made();
    const key = v7();
    const again = async () => (await call('POST', `/reports/air/${id}/run_again`, { key })).json<SearchReport>().id;
    expect(await again()).toBe(await again());
    const plan = () => call('POST', '/reports/air/schedules', { key, payload: schedule });
    const one = (await plan()).json<ReportSchedule>();
    expect((await plan()).json<ReportSchedule>().id).toBe(one.id);
    const other = await call('POST', '/reports/air/schedules', { key, payload: { ...schedule, at_minute: 1 } });
    expect(other.statusCode).toBe(422);
    await call('DELETE', `/reports/air/schedules/${one.id}`);
  });
});

describe('the link of a report', () => {
  it('ends after two minutes, and then says the same as one that never was', async () => {
    const { id } = await made();
    const link = await linkTo(id);
    const tampered = link.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    const unknown = said(await download(`/files/reports/${'A'.repeat(94)}`));
    expect(unknown).toMatch(/^404 /);
    expect(said(await download(tampered))).toBe(unknown);
    aheadMs += 60_000;
    expect((await download(link)).statusCode).toBe(200);
    aheadMs += 61_000;
    expect(said(await download(link))).toBe(unknown);
    // A link of a report opens no file of a contract.
    expect((await download((await linkTo(id)).replace('/files/reports/', '/files/'))).statusCode).toBe(404);
  });

  it('is given to nobody of another tenant, who hears the same as of a report that never was', async () => {
    const { id } = await made();
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/cancel'],
      ['POST', '/run_again'],
    ] as const) {
      const there = await call(method, `/reports/air/${id}${rest}`, { who: stranger.analyst, in: stranger.tenant });
      const nowhere = await call(method, `/reports/air/${v7()}${rest}`, { who: stranger.analyst, in: stranger.tenant });
      expect(said(there)).toBe(said(nowhere));
      expect(there.statusCode).toBe(404);
    }
    expect((await call('GET', '/reports/air', { who: stranger.analyst })).statusCode).toBe(403);
    const theirs = await call('GET', '/reports/air', { who: stranger.analyst, in: stranger.tenant });
    expect(theirs.json()).toEqual([]);
    expect((await download(await linkTo(id))).statusCode).toBe(200);
  });

  it('ends with its report', async () => {
    const { id } = await made();
    const link = await linkTo(id);
    expect((await call('DELETE', `/reports/air/${id}`)).statusCode).toBe(204);
    expect((await download(link)).statusCode).toBe(404);
    expect((await call('GET', `/reports/air/${id}`)).statusCode).toBe(404);
    expect((await call('DELETE', `/reports/air/${id}`)).statusCode).toBe(404);
  });
});

it('a report is made again as a new one, and one that has ended cannot be cancelled', async () => {
  const { id } = await made();
  const again = (await call('POST', `/reports/air/${id}/run_again`)).json<SearchReport>();
  expect(again.id).not.toBe(id);
  expect((await call('POST', `/reports/air/${id}/cancel`)).json()).toMatchObject({ code: 'CONFLICT' });
});

it('everything that is done is on record, the download too', async () => {
  const { id } = await made();
  await linkTo(id);
  await call('DELETE', `/reports/air/${id}`);
  const records = await server.stores.database.tenant(tenant, (tx) =>
    tx
      .selectFrom('audit_record')
      .select(['action', 'target_id'])
      .where('target_id', '=', id)
      .orderBy('sequence')
      .execute(),
  );
  expect(records.map(({ action }) => action)).toEqual([
    'search_report.create',
    'search_report.download',
    'search_report.delete',
  ]);
});

const schedule = {
  name: 'Failed sign-ins',
  search: { query: 'outcome:failure' },
  format: 'csv',
  period: 'weekly',
  at_minute: 390,
  time_zone: 'Europe/Lisbon',
  contact_ids: [],
  enabled: true,
};

it('schedules are made, changed, switched off and deleted, and belong to their tenant', async () => {
  const one = (await call('POST', '/reports/air/schedules', { payload: schedule })).json<ReportSchedule>();
  expect(one).toMatchObject({ period: 'weekly', next_run_at: expect.any(String), last_run: null, recipients: [] });
  const off = { ...schedule, enabled: false, updated_at: one.updated_at };
  const changed = (await call('PUT', `/reports/air/schedules/${one.id}`, { payload: off })).json<ReportSchedule>();
  expect(changed).toMatchObject({ enabled: false, next_run_at: null });
  const at = { who: stranger.analyst, in: stranger.tenant };
  const foreign = await call('PUT', `/reports/air/schedules/${one.id}`, { ...at, payload: off });
  expect(foreign.statusCode).toBe(404);
  expect((await call('DELETE', `/reports/air/schedules/${one.id}`, at)).statusCode).toBe(404);
  expect((await call('GET', '/reports/air/schedules', at)).json()).toEqual([]);
  expect((await call('DELETE', `/reports/air/schedules/${one.id}`)).statusCode).toBe(204);
  expect((await call('GET', '/reports/air/schedules')).json()).toEqual([]);
});

it('a role below Analyst and a plan without search are refused', async () => {
  const reader = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
  const plain = await server.createTenant({ skuInfo: { is_search_enabled: false } });
  const admin = await server.createActor({ home: plain, roles: { [plain]: 'Admin' } });
  const payload = { query: '', time_range: lastHour(), name: 'No', format: 'csv' };
  expect((await call('POST', '/search/export', { who: reader, payload })).json()).toMatchObject({
    code: 'ROLE_TOO_LOW',
  });
  expect((await call('GET', '/reports/air', { who: admin, in: plain })).json()).toMatchObject({
    code: 'PLAN_NOT_ENABLED',
  });
});
