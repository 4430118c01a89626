import type { ReportScheduleInput } from '@airdeck/contracts/reports/schema';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventRow } from '../../storage/test-events.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { createReportsFixture, everything, orderer, person, type ReportsFixture } from './reports-fixture.ts';

const FRIDAY_NOON = new Date('2026-11-20T12:00:00.000Z');
const daily: ReportScheduleInput = {
  name: 'Failed sign-ins',
  search: { ...everything, query: 'outcome:failure' },
  format: 'ndjson',
  period: 'daily',
  covers_days: null,
  at_minute: 6 * 60,
  time_zone: 'Europe/Lisbon',
  contact_ids: [],
  enabled: true,
};

let fixture: ReportsFixture;
let tenant: string;

beforeAll(async () => {
  fixture = await createReportsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.clock.now = FRIDAY_NOON;
  tenant = await fixture.newTenant();
});
afterEach(async () => {
  await fixture.db.system((tx) => tx.deleteFrom('search_report_schedule').execute());
  fixture.mails.length = 0;
  Object.assign(fixture.plan, { enabled: true, searchLengthDays: 90 });
});

const scope = () => trustedTenantScope(tenant);
const create = (input: Partial<ReportScheduleInput> = {}) =>
  fixture.db.tenant(tenant, (tx) => fixture.schedules.create(tx, scope(), { ...daily, ...input }, orderer()));
const list = () => fixture.db.tenant(tenant, (tx) => fixture.schedules.list(tx, scope()));

