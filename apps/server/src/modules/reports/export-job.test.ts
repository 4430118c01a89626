import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventsError } from '../../storage/events-store.ts';
import { eventRow } from '../../storage/test-events.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { EXPORT_JOB } from './export-job.ts';
import { createReportsFixture, everything, orderer, person, type ReportsFixture } from './reports-fixture.ts';

const NOON = Date.parse('2026-11-20T12:00:00.000Z');
const EVENTS = 6_000;

let fixture: ReportsFixture;
let tenant: string;

beforeAll(async () => {
  fixture = await createReportsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  tenant = await fixture.newTenant();
  await fixture.stores.events.insert(
    Array.from({ length: EVENTS }, (_, n) => eventRow({ tenant, time: NOON + n, message: `Event ${n}` })),
  );
});
afterEach(async () => {
  fixture.hooks.beforeQuery = async () => undefined;
  Object.assign(fixture.plan, { enabled: true, searchLengthDays: 90 });
  for (const id of await fixture.filesNow()) await fixture.files.remove(id.replace('.part', '')).catch(() => undefined);
  fixture.mails.length = 0;
});

/** Does something once, when the second page of events is asked for. */
function atSecondPage(work: () => Promise<void>): void {
  let pages = 0;
  fixture.hooks.beforeQuery = async ({ sql }) => {
    if (sql.includes('order by time desc') && ++pages === 2) await work();
  };
}

