import type { ReportScheduleInput } from '@airdeck/contracts/reports/schema';
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
  fixture.plan.enabled = true;
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

  it('rests while it is switched off or the plan has no search', async () => {
    await create({ enabled: false });
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
    expect(fixture.mails[0]?.text.match(/https?:\S+/g)).toEqual(['https://airdeck.example/report/air']);
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
    await expect(set({ enabled: false })).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});
