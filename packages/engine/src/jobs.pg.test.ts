import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimJobs } from './claim.ts';
import type { ClaimedJob } from './claimed-job.ts';
import { JobPostponed, StepFailure } from './errors.ts';
import { handBack, heartbeat } from './heartbeat.ts';
import type { EnqueueJobInput, JobContext, JobHandler } from './interfaces.ts';
import { completeJob, enqueueJob, failJob, listDeadJobs } from './jobs.ts';
import { promoteDueJobs, reapEarlierProcess, reapExpiredLeases } from './reap.ts';
import { takeSuspect } from './suspects.ts';
import { createTestDatabase, type TestCluster, type TestDatabase } from './testing/test-database.ts';
import { createGate, createTestEngine, testTenant } from './testing/test-engine.ts';
import { uuidV7 } from './testing/test-ids.ts';
import { testServerUrl } from './testing/test-server.ts';

let cluster: TestCluster;
let database: TestDatabase;
let nowMs = Date.parse('2026-01-01T00:00:00Z');
const now = () => new Date(nowMs);
const deps = { ids: uuidV7, now };
const LEASE_MS = 15_000;

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
  database = cluster.database;
});
afterAll(() => cluster.drop());
beforeEach(async () => {
  await database.sql.query('delete from engine.job');
});

const enqueue = (input: Partial<EnqueueJobInput> = {}) =>
  database.pool.transaction((tx) => enqueueJob(tx, { tenantId: testTenant, kind: 'work', ...input }, deps));
const claim = async (owner: string, limit = 10, afterTenant: string | null = null) =>
  (
    await claimJobs(database.pool, {
      owner,
      kinds: ['work'],
      limit,
      leaseUntil: new Date(nowMs + LEASE_MS),
      afterTenant,
      urgentLimit: 0,
      held: new Map(),
      slotsShared: 1_000,
      slotsAlone: 1_000,
    })
  ).jobs;
const stateOf = async () =>
  (await database.sql.query<{ state: string }>('select state from engine.job')).rows[0]?.state;
const leaseOf = (job: ClaimedJob) => ({ jobId: job.id, token: job.token });
const complete = (owner: string, job: ClaimedJob) =>
  database.pool.transaction((tx) => completeJob(tx, owner, leaseOf(job)));

function only(jobs: readonly ClaimedJob[]): ClaimedJob {
  const [job] = jobs;
  if (!job || jobs.length !== 1) throw new Error(`expected one job, got ${jobs.length}`);
  return job;
}

describe('claiming', () => {
  it('gives every job to exactly one of many workers that claim at once', async () => {
    for (let n = 0; n < 60; n += 1) await enqueue();
    const claims = await Promise.all(Array.from({ length: 8 }, (_, n) => claim(`w${n}`, 10)));
    const ids = claims.flat().map(({ id }) => id);
    const rest = await claim('last', 60);
    expect(new Set([...ids, ...rest.map(({ id }) => id)]).size).toBe(60);
    expect(ids.length + rest.length).toBe(60);
  });

  it('takes higher priority first, then the older job', async () => {
    const low = await enqueue({ priority: -1 });
    const first = await enqueue();
    nowMs += 1;
    const second = await enqueue();
    const high = await enqueue({ priority: 5 });
    const order: string[] = [];
    for (let n = 0; n < 4; n += 1) order.push(only(await claim('w', 1)).id);
    expect(order).toEqual([high.jobId, first.jobId, second.jobId, low.jobId]);
  });

  it('does not let a tenant with many jobs fill the batch while others wait', async () => {
    const [noisy, quietA, quietB] = [uuidV7(), uuidV7(), uuidV7()];
    for (let n = 0; n < 50; n += 1) await enqueue({ tenantId: noisy, priority: 100 });
    await enqueue({ tenantId: quietA });
    await enqueue({ tenantId: quietB });
    const jobs = await claim('w', 9);
    expect(jobs.filter(({ tenantId }) => tenantId === noisy)).toHaveLength(3);
    expect(jobs.map(({ tenantId }) => tenantId)).toEqual(expect.arrayContaining([quietA, quietB]));
  });

  it('goes round the tenants when it may take only one job at a time', async () => {
    const tenants = [uuidV7(), uuidV7(), uuidV7()];
    for (const tenantId of tenants) for (let n = 0; n < 3; n += 1) await enqueue({ tenantId });
    const served: string[] = [];
    for (let n = 0; n < 6; n += 1) served.push(only(await claim('w', 1, served.at(-1) ?? null)).tenantId);
    expect(served).toEqual([...tenants, ...tenants]);
  });

  it('gives out jobs of the lowest tenant id too, in every round: work of the whole installation has the nil id', async () => {
    const tenantId = '00000000-0000-0000-0000-000000000000';
    await enqueue({ tenantId });
    await enqueue();
    expect(only(await claim('w', 1)).tenantId).toBe(tenantId);
    expect(only(await claim('w', 1, tenantId)).tenantId).toBe(testTenant);
    await enqueue({ tenantId });
    expect(only(await claim('w', 1, testTenant)).tenantId).toBe(tenantId);
  });

  it('leaves jobs of kinds it has no handler for', async () => {
    await enqueue({ kind: 'other' });
    expect(await claim('w')).toEqual([]);
  });

  it('does not give out a job before its time', async () => {
    await enqueue({ runAt: new Date(nowMs + 1_000) });
    const promote = () => database.pool.transaction((tx) => promoteDueJobs(tx, now()));
    expect(await promote()).toBe(0);
    expect(await claim('w')).toEqual([]);
    nowMs += 1_000;
    expect(await promote()).toBe(1);
    expect(await claim('w')).toHaveLength(1);
  });

  it('keeps one live job per key and accepts the key again afterwards', async () => {
    const first = await enqueue({ dedupKey: 'k' });
    expect(await enqueue({ dedupKey: 'k' })).toEqual({ jobId: first.jobId, created: false });
    expect((await enqueue({ dedupKey: 'k', tenantId: uuidV7() })).created).toBe(true);
    for (const job of await claim('w')) await complete('w', job);
    expect((await enqueue({ dedupKey: 'k' })).created).toBe(true);
  });
});