async function textOf(id: string | null): Promise<string> {
  const stream = await fixture.files.open(id ?? '');
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe('the file of a report', () => {
  it('has every event of the search and none of another tenant, and the report says how many and how large', async () => {
    const other = await fixture.newTenant();
    await fixture.stores.events.insert([eventRow({ tenant: other, time: NOON, message: 'Event of another' })]);
    const id = await fixture.order(tenant);
    await fixture.make(tenant, id);
    const report = await fixture.reportOf(tenant, id);
    const text = await textOf(report.file_id);
    const messages = text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { message: string }).message);
    expect(new Set(messages)).toEqual(new Set(Array.from({ length: EVENTS }, (_, n) => `Event ${n}`)));
    expect(messages).toHaveLength(EVENTS);
    expect(report).toMatchObject({
      status: 'success',
      row_count: EVENTS,
      rows_expected: EVENTS,
      size_bytes: Buffer.byteLength(text),
      cut_by: null,
      expires_at: new Date(fixture.clock.now.getTime() + 30 * 86_400_000),
    });
    expect(await fixture.filesNow()).toEqual([report.file_id]);
  });

  it('begins anew after a crash in the middle, and there is one file in the end', async () => {
    const id = await fixture.order(tenant);
    atSecondPage(() => Promise.reject(new EventsError('EVENTS_UNAVAILABLE', 'gone')));
    await expect(fixture.make(tenant, id)).rejects.toThrow('gone');
    expect(await fixture.reportOf(tenant, id)).toMatchObject({ status: 'running', attempt: 1, file_id: null });
    fixture.hooks.beforeQuery = async () => undefined;
    await fixture.make(tenant, id, { attempt: 2 });
    const report = await fixture.reportOf(tenant, id);
    expect(report).toMatchObject({ status: 'success', attempt: 2, row_count: EVENTS });
    expect(await fixture.filesNow()).toEqual([report.file_id]);
    // The job comes back once more, as when the worker died right after it was done.
    await fixture.make(tenant, id, { attempt: 3 });
    expect(await fixture.reportOf(tenant, id)).toEqual(report);
    expect(await fixture.filesNow()).toEqual([report.file_id]);
  });

  it('is one, though two workers believe the job is theirs', async () => {
    const id = await fixture.order(tenant);
    const results = await Promise.allSettled(Array.from({ length: 2 }, () => fixture.make(tenant, id)));
    expect(results.every(({ status }) => status === 'fulfilled')).toBe(true);
    const report = await fixture.reportOf(tenant, id);
    expect(report).toMatchObject({ status: 'success', row_count: EVENTS });
    expect(await fixture.filesNow()).toEqual([report.file_id]);
  });

  it('stops when the report is cancelled in the middle, and leaves nothing', async () => {
    const id = await fixture.order(tenant);
    const scope = trustedTenantScope(tenant);
    atSecondPage(async () => {
      await fixture.db.tenant(tenant, async (tx) => {
        // As far as it came: it is no file, and takes no room.
        await tx.updateTable('search_report').set({ size_bytes: 450 }).where('id', '=', id).execute();
        await fixture.reports.cancel(tx, scope, id, person);
      });
      fixture.clock.now = new Date(fixture.clock.now.getTime() + 5_000);
    });
    await fixture.make(tenant, id);
    expect(await fixture.reportOf(tenant, id)).toMatchObject({ status: 'cancelled', file_id: null, size_bytes: 0 });
    expect(await fixture.filesNow()).toEqual([]);
    await expect(
      fixture.db.tenant(tenant, (tx) => fixture.reports.cancel(tx, scope, id, person)),
    ).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('is removed when the report was deleted while the last page was written', async () => {
    const id = await fixture.order(tenant);
    atSecondPage(async () => {
      await fixture.db.tenant(tenant, (tx) => fixture.reports.remove(tx, trustedTenantScope(tenant), id, person));
    });
    await fixture.make(tenant, id);
    expect(await fixture.reportsOf(tenant)).toEqual([]);
    expect(await fixture.filesNow()).toEqual([]);
  });

  it('is left to the next worker when this one stops', async () => {
    const id = await fixture.order(tenant);
    const stop = new AbortController();
    atSecondPage(async () => stop.abort(new Error('stopping')));
    await expect(fixture.make(tenant, id, { signal: stop.signal })).rejects.toThrow();
    expect(await fixture.reportOf(tenant, id)).toMatchObject({ status: 'running', file_id: null });
    expect(await fixture.filesNow()).toEqual([]);
  });

  it('is not made for a plan that lost the search, and the report says why', async () => {
    const id = await fixture.order(tenant);
    fixture.plan.enabled = false;
    await fixture.make(tenant, id);
    expect(await fixture.reportOf(tenant, id)).toMatchObject({
      status: 'error',
      failure: 'The plan of this tenant does not include this.',
    });
  });

  it('fails with a sentence when the search is too much for the store, and when all attempts are used', async () => {
    const [heavy, unlucky] = [await fixture.order(tenant), await fixture.order(tenant)];
    fixture.hooks.beforeQuery = () => Promise.reject(new EventsError('EVENTS_QUERY_FAILED', 'select secret from …'));
    await fixture.make(tenant, heavy);
    expect((await fixture.reportOf(tenant, heavy)).failure).toBe('The event store could not read this search.');
    fixture.hooks.beforeQuery = () => Promise.reject(new EventsError('EVENTS_UNAVAILABLE', 'gone'));
    await fixture.make(tenant, unlucky, { attempt: 5 });
    expect(await fixture.reportOf(tenant, unlucky)).toMatchObject({
      status: 'error',
      failure: 'The file could not be written.',
    });
  });
});

describe('a report whose worker stops each time', () => {
  it('ends as failed, and a worker that was there after all writes nothing', async () => {
    const id = await fixture.order(tenant);
    atSecondPage(async () => {
      await fixture.lose(tenant, id);
    });
    await fixture.make(tenant, id);
    expect(await fixture.reportOf(tenant, id)).toMatchObject({
      status: 'error',
      failure: 'The program stopped each time it wrote this file. Narrow the search down and try again.',
      file_id: null,
    });
    expect(await fixture.filesNow()).toEqual([]);
    // One that had ended stays as it is.
    const done = await fixture.order(tenant);
    await fixture.make(tenant, done);
    await fixture.lose(tenant, done);
    expect(await fixture.reportOf(tenant, done)).toMatchObject({ status: 'success' });
  });
});

describe('how far back the plan reaches', () => {
  // The report begins 36 hours before it is ordered.
  it('is what the file of a person reaches, and the report says so', async () => {
    fixture.plan.searchLengthDays = 1;
    await fixture.stores.events.insert([eventRow({ tenant, time: Date.parse('2026-11-20T06:00:00Z') })]);
    const id = await fixture.order(tenant);
    await fixture.make(tenant, id);
    expect(await fixture.reportOf(tenant, id)).toMatchObject({
      status: 'success',
      row_count: EVENTS,
      cut_by: 'plan',
    });
  });

  it('is not short of the minutes between a search of all of it and its order', async () => {
    fixture.plan.searchLengthDays = 1;
    const before = fixture.clock.now;
    fixture.clock.now = new Date('2026-11-21T00:05:00Z');
    const id = await fixture.order(tenant);
    await fixture.make(tenant, id);
    expect(await fixture.reportOf(tenant, id)).toMatchObject({ status: 'success', cut_by: null });
    fixture.clock.now = before;
  });
});

it('does not begin where the files of a tenant have filled its room meanwhile', async () => {
  const id = await fixture.order(tenant);
  const full = await fixture.order(tenant);
  await fixture.make(tenant, full);
  await fixture.db.system((tx) =>
    tx.updateTable('search_report').set({ size_bytes: 10_000_000_000 }).where('id', '=', full).execute(),
  );
  await fixture.make(tenant, id);
  expect(await fixture.reportOf(tenant, id)).toMatchObject({
    status: 'error',
    failure: 'There is no room for another report. Delete some you do not need.',
  });
});

describe('where as many files are made as a worker makes at once', () => {
  it('comes back a few seconds later instead of waiting, and nothing of the report has begun', async () => {
    const ids = [await fixture.order(tenant), await fixture.order(tenant), await fixture.order(tenant)];
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    fixture.hooks.beforeQuery = () => held;
    const two = ids.slice(0, 2).map((id) => fixture.make(tenant, id));
    const third = ids[2] ?? '';
    try {
      await expect(fixture.make(tenant, third)).rejects.toMatchObject({ name: 'JobPostponed', afterMs: 6_000 });
      expect(await fixture.reportOf(tenant, third)).toMatchObject({ status: 'pending', attempt: 0 });
    } finally {
      goOn();
    }
    await Promise.all(two);
    await fixture.make(tenant, third);
    expect((await fixture.reportsOf(tenant)).map(({ status }) => status)).toEqual(['success', 'success', 'success']);
  });

  it('a turn is free again after a file that failed', async () => {
    fixture.hooks.beforeQuery = () => Promise.reject(new EventsError('EVENTS_UNAVAILABLE', 'gone'));
    const id = await fixture.order(tenant);
    for (let n = 0; n < 3; n++) await expect(fixture.make(tenant, id)).rejects.toThrow('gone');
  });
});

describe('what is over', () => {
  it('is taken away: reports after thirty days with their files, and files of crashes after hours', async () => {
    const id = await fixture.order(tenant);
    await fixture.make(tenant, id);
    const { file_id: kept } = await fixture.reportOf(tenant, id);
    const orphan = v7();
    for (const name of [orphan, `${v7()}.part`]) {
      const path = join(fixture.folder, name);
      await writeFile(path, 'x');
      const old = new Date(fixture.clock.now.getTime() - 4 * 3_600_000);
      await utimes(path, old, old);
    }
    await fixture.module.purge();
    expect(await fixture.filesNow()).toEqual([kept]);
    const before = fixture.clock.now;
    fixture.clock.now = new Date(before.getTime() + 30 * 86_400_000);
    await fixture.module.purge();
    expect(await fixture.reportsOf(tenant)).toEqual([]);
    expect(await fixture.filesNow()).toEqual([]);
    fixture.clock.now = before;
  });

  it('ends as failed when its job was given up, which its contacts are told once', async () => {
    const contact = await fixture.newContact(tenant, 'Ana');
    const id = await orderedBySchedule([contact]);
    await addJob(id, 'dead');
    const before = fixture.clock.now;
    fixture.clock.now = new Date(before.getTime() + 25 * 3_600_000);
    for (let time = 0; time < 2; time++) await fixture.module.purge();
    fixture.clock.now = before;
    expect(await fixture.reportOf(tenant, id)).toMatchObject({
      status: 'error',
      failure: 'Making it was never finished.',
    });
    expect(fixture.mails.map(({ to }) => to)).toEqual(['ana@example.com']);
    expect(fixture.mails[0]?.subject).toContain('could not be made');
  });

  it.each(['available', 'scheduled'])('is not what only waits, with a job that is %s', async (state) => {
    const id = await orderedBySchedule([await fixture.newContact(tenant, 'Ana')]);
    await addJob(id, state);
    const before = fixture.clock.now;
    fixture.clock.now = new Date(before.getTime() + 25 * 3_600_000);
    await fixture.module.purge();
    fixture.clock.now = before;
    expect(await fixture.reportOf(tenant, id)).toMatchObject({ status: 'pending', finished_at: null });
    expect(fixture.mails).toEqual([]);
    await fixture.make(tenant, id);
    expect(await fixture.reportOf(tenant, id)).toMatchObject({ status: 'success' });
  });

  async function orderedBySchedule(contacts: string[]): Promise<string> {
    const scope = trustedTenantScope(tenant);
    const { id: schedule } = await fixture.db.tenant(tenant, (tx) =>
      fixture.schedules.create(
        tx,
        scope,
        {
          ...{ name: 'Daily', search: everything, format: 'ndjson', period: 'daily', covers_days: null },
          ...{ at_minute: 360, time_zone: 'UTC', contact_ids: contacts, enabled: true },
        },
        orderer(),
      ),
    );
    const id = await fixture.order(tenant);
    await fixture.db.system((tx) =>
      tx.updateTable('search_report').set({ schedule_id: schedule }).where('id', '=', id).execute(),
    );
    return id;
  }

  async function addJob(report: string, state: string): Promise<void> {
    await fixture.db.system((tx) =>
      sql`insert into engine.job (id, tenant_id, kind, payload, priority, state, available_at, attempt, max_attempts,
          backoff_ms, lease_token, dedup_key, created_at)
        values (${v7()}::uuid, ${tenant}::uuid, ${EXPORT_JOB}, 'null', 0, ${state}, now(), 0, 5, 1000, 0, ${report},
          now())`.execute(tx),
    );
  }
});

it('of thirty exports at once a tenant gets five, and says what to do about the others', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 30 }, () => fixture.order(tenant)));
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  expect(tries.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'CONFLICT' } });
});
