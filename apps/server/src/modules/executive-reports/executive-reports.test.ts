import type { ExecutiveReport, ExecutiveReportSettings } from '@airdeck/contracts/reports/executive-report';
import { executiveReportTables } from '@airdeck/contracts/reports/executive-report';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { MONTHLY_REPORTS_JOB } from './executive-reports-module.ts';
import { insertReport } from './executive-reports-repository.ts';
import { MAKE_JOB } from './executive-reports-service.ts';
import { latestMonth, monthOf } from './report-month.ts';

const NO_TENANT = '00000000-0000-0000-0000-000000000000';

let server: TestServer;
let tenant: string;
let people: { admin: Actor; analyst: Actor; reader: Actor };
let month: string;
let aheadMs = 0;

beforeAll(async () => {
  server = await createTestServer({ now: () => new Date(Date.now() + aheadMs) });
  tenant = await server.createTenant({ name: 'Łódź & Söhne' });
  const person = (role: 'Admin' | 'Analyst' | 'ReadOnly') =>
    server.createActor({ home: tenant, roles: { [tenant]: role } });
  people = { admin: await person('Admin'), analyst: await person('Analyst'), reader: await person('ReadOnly') };
  month = latestMonth(new Date(), 'UTC');
  await addCases([
    ['critical', 'closed', '05'],
    ['high', 'open', '12'],
    ['low', 'closed', '12'],
  ]);
});
afterAll(() => server?.close());

type Options = { who?: Actor; payload?: object; of?: string };

function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  rest: string,
  { who = people.admin, payload, of = tenant }: Options = {},
) {
  const url = `/api/tenants/${of}/reports${rest}`;
  return server.inject({ method, url, headers: who.headers, ...(payload === undefined ? {} : { payload }) });
}

async function addCases(cases: readonly (readonly [severity: string, status: string, day: string])[]): Promise<void> {
  await server.stores.database.system(async (tx) => {
    for (const [index, [severity, status, day]] of cases.entries()) {
      const opened = new Date(`${month}-${day}T10:00:00Z`);
      const closed = status === 'closed' ? new Date(opened.getTime() + 3_600_000) : null;
      await tx
        .insertInto('case_record')
        .values({
          ...{ id: v7(), tenant_id: tenant, number: 100 + index, alert_type: 'policy', policy_id: null },
          ...{ group_key: null, name: `Case ${index}`, description: '', category: '', severity: severity as 'low' },
          ...{ severity_rank: ['low', 'medium', 'high', 'critical'].indexOf(severity), status: status as 'open' },
          ...{ log_sources: [], meta: '{}', opened_at: opened, time_opened: opened, time_acknowledged: closed },
          ...{ acknowledged_by: null, time_closed: closed, closed_by: null, closed_by_person: closed && true },
          ...{ close_reason: closed && 'true_positive', automated_response_at: closed, assignee: null },
          ...{ time_updated: opened, search_text: '', respond_by: null, resolve_by: null, waiting_since: null },
          clock_next_at: null,
        })
        .execute();
    }
  });
}

