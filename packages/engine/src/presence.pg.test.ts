/** Workers that are killed while their leases have an hour to go, and workers that only seem to be gone. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLostWorkers, findAbsent, PRESENT, showPresence } from './lost-workers.ts';
import { listRunSteps } from './reads.ts';
import { chain, fiveCalls, resolveCrashPlaybook } from './testing/crash-definitions.ts';
import { callsOf, createEffectLedger, endedRuns, untilAllEnded } from './testing/effect-ledger.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, testTenant } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';
import { startWorker, type WorkerProcess } from './testing/worker-process.ts';

const HOUR_MS = 3_600_000;
const longLease = { leaseMs: HOUR_MS, heartbeatMs: 50, absentMs: 150 };

let cluster: TestCluster;
const workers: WorkerProcess[] = [];

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
});
afterAll(() => cluster.drop());
afterEach(async () => {
  await Promise.all(workers.splice(0).map(({ kill }) => kill()));
});

describe('a worker that is killed', () => {
  it('has its runs go on at another one, and at the one started in its place, long before its leases end', {
    timeout: 300_000,
  }, async () => {
    const RUNS = 24;
    const ledger = await createEffectLedger(cluster);
    const environment = {
      CRASH_DATABASE_URL: cluster.database.url,
      CRASH_EFFECTS_URL: ledger.url,
      CRASH_LEASE_MS: String(HOUR_MS),
    };
    const launch = async () => {
      const worker = await startWorker(new URL('./testing/crash-child.ts', import.meta.url), environment);
      workers.push(worker);
      return worker;
    };
    const [one, two] = await Promise.all([launch(), launch()]);
    const caller = createTestEngine(cluster.database, { resolvePlaybook: resolveCrashPlaybook });
    for (let n = 0; n < RUNS; n += 1) await caller.start(fiveCalls(n));
    await ledger.grownBy(5);
    // Only one is left, then none, then the one in their place.
    await one.kill();
    await ledger.grownBy(5);
    await two.kill();
    await launch();
    await untilAllEnded(cluster.database);

    const calls = await callsOf(cluster.database);
    expect([...(await endedRuns(cluster.database)).values()]).toEqual(Array(RUNS).fill('success'));
    expect(calls.filter(({ status, code }) => status !== 'success' && code !== 'OUTCOME_UNKNOWN')).toEqual([]);
    expect(await ledger.doubled()).toEqual([]);
    // The kills met work: otherwise they prove nothing.
    expect(calls.filter(({ attempt, code }) => attempt > 1 || code === 'OUTCOME_UNKNOWN').length).toBeGreaterThan(0);
  });
});

describe('a worker that lives and has lost all its connections', () => {
  it.each([
    ['put', { status: 'success', attempt: 2 }],
    ['change', { status: 'error', attempt: 1, error: { code: 'OUTCOME_UNKNOWN' } }],
  ])(
    'has its "%s" step in mid-call taken over as after the end of a lease, and can say nothing of it',
    async (action, ends) => {
      const [reached, resume] = [createGate(), createGate()];
      const own = cluster.open();
      const cut = createTestEngine(own, {
        keepSession: own.keepSession,
        async executeStep({ markCallStarted }) {
          await markCallStarted();
          reached.open();
          await resume.opened;
          return 'from the one that was cut off';
        },
        options: { ...longLease, stopTimeoutMs: 50 },
      });
      await cut.engine.start();
      const runId = await cut.start({ definition: chain(action) });
      await reached.opened;
      await own.sever();
      const heirs = cluster.open();
      const heir = createTestEngine(heirs, {
        keepSession: heirs.keepSession,
        executeStep: async () => 'heir',
        options: longLease,
      });
      await heir.engine.start();
      await heir.monitor.finished(runId);
      const before = await listRunSteps(cluster.database.sql, { tenantId: testTenant, runId });
      expect(before).toMatchObject([ends]);
      resume.open();
      await cut.engine.stop().catch(() => undefined);
      await heir.engine.stop();
      expect(await listRunSteps(cluster.database.sql, { tenantId: testTenant, runId })).toEqual(before);
    },
  );
});

describe('a worker that lives and has lost only the session that shows it', () => {
  it('keeps what it holds as long as it extends its leases', async () => {
    const session = cluster.open();
    const gate = createGate();
    const reached = createGate();
    const worker = createTestEngine(cluster.open(), {
      keepSession: session.keepSession,
      async executeStep() {
        reached.open();
        await gate.opened;
      },
      options: { ...longLease, heartbeatMs: 10 },
    });
    await worker.engine.start();
    const runId = await worker.start({ definition: chain('read') });
    await reached.opened;
    const look = () => cluster.database.pool.transaction((tx) => findAbsent(tx, 'nobody'));
    expect(await look()).toEqual([]);
    await session.sever();
    const seen = async () => {
      for (;;) {
        const [absent] = await look();
        if (absent) return absent;
        await sleep(5);
      }
    };
    let nowMs = 0;
    const lost = createLostWorkers({ nowMs: () => nowMs, absentMs: 1_500 });
    for (let beat = 0; beat < 3; beat += 1) {
      const absent = await seen();
      expect(lost.note([absent])).toEqual([]);
      nowMs += 2_000;
      while ((await seen()).leaseUntil.getTime() === absent.leaseUntil.getTime()) await sleep(5);
    }
    gate.open();
    await worker.monitor.finished(runId);
    await worker.engine.stop();
  });
});

describe('the lock of a worker', () => {
  it('is found by whoever looks in the same database, comes back with its session, and goes with its end', async () => {
    const handle = cluster.open();
    const owner = `${PRESENT}somebody`;
    await cluster.database.sql.query(
      `insert into engine.job (id, tenant_id, kind, priority, state, available_at, attempt, max_attempts, backoff_ms,
         lease_owner, lease_token, lease_until, created_at)
       values (gen_random_uuid(), $1, 'x', 0, 'leased', now(), 1, 1, 1, $2, 1, now(), now()),
         (gen_random_uuid(), $1, 'x', 0, 'leased', now(), 1, 1, 1, 'worker/old', 1, now(), now())`,
      [testTenant, owner],
    );
    const absent = async () =>
      (await cluster.database.pool.transaction((tx) => findAbsent(tx, 'nobody'))).map((each) => each.owner);
    expect(await absent()).toEqual([owner]);
    const leave = await showPresence(handle.keepSession, owner);
    expect(await absent()).toEqual([]);
    const holder = async () => {
      const { rows } = await cluster.database.sql.query<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and objsubid = 2 and granted
           and database = (select oid from pg_database where datname = current_database())`,
      );
      return rows[0]?.pid ?? null;
    };
    const first = await holder();
    await cluster.database.sql.query('select pg_terminate_backend($1)', [first]);
    await expect.poll(holder, { timeout: 30_000, interval: 5 }).not.toSatisfy((pid) => pid === first || pid === null);
    expect(await absent()).toEqual([]);
    await leave();
    await expect.poll(absent, { timeout: 30_000, interval: 5 }).toEqual([owner]);
    await cluster.database.sql.query(`delete from engine.job where kind = 'x'`);
  });
});