describe('leases', () => {
  it('takes back an expired lease with a higher token and refuses the late result of the old holder', async () => {
    await enqueue();
    const before = only(await claim('paused'));
    const reap = () => database.pool.transaction((tx) => reapExpiredLeases(tx, now()));
    expect(await reap()).toBe(0);
    nowMs += LEASE_MS + 1;
    expect(await reap()).toBe(1);
    const after = only(await claim('fresh'));
    expect(after).toMatchObject({ id: before.id, attempt: 2 });
    expect(after.token).toBeGreaterThan(before.token);
    await expect(complete('paused', before)).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await expect(complete('fresh', { ...after, token: before.token })).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await complete('fresh', after);
  });

  it('brings a job that was lost even alone back later, so that it does not end a worker all the time', async () => {
    await enqueue();
    const reap = () => database.pool.transaction((tx) => reapExpiredLeases(tx, now()));
    const take = () =>
      takeSuspect(database.pool, {
        ...{ owner: 'w', kinds: ['work'], now: now(), reserved: null },
        leaseUntil: new Date(nowMs + LEASE_MS),
      });
    for (let n = 1; n <= 3; n += 1) {
      const attempt = n < 3 ? only(await claim('w')).attempt : (await take())?.attempt;
      expect(attempt).toBe(n);
      nowMs += LEASE_MS + 1;
      expect(await reap()).toBe(1);
    }
    expect(await take()).toBeNull();
    nowMs += 1_000;
    await database.pool.transaction((tx) => promoteDueJobs(tx, now()));
    expect(await take()).toMatchObject({ attempt: 4 });
  });

  it('refuses a failure report of a worker that lost its lease', async () => {
    await enqueue();
    const before = only(await claim('paused'));
    nowMs += LEASE_MS + 1;
    await database.pool.transaction((tx) => reapExpiredLeases(tx, now()));
    const error = { code: 'X', message: 'x', retryable: true };
    const late = database.pool.transaction((tx) => failJob(tx, 'paused', leaseOf(before), { error, retryAt: null }));
    await expect(late).rejects.toMatchObject({ code: 'LEASE_LOST' });
    expect(await claim('fresh')).toHaveLength(1);
  });

  it('extends all held leases by one heartbeat and reports the lost ones', async () => {
    for (let n = 0; n < 3; n += 1) await enqueue();
    const jobs = await claim('w');
    nowMs += LEASE_MS - 1;
    const stolen = { ...leaseOf(jobs[0] as ClaimedJob), token: 99 };
    const held = [stolen, ...jobs.slice(1).map(leaseOf)];
    const leaseUntil = new Date(nowMs + LEASE_MS);
    const result = await database.pool.transaction((tx) => heartbeat(tx, { owner: 'w', held, leaseUntil }));
    expect(result).toEqual({ lost: [stolen.jobId], toAbort: [] });
    nowMs += 2;
    expect(await database.pool.transaction((tx) => reapExpiredLeases(tx, now()))).toBe(1);
  });

  it('hands leases back at once and does not count the attempt', async () => {
    await enqueue();
    const job = only(await claim('w'));
    await database.pool.transaction((tx) => handBack(tx, 'w', [leaseOf(job)]));
    expect(only(await claim('other')).attempt).toBe(1);
  });

  it('lets a restarted exclusive worker take its own leases back, and nobody else its', async () => {
    await enqueue();
    await enqueue();
    await claim('main/old', 1);
    await claim('mainland/other', 1);
    const worker = { name: 'main', owner: 'main/new', now: now() };
    expect(await database.pool.transaction((tx) => reapEarlierProcess(tx, worker))).toBe(1);
    expect(await claim('main/new')).toHaveLength(1);
  });
});