/** A PNG whose pixels cannot be unpacked: its header is right, so nothing sees it before. */
function brokenLogo(): string {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)]);
  };
  const header = Buffer.from([0, 0, 0, 16, 0, 0, 0, 16, 8, 6, 0, 0, 0]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [
    signature,
    chunk('IHDR', header),
    chunk('IDAT', Buffer.alloc(64, 0x55)),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return `data:image/png;base64,${Buffer.concat(parts).toString('base64')}`;
}

const listed = async (who = people.admin) =>
  (await call('GET', '', { who })).json<{ files: ExecutiveReport[] }>().files;

async function ended(id: string): Promise<ExecutiveReport> {
  const now = async () => (await listed()).find((report) => report.id === id);
  await expect.poll(async () => (await now())?.finished_at ?? null, { timeout: 60_000 }).not.toBeNull();
  const report = await now();
  if (report === undefined) throw new Error('gone');
  return report;
}

async function made(payload: object = { month }): Promise<ExecutiveReport> {
  const answer = await call('POST', '', { who: people.analyst, payload });
  expect(answer.statusCode).toBe(202);
  const report = await ended(answer.json<ExecutiveReport>().id);
  expect(report).toMatchObject({ status: 'success', failure: null });
  return report;
}

/** One that is there, whichever. */
async function someReport(): Promise<ExecutiveReport> {
  return (await listed()).find(({ status }) => status === 'success') ?? (await made());
}

const linkTo = async (id: string) => (await call('GET', `/${id}`)).json<{ download_link: string }>().download_link;
const download = (url: string) => server.inject({ method: 'GET', url });

describe('an executive report that somebody asks for', () => {
  it('is made by a worker, listed, and downloaded by a link that ends; who asked is told', async () => {
    const report = await made();
    expect(report).toMatchObject({ kind: 'on_demand', month, created_by: people.analyst.email, time_zone: 'UTC' });
    expect(report.pages).toBeGreaterThan(2);
    const file = await download(await linkTo(report.id));
    expect(file.headers['content-type']).toBe('application/pdf');
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
    expect(file.rawPayload.length).toBe(report.size_bytes);
    expect((await download(`${await linkTo(report.id)}x`)).statusCode).toBe(404);
    const told = () =>
      server.inject({ method: 'GET', url: `/api/tenants/${tenant}/notifications`, headers: people.analyst.headers });
    await expect
      .poll(async () => (await told()).json<{ notifications: { kind: string }[] }>().notifications)
      .toContainEqual(expect.objectContaining({ kind: 'report_ready' }));
  });

  it('has a link that opens for longer than the dashboard uses it again, and then says the same as one that never was', async () => {
    const link = await linkTo((await someReport()).id);
    try {
      aheadMs = 30 * 60_000 + 10_000;
      expect((await download(link)).statusCode).toBe(200);
      aheadMs = 35 * 60_000;
      expect((await download(link)).statusCode).toBe(404);
    } finally {
      aheadMs = 0;
    }
  });

  it('is made anew when it is asked for again, and once when it is asked for twice at once', async () => {
    const first = await someReport();
    const old = await linkTo(first.id);
    const ask = () => call('POST', '', { who: people.analyst, payload: { month } });
    const ids = (await Promise.all([ask(), ask()])).map((answer) => answer.json<ExecutiveReport>().id);
    expect(new Set(ids).size).toBe(1);
    const second = await ended(ids[0] ?? '');
    expect(second.id).not.toBe(first.id);
    expect((await listed()).filter((one) => one.month === month && one.kind === 'on_demand')).toHaveLength(1);
    expect((await download(old)).statusCode).toBe(404);
  });

  it('has every table as CSV, with the figures of the month', async () => {
    const { id } = await someReport();
    for (const table of executiveReportTables) {
      const answer = await call('GET', `/${id}/csv?table=${table}`, { who: people.reader });
      expect([table, answer.statusCode]).toEqual([table, 200]);
    }
    const figures = (await call('GET', `/${id}/csv?table=figures`)).body;
    expect(figures).toContain('cases_opened,3,0');
    expect(figures).toContain('cases_critical,1,0');
    expect(figures).toContain('cases_answered,2,0');
    expect(figures).toContain('manual_mttr_s,3600,');
    expect((await call('GET', `/${id}/csv?table=notable_cases`)).body).toMatch(/CASE-100,Case 0,critical/);
  });

  it('is made of the month so far, and without a logo that breaks what lays it out', async () => {
    const brand = { display_name: 'Söhne', colour: '#0b7285', logo: brokenLogo() };
    await server.stores.database.system((tx) =>
      tx
        .updateTable('tenant')
        .set({ brand: JSON.stringify(brand) })
        .where('id', '=', tenant)
        .execute(),
    );
    const thisMonth = monthOf(new Date(), 'UTC');
    const report = await made({ month: thisMonth, locale: 'pt-BR', time_zone: 'UTC' });
    expect(report.name).toContain('Relatório de segurança – Söhne');
    expect(Date.parse(report.period_end)).toBe(Date.parse(report.created_at));
  });

  it.each([
    [{ month: '2099-01' }, 'body.month'],
    [{ month: '2001-01' }, 'body.month'],
    [{ time_zone: 'Mars/Olympus' }, 'body.time_zone'],
  ])('is refused for %j', async (payload, path) => {
    const answer = await call('POST', '', { who: people.admin, payload });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ details: { path: string }[] }>().details[0]?.path).toBe(path);
  });

  it('belongs to its tenant, to its roles and to plans that have it', async () => {
    const { id } = await someReport();
    const other = await server.createTenant();
    const stranger = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    for (const [method, rest] of [
      ['GET', `/${id}`],
      ['GET', `/${id}/csv?table=figures`],
      ['DELETE', `/${id}`],
    ] as const) {
      expect((await call(method, rest, { who: stranger, of: other })).statusCode).toBe(404);
    }
    expect((await call('GET', '', { who: stranger, of: other })).json()).toEqual({ files: [] });
    expect((await call('POST', '', { who: people.reader, payload: {} })).statusCode).toBe(403);
    expect((await call('DELETE', `/${id}`, { who: people.analyst })).statusCode).toBe(403);
    const small = await server.createTenant({ skuInfo: { is_mdr_enabled: false } });
    const owner = await server.createActor({ home: small, roles: { [small]: 'Admin' } });
    expect((await call('GET', '', { who: owner, of: small })).json()).toMatchObject({ code: 'PLAN_NOT_ENABLED' });
  });
});

