import type { JobContext } from '@airdeck/engine/interfaces';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, quietLog, type TestDatabase } from '../../storage/test-database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { findReport, insertReport, type ReportRow } from './executive-reports-repository.ts';
import { createExecutiveReportsService } from './executive-reports-service.ts';
import { createMakeJob } from './make-job.ts';
import { octoberFacts } from './pdf/facts-fixture.ts';

const now = () => new Date('2026-11-01T06:00:00.000Z');
const files = new Set<string>();
/** Reports that ended, in the order in which somebody is told. */
const told: ReportRow[] = [];
let whileGathering: () => Promise<unknown>;

let stores: TestDatabase;
let tenant: string;
let job: ReturnType<typeof createMakeJob>;

beforeAll(async () => {
  stores = await createTestDatabase();
  job = createMakeJob({
    ...{ db: stores.database, ids: v7, now, log: quietLog },
    files: {
      async put(id, content) {
        let sizeBytes = 0;
        for await (const bytes of content) sizeBytes += bytes.length;
        files.add(id);
        return sizeBytes;
      },
      remove: async (id) => void files.delete(id),
    },
    async gather() {
      await whileGathering();
      return octoberFacts();
    },
    layOut: async () => ({ bytes: new Uint8Array(100), pages: 3 }),
    onEnd: async (_tx, _scope, row) => void told.push(row),
  });
});
afterAll(() => stores?.close());
beforeEach(async () => {
  tenant = v7();
  const sku_info = JSON.stringify({ sku_name: 'test' });
  await stores.database.system((tx) =>
    tx.insertInto('tenant').values({ id: tenant, name: 'Example Ltd', managed_by: null, sku_info }).execute(),
  );
  whileGathering = async () => undefined;
  files.clear();
  told.length = 0;
});

/** Waits to be made. */
async function ordered(): Promise<string> {
  const id = v7();
  await stores.database.tenant(tenant, (tx) =>
    insertReport(tx, {
      ...{ id, tenant_id: tenant, kind: 'on_demand', month: '2026-10', name: 'October', locale: 'en-US' },
      ...{ time_zone: 'UTC', range_start: new Date('2026-10-01'), range_end: new Date('2026-11-01') },
      ...{ status: 'pending', attempt: 0, created_at: now(), created_by: 'bo@example.com', asked_by: v7() },
      ...{ updated_at: now(), finished_at: null, failure: null, file_id: null, size_bytes: 0, pages: 0 },
      ...{ facts: null, expires_at: null },
    }),
  );
  return id;
}

async function make(id: string): Promise<void> {
  const context: JobContext = {
    ...{ jobId: v7(), tenantId: tenant, kind: 'executive-reports.make', payload: { report_id: id }, attempt: 1 },
    ...{ signal: new AbortController().signal, completeIn: async () => undefined },
  };
  await job.run(context);
}

const lose = async (id: string) => job.onLost?.({ jobId: v7(), tenantId: tenant, payload: { report_id: id } });
const reportOf = (id: string) => stores.database.tenant(tenant, (tx) => findReport(tx, trustedTenantScope(tenant), id));

describe('an executive report whose worker stops each time', () => {
  it('ends as failed at once, says what to do, and whoever asked is told', async () => {
    const id = await ordered();
    await lose(id);
    expect(await reportOf(id)).toMatchObject({
      status: 'error',
      failure:
        'The program stopped each time it made this report. Make it again; if it fails again, tell who runs this installation.',
      finished_at: now(),
    });
    expect(told.map((row) => [row.id, row.status])).toEqual([[id, 'error']]);
  });

  it('stays as failed though a worker was there after all, which leaves no file and tells nobody', async () => {
    const id = await ordered();
    whileGathering = () => lose(id);
    await make(id);
    expect(await reportOf(id)).toMatchObject({ status: 'error', file_id: null, pages: 0 });
    expect([...files]).toEqual([]);
    expect(told.map(({ status }) => status)).toEqual(['error']);
  });

  it('stays as it is when it had ended', async () => {
    const id = await ordered();
    await make(id);
    const done = await reportOf(id);
    expect(done).toMatchObject({ status: 'success', pages: 3 });
    await lose(id);
    expect(await reportOf(id)).toEqual(done);
    expect([...files]).toEqual([done?.file_id]);
    expect(told).toHaveLength(1);
  });
});

describe('an executive report that is made anew', () => {
  const by = { actor: { kind: 'user', id: null, name: 'bo@example.com' }, requestId: null } as const;

  /** By the clock of a machine that is an hour behind the one that ordered before. */
  const idsOfSlowClock = () => v7({ msecs: Date.now() - 3_600_000 });

  async function orderedAnew(ids: () => string = v7): Promise<string> {
    const reports = createExecutiveReportsService({
      ...{ ids, now, enqueue: async () => undefined, audit: { record: async () => undefined } },
      tenants: { get: async () => ({ name: 'Example Ltd', brand: { display_name: '' } }) as never },
      settings: { habits: async () => ({ locale: 'en-US', timeZone: 'UTC' }) },
    });
    const wanted = { kind: 'on_demand', month: '2026-10', locale: 'en-US', timeZone: 'UTC' } as const;
    const order = { ...wanted, createdBy: 'bo@example.com', askedBy: null };
    return (await stores.database.system((tx) => reports.order(tx, trustedTenantScope(tenant), order, by))).id;
  }

  it('stands beside the one of before until it is there, and takes its place with its file', async () => {
    const first = await ordered();
    await make(first);
    const second = await orderedAnew();
    expect(second).not.toBe(first);
    let meanwhile: ReportRow | undefined;
    whileGathering = async () => {
      meanwhile = await reportOf(first);
      expect(await orderedAnew()).toBe(second);
    };
    await make(second);
    expect(meanwhile).toMatchObject({ status: 'success', file_id: expect.any(String) });
    expect(await reportOf(first)).toBeUndefined();
    expect([...files]).toEqual([(await reportOf(second))?.file_id]);
  });

  it('leaves the one of before in its place when it fails, which the next try leaves alone too', async () => {
    const first = await ordered();
    await make(first);
    const done = await reportOf(first);
    const second = await orderedAnew();
    await lose(second);
    expect(await reportOf(first)).toEqual(done);
    expect([...files]).toEqual([done?.file_id]);
    const third = await orderedAnew();
    expect(await reportOf(first)).toEqual(done);
    expect(await reportOf(second)).toBeUndefined();
    await make(third);
    expect(await reportOf(first)).toBeUndefined();
  });

  it('takes the place of the one of before though the machine that ordered it was behind, and once', async () => {
    const first = await ordered();
    await make(first);
    const second = await orderedAnew(idsOfSlowClock);
    expect(second < first).toBe(true);
    expect(await orderedAnew()).toBe(second);
    await make(second);
    expect(await reportOf(first)).toBeUndefined();
    expect([...files]).toEqual([(await reportOf(second))?.file_id]);
  });

  it('goes with the next try when it failed, though the machine that ordered it was behind', async () => {
    const first = await ordered();
    await make(first);
    const second = await orderedAnew(idsOfSlowClock);
    await lose(second);
    const third = await orderedAnew(idsOfSlowClock);
    expect(await reportOf(second)).toBeUndefined();
    expect(await reportOf(first)).toMatchObject({ status: 'success' });
    await make(third);
    expect(await reportOf(first)).toBeUndefined();
  });
});