describe('a schedule', () => {
  it('has a report of yesterday made once, whoever looks and however often', async () => {
    const { id, next_run_at } = await create();
    expect(next_run_at).toBe('2026-11-21T06:00:00.000Z');
    await fixture.runDue();
    expect(await fixture.reportsOf(tenant)).toEqual([]);
    fixture.clock.now = new Date('2026-11-21T06:00:30.000Z');
    await Promise.all(Array.from({ length: 8 }, () => fixture.runDue()));
    expect(await fixture.reportsOf(tenant)).toMatchObject([
      {
        name: 'Failed sign-ins, 2026-11-20',
        schedule_id: id,
        range_start: new Date('2026-11-20T00:00:00.000Z'),
        range_end: new Date('2026-11-21T00:00:00.000Z'),
        created_by: 'bo@example.com',
      },
    ]);
    expect((await list())[0]).toMatchObject({
      next_run_at: '2026-11-22T06:00:00.000Z',
      last_run: { status: 'pending' },
    });
  });

  it('makes up for a long stop with one report, the latest', async () => {
    await create();
    fixture.clock.now = new Date('2026-11-25T20:00:00.000Z');
    await fixture.runDue();
    expect((await fixture.reportsOf(tenant)).map(({ name }) => name)).toEqual(['Failed sign-ins, 2026-11-24']);
  });

  it('orders the slot once, though a crash undid its next time', async () => {
    const { id } = await create();
    fixture.clock.now = new Date('2026-11-21T06:00:30.000Z');
    await fixture.runDue();
    await fixture.db.system((tx) =>
      tx
        .updateTable('search_report_schedule')
        .set({ next_slot_at: new Date('2026-11-21T06:00:00.000Z') })
        .where('id', '=', id)
        .execute(),
    );
    await fixture.runDue();
    expect(await fixture.reportsOf(tenant)).toHaveLength(1);
  });

  it('makes what is due also where somebody renames it just then', async () => {
    const { id, updated_at } = await create();
    fixture.clock.now = new Date('2026-11-21T06:03:00.000Z');
    const change = { id, input: { ...daily, name: 'Renamed' }, updatedAt: updated_at };
    await fixture.db.tenant(tenant, (tx) => fixture.schedules.set(tx, scope(), change, orderer()));
    await fixture.runDue();
    expect((await fixture.reportsOf(tenant)).map(({ name }) => name)).toEqual(['Renamed, 2026-11-20']);
    expect((await list())[0]).toMatchObject({ next_run_at: '2026-11-22T06:00:00.000Z' });
  });

  it('rests while it is switched off, also from its beginning', async () => {
    await create({ enabled: false });
    expect(await list()).toMatchObject([{ enabled: false, next_run_at: null }]);
    await create({ name: 'Second' });
    fixture.clock.now = new Date('2026-11-21T07:00:00.000Z');
    await fixture.runDue();
    expect((await fixture.reportsOf(tenant)).map(({ name }) => name)).toEqual(['Second, 2026-11-20']);
  });

  it('rests while the plan has no search', async () => {
    await create({ name: 'Second' });
    fixture.plan.enabled = false;
    fixture.clock.now = new Date('2026-11-21T07:00:00.000Z');
    await fixture.runDue();
    expect(await fixture.reportsOf(tenant)).toEqual([]);
  });

  it('writes to its contacts when the file is there: a link to sign in at, never to the file', async () => {
    const contacts = [await fixture.newContact(tenant, 'Ana'), await fixture.newContact(tenant, 'Rui')];
    await create({ contact_ids: contacts });
    await fixture.stores.events.insert([
      eventRow({ tenant, time: Date.parse('2026-11-20T08:00:00Z'), outcome: 'failure' }),
      eventRow({ tenant, time: Date.parse('2026-11-20T08:00:00Z'), outcome: 'success' }),
    ]);
    fixture.clock.now = new Date('2026-11-21T06:00:30.000Z');
    await fixture.runDue();
    const [report] = await fixture.reportsOf(tenant);
    await fixture.make(tenant, report?.id ?? '');
    await fixture.make(tenant, report?.id ?? '', { attempt: 2 });
    expect(fixture.mails.map(({ to }) => to)).toEqual(['ana@example.com', 'rui@example.com']);
    // Contacts have no account: they read what whoever made the schedule reads, else the tenant's Admin.
    expect(fixture.mails[0]).toMatchObject({ tenant, sender: 'bo@example.com' });
    expect(fixture.mails[0]?.subject).toBe('AIRdeck: Search report "Failed sign-ins, 2026-11-20" is ready');
    expect(fixture.mails[0]?.text).toContain('It has 1 event.');
    expect(fixture.mails[0]?.text.match(/https?:\S+/g)).toEqual([
      `https://airdeck.example/report/air?tenant=${tenant}`,
    ]);
  });

  it('is refused with a zone nobody knows, a contact of another tenant or a search that is none', async () => {
    const stranger = await fixture.newContact(await fixture.newTenant(), 'Eve');
    await expect(create({ time_zone: 'Mars/Olympus' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(create({ contact_ids: [stranger] })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(create({ search: { ...everything, query: '((' } })).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    expect(await list()).toEqual([]);
  });

  it('is not written over by somebody who saw an older one', async () => {
    const { id, updated_at: updatedAt } = await create();
    fixture.clock.now = new Date('2026-11-20T13:00:00.000Z');
    const set = (input: Partial<ReportScheduleInput>) =>
      fixture.db.tenant(tenant, (tx) =>
        fixture.schedules.set(tx, scope(), { id, input: { ...daily, ...input }, updatedAt }, person),
      );
    const changed = await set({ period: 'weekly' });
    expect(changed.next_run_at).toBe('2026-11-23T06:00:00.000Z');
    await expect(set({ enabled: false })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'body.updated_at', reason: 'FIELD_DIFFERENT_NOW' }],
    });
  });
});

describe('what the plan reaches of the days a schedule covers', () => {
  /** The report of the schedule at that time, of an event that fails at each of the times. */
  async function made(input: Partial<ReportScheduleInput>, at: string, times: readonly string[]) {
    fixture.clock.now = new Date(Date.parse(at) - 86_400_000);
    await create(input);
    await fixture.stores.events.insert(
      times.map((time) => eventRow({ tenant, time: Date.parse(time), outcome: 'failure' })),
    );
    fixture.clock.now = new Date(at);
    await fixture.runDue();
    const [report] = await fixture.reportsOf(tenant);
    await fixture.make(tenant, report?.id ?? '');
    return await fixture.reportOf(tenant, report?.id ?? '');
  }

  it('is counted from their end: a plan of seven days has a whole week', async () => {
    fixture.plan.searchLengthDays = 7;
    const times = ['2026-11-16T00:00:00Z', '2026-11-22T23:59:00Z'];
    const report = await made({ period: 'weekly' }, '2026-11-23T06:00:30Z', times);
    expect(report).toMatchObject({ status: 'success', row_count: 2, cut_by: null });
  });

  it('is a whole week also where clocks are set back in it', async () => {
    fixture.plan.searchLengthDays = 7;
    const times = ['2026-10-18T23:00:00Z', '2026-10-25T23:59:00Z'];
    const report = await made({ period: 'weekly' }, '2026-10-26T06:00:30Z', times);
    expect(report).toMatchObject({ status: 'success', row_count: 2, cut_by: null });
  });

  it('is the same where the report is made again days later, also of relative times in the query', async () => {
    fixture.plan.searchLengthDays = 7;
    const times = ['2026-11-16T00:00:00Z', '2026-11-22T23:59:00Z'];
    const query = 'outcome:failure AND time:[now-8d TO now]';
    const report = await made({ period: 'weekly', search: { ...everything, query } }, '2026-11-23T06:00:30Z', times);
    fixture.clock.now = new Date('2026-11-27T18:00:00.000Z');
    const { id } = await fixture.db.tenant(tenant, (tx) => fixture.reports.runAgain(tx, scope(), report.id, orderer()));
    await fixture.make(tenant, id);
    const again = await fixture.reportOf(tenant, id);
    const same = { name: report.name, status: 'success', row_count: 2, cut_by: null };
    expect(report).toMatchObject(same);
    expect(again).toMatchObject({ ...same, schedule_id: null });
  });

  it('is said to be less, in the report and in the mail, where it is', async () => {
    fixture.plan.searchLengthDays = 30;
    const contacts = [await fixture.newContact(tenant, 'Ana')];
    const times = ['2026-10-01T12:00:00Z', '2026-10-02T00:00:00Z'];
    const report = await made({ period: 'monthly', contact_ids: contacts }, '2026-11-01T06:00:30Z', times);
    expect(report).toMatchObject({ status: 'success', row_count: 1, cut_by: 'plan' });
    expect(fixture.mails[0]?.text).toContain(
      'It has 1 event. Older ones were left out, because the plan reaches no further back.',
    );
  });
});

describe('where a schedule finds no room', () => {
  const SATURDAY_SIX = new Date('2026-11-21T06:00:30.000Z');

  /** Reports that are kept already, each with a file of that size. */
  async function keep(count: number, size_bytes: number): Promise<void> {
    const at = fixture.clock.now;
    const kept = Array.from({ length: count }, () => ({
      ...{ id: v7(), tenant_id: tenant, name: 'Kept', format: 'csv' as const, search: JSON.stringify(everything) },
      ...{ range_start: at, range_end: at, status: 'success' as const, created_at: at, created_by: 'bo@example.com' },
      ...{ attempt: 1, row_count: 1, size_bytes, file_id: v7(), updated_at: at, finished_at: at },
      expires_at: new Date(at.getTime() + 86_400_000),
    }));
    await fixture.db.system((tx) => tx.insertInto('search_report').values(kept).execute());
  }

  const scheduled = async () => (await fixture.reportsOf(tenant)).filter(({ schedule_id }) => schedule_id !== null);

  it('has all reports of one minute ordered, and leaves people their own five', async () => {
    for (let n = 0; n < 7; n++) await create({ name: `Schedule ${n}` });
    fixture.clock.now = SATURDAY_SIX;
    await fixture.runDue();
    expect((await scheduled()).map(({ status }) => status)).toEqual(Array.from({ length: 7 }, () => 'pending'));
    for (let n = 0; n < 5; n++) await fixture.order(tenant);
    await expect(fixture.order(tenant)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it.each([
    ['1,000 reports', { count: 1_000, size: 1 }],
    ['10 GB', { count: 2, size: 5_000_000_000 }],
  ])('says so once in the list, the schedule and a mail when the tenant has %s', async (_what, { count, size }) => {
    await keep(count, size);
    const contacts = [await fixture.newContact(tenant, 'Ana')];
    const { id } = await create({ contact_ids: contacts });
    fixture.jobs.length = 0;
    fixture.clock.now = SATURDAY_SIX;
    await fixture.runDue();
    const again = () =>
      fixture.db.system((tx) =>
        tx
          .updateTable('search_report_schedule')
          .set({ next_slot_at: new Date('2026-11-21T06:00:00.000Z') })
          .where('id', '=', id)
          .execute(),
      );
    await again();
    await fixture.runDue();
    const failure = 'There is no room for another report. Delete some you do not need.';
    expect((await scheduled()).map((row) => [row.status, row.failure, row.expires_at])).toEqual([
      ['error', failure, new Date('2026-12-21T06:00:30.000Z')],
    ]);
    expect((await list())[0]).toMatchObject({
      next_run_at: '2026-11-22T06:00:00.000Z',
      last_run: { status: 'error' },
    });
    expect(fixture.jobs).toEqual([]);
    expect(fixture.mails.map(({ to }) => to)).toEqual(['ana@example.com']);
    expect(fixture.mails[0]?.subject).toContain('could not be made');
    expect(fixture.mails[0]?.text).toContain(failure);
  });

  it('takes no room by saying so: what was deleted makes room for as many again', async () => {
    await keep(1_000, 1);
    for (let n = 0; n < 3; n++) await create({ name: `Schedule ${n}` });
    fixture.clock.now = SATURDAY_SIX;
    await fixture.runDue();
    const [kept] = (await fixture.reportsOf(tenant)).filter(({ schedule_id }) => schedule_id === null);
    await fixture.db.tenant(tenant, (tx) => fixture.reports.remove(tx, scope(), kept?.id ?? '', person));
    await expect(fixture.order(tenant)).resolves.toEqual(expect.any(String));
    await expect(fixture.order(tenant)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('does not pile up what it says, however often schedules are made anew, and it expires like any report', async () => {
    await keep(2, 5_000_000_000);
    const at = fixture.clock.now;
    const refused = Array.from({ length: 1_500 }, (_, n) => ({
      ...{ id: v7({ msecs: n }), tenant_id: tenant, name: `Refused ${n}` },
      ...{ format: 'csv' as const, search: JSON.stringify(everything), range_start: at, range_end: at },
      ...{ status: 'error' as const, created_at: at, created_by: 'bo@example.com', schedule_id: v7(), slot_at: at },
      ...{ attempt: 0, row_count: 0, size_bytes: 0, failure: 'No room.', updated_at: at, finished_at: at },
      expires_at: new Date(at.getTime() + 30 * 86_400_000),
    }));
    await fixture.db.system((tx) => tx.insertInto('search_report').values(refused).execute());
    await create();
    fixture.clock.now = SATURDAY_SIX;
    await fixture.runDue();
    const names = async () =>
      await fixture.db.system((tx) =>
        tx
          .selectFrom('search_report')
          .select('name')
          .where('tenant_id', '=', tenant)
          .where('status', '=', 'error')
          .execute(),
      );
    const left = (await names()).map(({ name }) => name);
    expect(left).toHaveLength(1_500);
    expect(left).toContain('Failed sign-ins, 2026-11-20');
    expect(left).not.toContain('Refused 0');
    fixture.clock.now = new Date('2026-12-21T06:00:30.000Z');
    await fixture.module.purge();
    expect(await names()).toEqual([]);
  });
});
