import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sqlClient } from '../../storage/database.ts';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { askStalledWork } from './ask-stalled-work.ts';
import { findStalledWork } from './stalled-work.ts';

let stores: TestDatabase;
const tenant = v7();

beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores?.close());
beforeEach(async () => {
  await stores.database.system(async (tx) => {
    await sql`delete from engine.job`.execute(tx);
    await sql`delete from engine.cron`.execute(tx);
    await sql`delete from engine.clock_shift`.execute(tx);
    await sql`delete from process_report`.execute(tx);
    await sql`delete from restore_fence`.execute(tx);
  });
});

/** A job that became due so many seconds ago. With a lease: one that ends so many seconds from now. Returns its id. */
async function job(state: string, dueS: number, leaseS?: number): Promise<string> {
  const owner = leaseS === undefined ? null : 'present/worker';
  const id = v7();
  await stores.database.system((tx) =>
    sql`insert into engine.job (id, tenant_id, kind, payload, priority, state, available_at, attempt, max_attempts,
        backoff_ms, lease_token, lease_owner, lease_until, created_at)
      values (${id}::uuid, ${tenant}::uuid, 'test', 'null', 0, ${state}, now() - ${dueS} * interval '1 second', 0, 1, 1000, 0,
        ${owner}, now() + ${leaseS ?? null}::float8 * interval '1 second', now())`.execute(tx),
  );
  return id;
}

/** A schedule whose next slot is so many seconds ahead. */
async function schedule(name: string, nextS: number): Promise<void> {
  await stores.database.system((tx) =>
    sql`insert into engine.cron (tenant_id, name, expression, kind, payload, max_attempts, next_slot_at, updated_at)
      values (${tenant}::uuid, ${name}, '0 5 * * *', 'test', 'null', 1, now() + ${nextS} * interval '1 second', now())`.execute(
      tx,
    ),
  );
}

/** Its slot of so many seconds ago, as a worker fires it. Returns the job. */
async function fire(name: string, slotS: number): Promise<string> {
  const id = await job('available', slotS);
  await stores.database.system((tx) =>
    sql`insert into engine.cron_slot (tenant_id, name, slot_at, job_id)
      values (${tenant}::uuid, ${name}, now() - ${slotS} * interval '1 second', ${id}::uuid)`.execute(tx),
  );
  return id;
}

const done = (id: string) =>
  stores.database.system((tx) => sql`delete from engine.job where id = ${id}::uuid`.execute(tx));
const giveUp = (id: string) =>
  stores.database.system((tx) => sql`update engine.job set state = 'dead' where id = ${id}::uuid`.execute(tx));

async function report(role: 'worker' | 'api', seenS: number): Promise<void> {
  const seen_at = new Date(Date.now() - seenS * 1_000);
  const row = { id: v7(), role, host: 'h', release: '1', node: 'v22', started_at: seen_at, seen_at, figures: '{}' };
  await stores.database.system((tx) => tx.insertInto('process_report').values(row).execute());
}

const look = (kinds: string[] | null = ['test']) =>
  stores.database.system((tx) => findStalledWork(sqlClient(tx), kinds));
const ageS = (since: string | undefined) => Math.round((Date.now() - Date.parse(since ?? '')) / 1_000);

describe('work that nobody takes up', () => {
  it('is told with how much waits and since when, where no worker is there', async () => {
    await job('available', 300);
    await job('scheduled', 90);
    await job('scheduled', -90);
    await job('held', 900);
    await job('dead', 900);
    await report('api', 1);
    await report('worker', 45);
    const found = await look();
    expect(found).toMatchObject({ due: 2, workers: 0 });
    expect(ageS(found?.since)).toBeCloseTo(300, -1);
  });

  it('is told of what a worker held that is gone', async () => {
    await job('leased', 900, -120);
    const found = await look();
    expect(found).toMatchObject({ due: 1 });
    expect(ageS(found?.since)).toBeCloseTo(120, -1);
  });

  it('is not told of what only another release carries out, unless nobody can say what that is', async () => {
    await job('available', 300);
    expect(await look(['other'])).toBeNull();
    expect(await look(null)).toMatchObject({ due: 1 });
  });

  it('is told of schedules that are due', async () => {
    await schedule('daily', -120);
    expect(await look()).toMatchObject({ due: 1 });
  });

  it('counts the workers that are there and take none of it', async () => {
    await job('available', 300);
    await report('worker', 5);
    expect(await look()).toMatchObject({ due: 1, workers: 1 });
  });

  it('is seen from outside as well, with the processes there are', async () => {
    await job('available', 300);
    await report('api', 1);
    await report('worker', 45);
    expect(await askStalledWork(stores.url)).toMatchObject({ stalled: { due: 1, workers: 0 }, processes: 1 });
    const unmade = new URL(stores.url);
    unmade.pathname = '/postgres';
    expect(await askStalledWork(unmade.href)).toBeUndefined();
    await expect(askStalledWork('postgresql://air@127.0.0.1:1/air')).rejects.toThrow();
  });

  it('is not told of what waits for workers of this release, while those of the one before do what they know', async () => {
    await schedule('new in this release', -300);
    await job('available', 300);
    await schedule('known', 10);
    const slot = await fire('known', 5);
    expect(await look()).toMatchObject({ due: 3 });
    await done(slot);
    expect(await look()).toBeNull();
  });

  it('is told of where the last that was done began more than a minute ago', async () => {
    await job('available', 300);
    await schedule('known', 10);
    await done(await fire('known', 75));
    const later = await fire('known', 5);
    expect(await look()).toMatchObject({ due: 2 });
    await giveUp(later);
    expect(await look()).toMatchObject({ due: 1 });
  });

  it('is no matter of a long queue while a worker has anything in hand', async () => {
    await job('available', 3_600);
    await job('leased', 3_600, 10);
    expect(await look()).toBeNull();
  });

  it('may wait for a minute', async () => {
    await job('available', 40);
    expect(await look()).toBeNull();
  });

  it('waits as it should behind a restore fence', async () => {
    await job('available', 300);
    await stores.database.system((tx) =>
      tx
        .insertInto('restore_fence')
        .values({ state: 'up', backup_taken_at: new Date(), restored_at: new Date(), lifted_at: null } as never)
        .execute(),
    );
    expect(await look()).toBeNull();
  });

  it('is measured in the time leases are written in, also after the clock of the database was set', async () => {
    await job('leased', -3_500, -3_500);
    await job('available', 3_540);
    // The clock went forward by an hour just now: the engine goes on from before.
    await stores.database.system((tx) =>
      sql`insert into engine.clock_shift (generation, shift_ms, set_at) values (1, -3600000, now())`.execute(tx),
    );
    expect(await look()).toBeNull();
  });
});