describe('a running engine', () => {
  async function withHandler(
    handler: JobHandler['run'] | JobHandler,
    test: (engine: ReturnType<typeof createTestEngine>) => Promise<void>,
  ) {
    const made = createTestEngine(database, {
      jobHandlers: { work: typeof handler === 'function' ? { run: handler } : handler },
      clock: { now: () => now() },
      options: { followDatabaseClock: false, maxBackoffMs: 1_000 },
    });
    await made.engine.start();
    try {
      await test(made);
    } finally {
      await made.engine.stop();
    }
  }

  it('comes back later, with no attempt counted, when there is no room for it', async () => {
    const attempts: number[] = [];
    const done = createGate();
    const work = async (job: JobContext) => {
      attempts.push(job.attempt);
      if (attempts.length < 3) throw new JobPostponed(1_000);
      done.open();
    };
    await withHandler(work, async () => {
      await enqueue({ maxAttempts: 1 });
      for (let times = 1; times < 3; times += 1) {
        await expect.poll(async () => [attempts.length, await stateOf()]).toEqual([times, 'scheduled']);
        nowMs += 1_000;
      }
      await done.opened;
    });
    expect(attempts).toEqual([1, 1, 1]);
    expect(await stateOf()).toBeUndefined();
  });

  it('retries with back-off by its clock and then puts the job away as dead letter', async () => {
    const attempts: number[] = [];
    const failed = createGate();
    const work = async (job: JobContext) => {
      attempts.push(job.attempt);
      if (attempts.length === 1) failed.open();
      throw new StepFailure('DOWN', 'the other side is down', { retryable: true });
    };
    await withHandler(work, async ({ monitor }) => {
      const { jobId } = await enqueue({ maxAttempts: 3, backoffMs: 1_000, payload: { n: 1 } });
      await failed.opened;
      const dead = monitor.until((event) => event.type === 'job.dead');
      const advance = setInterval(() => {
        nowMs += 500;
      }, 5);
      expect(await dead).toMatchObject({ jobId, jobKind: 'work', attempt: 3, error: { code: 'DOWN' } });
      clearInterval(advance);
      expect(attempts).toEqual([1, 2, 3]);
      const letters = await listDeadJobs(database.sql, { tenantId: testTenant, limit: 10 });
      expect(letters).toMatchObject([{ id: jobId, payload: { n: 1 }, attempt: 3, error: { code: 'DOWN' } }]);
    });
  });

  it('puts away a job whose worker stopped in each attempt, and tells who made it, whatever comes of that', async () => {
    const told: unknown[] = [];
    const handler: JobHandler = {
      run: () => Promise.reject(new Error('not called again')),
      async onLost({ payload }) {
        told.push(payload);
        throw new Error('nobody is there');
      },
    };
    await enqueue({ payload: { n: 7 }, maxAttempts: 2 });
    await database.sql.query('update engine.job set attempt = 2');
    await withHandler(handler, async ({ monitor }) => {
      expect(await monitor.until((event) => event.type === 'job.dead')).toMatchObject({
        error: { code: 'WORKER_LOST' },
      });
    });
    expect(told).toEqual([{ n: 7 }]);
  });

  it('does not retry what cannot succeed', async () => {
    await withHandler(
      async () => {
        throw new StepFailure('WRONG', 'no use');
      },
      async ({ monitor }) => {
        await enqueue({ maxAttempts: 5 });
        expect(await monitor.until((event) => event.type === 'job.dead')).toMatchObject({ attempt: 1 });
      },
    );
  });

  it('completes a job in the same transaction as what the handler writes', async () => {
    await database.sql.query('create table public.cursor (position int)');
    const done = createGate();
    const work = async (job: JobContext) => {
      await database.pool.transaction(async (tx) => {
        await tx.query('insert into public.cursor values (1)');
        await job.completeIn(tx);
      });
      done.open();
    };
    await withHandler(work, async () => {
      await enqueue();
      await done.opened;
      const { rows } = await database.sql.query(
        'select (select count(*)::int from engine.job) as jobs, (select count(*)::int from public.cursor) as rows',
      );
      expect(rows).toEqual([{ jobs: 0, rows: 1 }]);
    });
  });
});