describe('the report of each month', () => {
  const settings = async () => (await call('GET', '/executive/settings')).json<ExecutiveReportSettings>();
  const put = async (change: object) => {
    const { effective: _e, recipients: _r, next_report_at: _n, ...now } = await settings();
    return await call('PUT', '/executive/settings', { payload: { ...now, ...change } });
  };
  const runSchedule = () =>
    server.stores.database.system((tx) => {
      const { engine, enginePool } = server.composition.work;
      return engine.enqueueJob(enginePool.client(tx), { tenantId: NO_TENANT, kind: MONTHLY_REPORTS_JOB.kind });
    });
  const jobsLeft = () =>
    server.stores.database.system(async (tx) => {
      const { rows } = await server.composition.work.enginePool
        .client(tx)
        .query<{ left: number }>(`select count(*)::int as left from engine.job where kind = $1`, [
          MONTHLY_REPORTS_JOB.kind,
        ]);
      return rows[0]?.left;
    });

  it('is made once however often the schedule looks, and mailed as a link that dies with the report', async () => {
    const contact = v7();
    await server.stores.database.system(async (tx) => {
      await tx
        .insertInto('contact')
        .values({
          ...{ id: contact, tenant_id: tenant, name: 'Chief', email: 'chief@example.com', phone: '', job_title: '' },
          ...{ kind: 'primary', escalation_order: null, notify: '{"case_severities":[],"channels":[]}', notes: '' },
          ...{ created_at: new Date(), updated_at: new Date() },
        })
        .execute();
    });
    // Of another provider's making, and written to first: nobody else may go without the report for it.
    const outsider = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    await server.stores.database.system((tx) =>
      tx.updateTable('app_user').set({ email: 'müller@example.com' }).where('id', '=', outsider.id).execute(),
    );
    const recipients = { contact_ids: [contact], user_ids: [outsider.id] };
    expect((await put({ ...recipients, locale: 'pt-BR', time_zone: 'UTC' })).statusCode).toBe(200);
    // The server's own schedule may have looked already: for a tenant that came after the month it notes it as done.
    await server.stores.database.system(async (tx) => {
      const created_at = new Date('2020-01-01');
      await tx.updateTable('tenant').set({ created_at }).where('id', '=', tenant).execute();
      await tx
        .updateTable('executive_report_settings')
        .set({ last_month: null })
        .where('tenant_id', '=', tenant)
        .execute();
    });
    for (let time = 0; time < 2; time++) {
      await runSchedule();
      await expect.poll(jobsLeft).toBe(0);
    }
    const monthly = (await listed()).filter(({ kind }) => kind === 'monthly');
    expect(monthly).toHaveLength(1);
    const report = await ended(monthly[0]?.id ?? '');
    expect(report).toMatchObject({ month, locale: 'pt-BR', status: 'success' });

    const mails = await server.stores.database.system((tx) =>
      tx.selectFrom('mail').select('body').where('recipient', '=', 'chief@example.com').execute(),
    );
    expect(mails).toHaveLength(1);
    // Who can open the file without signing in, and nobody whom no mail reaches.
    const records = await server.stores.database.system((tx) =>
      tx
        .selectFrom('audit_record')
        .select(['action', 'actor_kind', 'data'])
        .where('target_id', '=', report.id)
        .execute(),
    );
    expect(records.filter(({ action }) => action === 'executive_report.download')).toEqual([
      {
        ...{ action: 'executive_report.download', actor_kind: 'system' },
        data: { name: report.name, month, kind: 'monthly', recipients: ['chief@example.com'] },
      },
    ]);
    expect(mails[0]?.body).toMatch(
      /\nAbra até \p{L}{3} \d+, \d{4} \d+:\d\d [AP]M UTC; quem tem este link pode abrir:\n/u,
    );
    // Whoever works in several tenants is led to the reports of this one.
    expect(mails[0]?.body).toMatch(new RegExp(`/mdr/executive-reports\\?tenant=${tenant}$`, 'm'));
    const link = /\/files\/executive_reports\/[\w-]+/.exec(mails[0]?.body ?? '')?.[0] ?? '';
    expect((await download(link)).statusCode).toBe(200);
    expect((await call('DELETE', `/${report.id}`)).statusCode).toBe(204);
    expect((await download(link)).statusCode).toBe(404);

    // What was deleted was made: the schedule does not bring it back.
    await runSchedule();
    await expect.poll(jobsLeft).toBe(0);
    expect((await listed()).filter(({ kind }) => kind === 'monthly')).toEqual([]);
  });

  it('is not made for tenants that came after the month', async () => {
    const late = await server.createTenant();
    const admin = await server.createActor({ home: late, roles: { [late]: 'Admin' } });
    await runSchedule();
    await expect.poll(jobsLeft).toBe(0);
    expect((await call('GET', '', { who: admin, of: late })).json()).toEqual({ files: [] });
  });

  it('has settings that two people cannot overwrite for each other, and takes only people of the tenant', async () => {
    const before = await settings();
    expect((await put({ enabled: false })).json()).toMatchObject({ enabled: false, next_report_at: null });
    expect((await put({ enabled: true, updated_at: before.updated_at })).statusCode).toBe(409);
    expect((await put({ contact_ids: [v7()] })).json()).toMatchObject({ details: [{ path: 'body.contact_ids' }] });
    const stranger = await server.createActor({ home: await server.createTenant() });
    expect((await put({ user_ids: [stranger.id] })).json()).toMatchObject({ details: [{ path: 'body.user_ids' }] });
    expect((await put({ user_ids: [people.reader.id], enabled: true })).json()).toMatchObject({
      user_ids: [people.reader.id],
      recipients: expect.arrayContaining([expect.objectContaining({ email: people.reader.email })]),
    });
    expect((await call('GET', '/executive/settings', { who: people.analyst })).statusCode).toBe(403);
  });
});

