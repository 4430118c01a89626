/** Processes paused with SIGSTOP until their leases are over and others have taken over, then let go on. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import { listRunSteps, listStalledRuns } from './reads.ts';
import { CALLS_PER_RUN, fiveCalls, resolveCrashPlaybook } from './testing/crash-definitions.ts';
import { callsOf, createEffectLedger, endedRuns, untilAllEnded } from './testing/effect-ledger.ts';
import { createTestDatabase, type TestCluster, type TestDatabase } from './testing/test-database.ts';
import { createTestEngine, testTenant } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';
import { startWorker, type WorkerProcess } from './testing/worker-process.ts';

const workers: WorkerProcess[] = [];
const crashChild = new URL('./testing/crash-child.ts', import.meta.url);

async function started(script: URL, environment: Record<string, string>): Promise<WorkerProcess> {
  const worker = await startWorker(script, environment);
  workers.push(worker);
  return worker;
}

afterEach(async () => {
  await Promise.all(workers.splice(0).map(({ kill }) => kill()));
});

describe('a process that was paused past its lease in the middle of a step', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await createTestDatabase(testServerUrl());
    await cluster.database.sql.query('create table public.effect (key text, worker text)');
  });
  afterAll(() => cluster.drop());

  /** Stops it where `place` says, has another worker end the run, lets it go on, and waits until it has nothing left to say. */
  async function pausedDuring(action: string, place: 'before' | 'after') {
    const paused = await started(new URL('./testing/paused-child.ts', import.meta.url), {
      CRASH_DATABASE_URL: cluster.database.url,
    });
    const heir = createTestEngine(cluster.open(), {
      async executeStep({ idempotencyKey, markCallStarted }) {
        await markCallStarted();
        const { sql } = cluster.database;
        await sql.query('insert into public.effect (key, worker) values ($1, $2)', [idempotencyKey, 'heir']);
        return 'heir';
      },
    });
    const definition: Definition = {
      actions: [{ id: 'a', kind: 'action', action, input: place, on_error: 'continue' }],
    };
    const runId = await heir.start({ definition });
    await paused.said('reached');
    paused.signal('SIGSTOP');
    await heir.engine.start();
    await heir.monitor.finished(runId);
    const before = await stepOf(runId);
    paused.tell('go');
    paused.tell('stop');
    paused.signal('SIGCONT');
    await paused.ended;
    await heir.engine.stop();
    const { rows: effects } = await cluster.database.sql.query<{ worker: string }>(
      'select worker from public.effect where key = $1 order by worker',
      [`${runId}:a:0`],
    );
    return { paused, before, after: await stepOf(runId), effects: effects.map(({ worker }) => worker) };
  }

  async function stepOf(runId: string) {
    const [step] = await listRunSteps(cluster.database.sql, { tenantId: testTenant, runId });
    return step;
  }

  it('may not call any more: the other one has', async () => {
    const { paused, before, after, effects } = await pausedDuring('change', 'before');
    await paused.said('refused LEASE_LOST');
    expect(before).toMatchObject({ status: 'success', output: 'heir', attempt: 2 });
    expect(after).toEqual(before);
    expect(effects).toEqual(['heir']);
    expect(paused.how()).toBe(0);
  });

  it('cannot record the result of a call nobody may repeat: it stays unknown, and was made once', async () => {
    const { paused, before, after, effects } = await pausedDuring('change', 'after');
    expect(before).toMatchObject({ status: 'error', error: { code: 'OUTCOME_UNKNOWN' }, attempt: 1 });
    expect(after).toEqual(before);
    expect(effects).toEqual(['paused']);
    expect(paused.how()).toBe(0);
  });

  it('cannot replace the result of whoever repeated a call that may be repeated', async () => {
    const { before, after, effects } = await pausedDuring('put', 'after');
    expect(before).toMatchObject({ status: 'success', output: 'heir', attempt: 2 });
    expect(after).toEqual(before);
    expect(effects).toEqual(['heir', 'paused']);
  });
});

describe('processes that are paused past their leases in turn under load', () => {
  const PAUSES = 4;
  const RUNS_PER_PAUSE = 12;
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await createTestDatabase(testServerUrl());
  });
  afterAll(() => cluster.drop());

  it('double no effect, lose no run, and go on working', { timeout: 600_000 }, async () => {
    const ledger = await createEffectLedger(cluster);
    const environment = { CRASH_DATABASE_URL: cluster.database.url, CRASH_EFFECTS_URL: ledger.url };
    const pair = await Promise.all([started(crashChild, environment), started(crashChild, environment)]);
    const caller = createTestEngine(cluster.database, { resolvePlaybook: resolveCrashPlaybook });
    for (let pause = 0; pause < PAUSES; pause += 1) {
      for (let n = 0; n < RUNS_PER_PAUSE; n += 1) await caller.start(fiveCalls(pause * RUNS_PER_PAUSE + n));
      await ledger.grownBy(5);
      const worker = pair[pause % pair.length];
      worker?.signal('SIGSTOP');
      await untilTakenBack(cluster.database);
      worker?.signal('SIGCONT');
    }
    await untilAllEnded(cluster.database);

    const [calls, keys, runs] = await Promise.all([
      callsOf(cluster.database),
      ledger.keys(),
      endedRuns(cluster.database),
    ]);
    const succeeded = calls.filter(({ status }) => status === 'success');
    expect(await ledger.doubled()).toEqual([]);
    expect([...runs.values()]).toEqual(Array(PAUSES * RUNS_PER_PAUSE).fill('success'));
    expect(calls).toHaveLength(PAUSES * RUNS_PER_PAUSE * CALLS_PER_RUN);
    expect(calls.filter(({ status, code }) => status !== 'success' && code !== 'OUTCOME_UNKNOWN')).toEqual([]);
    expect(succeeded.filter(({ key }) => !keys.has(key))).toEqual([]);
    expect(succeeded.length).toBeGreaterThan(calls.length * 0.7);
    // Leases did run out under their holders, or this proves nothing.
    expect(calls.filter(({ attempt, code }) => attempt > 1 || code === 'OUTCOME_UNKNOWN').length).toBeGreaterThan(0);
    expect(await listStalledRuns(cluster.database.sql, 10)).toEqual([]);
    expect(pair.map((worker) => worker.how())).toEqual([null, null]);
  });
});

/**
 * Resolves when none of the leases there are now is left: their work is done, or they have run out. A process paused in the
 * middle of a transaction keeps its rows locked until it goes on: after some five seconds it is let go all the same.
 */
async function untilTakenBack({ sql }: TestDatabase): Promise<void> {
  type Lease = { id: string; token: string };
  const { rows: leases } = await sql.query<Lease>(
    `select id, lease_token::text as token from engine.job where state = 'leased'`,
  );
  const values = [leases.map(({ id }) => id), leases.map(({ token }) => token)];
  for (let tries = 0; tries < 200; tries += 1) {
    const { rows } = await sql.query(
      `select from unnest($1::uuid[], $2::bigint[]) as x(id, token)
       join engine.job j on j.id = x.id and j.lease_token = x.token and j.state = 'leased' limit 1`,
      values,
    );
    if (rows.length === 0) return;
    await sleep(20);
  }
}