describe('an executive report nobody has worked on for hours', () => {
  /** Ordered the day before, with its job in that state. */
  async function ordered(kind: 'monthly' | 'on_demand', state: 'dead' | 'scheduled'): Promise<string> {
    const id = v7();
    const at = new Date(Date.now() - 24 * 3_600_000);
    await server.stores.database.system(async (tx) => {
      await insertReport(tx, {
        ...{ id, tenant_id: tenant, kind, month: '2020-01', name: `January, ${kind}, ${state}`, locale: 'en-US' },
        ...{ time_zone: 'UTC', range_start: new Date('2020-01-01'), range_end: new Date('2020-02-01') },
        ...{ status: 'pending', attempt: 0, created_at: at, created_by: 'somebody', updated_at: at },
        ...{ asked_by: kind === 'monthly' ? null : people.reader.id, finished_at: null, failure: null },
        ...{ file_id: null, size_bytes: 0, pages: 0, facts: null, expires_at: null },
      });
      await sql`insert into engine.job (id, tenant_id, kind, payload, priority, state, available_at, attempt, max_attempts,
          backoff_ms, lease_token, dedup_key, created_at)
        values (${v7()}::uuid, ${tenant}::uuid, ${MAKE_JOB}, 'null', 0, ${state}, now() + interval '1 day', 0, 5, 1000, 0,
          ${id}, ${at})`.execute(tx);
    });
    return id;
  }

  it('fails, and whoever asked is told, or Admins, unless its job still waits: that one is made yet', async () => {
    const waiting = [await ordered('monthly', 'scheduled'), await ordered('on_demand', 'scheduled')];
    const given = await ordered('on_demand', 'dead');
    await ordered('monthly', 'dead');
    await server.stores.database.system((tx) => {
      const { engine, enginePool } = server.composition.work;
      return engine.enqueueJob(enginePool.client(tx), { tenantId: NO_TENANT, kind: 'retention.purge' });
    });
    expect(await ended(given)).toMatchObject({ status: 'error', failure: 'Making it was never finished.' });
    const reports = await listed();
    for (const id of waiting) {
      expect(reports.find((report) => report.id === id)).toMatchObject({ status: 'pending', finished_at: null });
    }
    const told = async ({ headers }: Actor) =>
      (await server.inject({ method: 'GET', url: `/api/tenants/${tenant}/notifications`, headers })).body;
    await expect.poll(() => told(people.reader)).toContain('January, on_demand, dead');
    await expect.poll(() => told(people.admin)).toContain('January, monthly, dead');
    expect(await told(people.reader)).not.toContain('January, monthly, dead');
    expect(await told(people.reader)).not.toContain('scheduled');
  });
});
