import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimJobs } from './claim.ts';
import type { ClaimedJob } from './claimed-job.ts';
import type { Definition } from './definition.ts';
import type { EngineEvent } from './events.ts';
import { handBack } from './heartbeat.ts';
import { holdTenant, releaseTenant } from './holds.ts';
import type { EngineDeps, EnqueueJobInput } from './interfaces.ts';
import { enqueueJob, failJob } from './jobs.ts';
import { promoteDueJobs, reapExpiredLeases } from './reap.ts';
import { URGENT_PRIORITY } from './run-save.ts';
import { keepReserved, reserveSuspect, takeSuspect } from './suspects.ts';
import { blocksOf, explaining } from './testing/explained.ts';
import { createTestDatabase, type TestCluster, type TestDatabase } from './testing/test-database.ts';
import { createGate, createTestEngine, type TestEngine, testTenant, testTraits } from './testing/test-engine.ts';
import { uuidV7 } from './testing/test-ids.ts';
import { testServerUrl } from './testing/test-server.ts';

const LEASE_MS = 15_000;
let cluster: TestCluster;
let database: TestDatabase;
let nowMs = Date.parse('2026-01-01T00:00:00Z');
const running: TestEngine[] = [];

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
  database = cluster.database;
});
afterAll(() => cluster.drop());
beforeEach(async () => {
  await database.sql.query('delete from engine.job');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ engine }) => engine.stop()));
});

const now = () => new Date(nowMs);
const later = () => new Date(nowMs + LEASE_MS);
const kinds = ['work'];
const leaseOf = (job: ClaimedJob) => ({ jobId: job.id, token: job.token });

const enqueue = (input: Partial<EnqueueJobInput> = {}) =>
  database.pool.transaction((tx) =>
    enqueueJob(tx, { tenantId: testTenant, kind: 'work', ...input }, { ids: uuidV7, now }),
  );

async function claim(): Promise<readonly ClaimedJob[]> {
  const slots = { held: new Map(), slotsShared: 1_000, slotsAlone: 1_000, limit: 10, urgentLimit: 0 };
  const request = { owner: 'w', kinds, leaseUntil: later(), afterTenant: null, ...slots };
  return (await claimJobs(database.pool, request)).jobs;
}

const take = (owner: string, reserved: string | null = null) =>
  takeSuspect(database.pool, { owner, kinds, now: now(), leaseUntil: later(), reserved });
const reserve = (owner: string) => reserveSuspect(database.pool, { owner, kinds, now: now(), until: later() });

async function lose(): Promise<void> {
  nowMs += LEASE_MS + 1;
  await database.pool.transaction((tx) => reapExpiredLeases(tx, now()));
}

async function stateOf(jobId: string): Promise<string | undefined> {
  const { rows } = await database.sql.query<{ state: string }>('select state from engine.job where id = $1', [jobId]);
  return rows[0]?.state;
}

async function suspect(input: Partial<EnqueueJobInput> = {}): Promise<string> {
  const { jobId } = await enqueue(input);
  await database.sql.query(`update engine.job set state = 'suspect', lease_losses = 2 where id = $1`, [jobId]);
  return jobId;
}

describe('a job that has lost two leases', () => {
  it('is no longer claimed with others, and stays apart however it comes back', async () => {
    const { jobId } = await enqueue();
    await claim();
    await lose();
    expect(await claim()).toHaveLength(1);
    await lose();
    expect([await claim(), await stateOf(jobId)]).toEqual([[], 'suspect']);

    const first = (await take('a')) as ClaimedJob;
    expect(first).toMatchObject({ id: jobId, attempt: 3 });
    await database.pool.transaction((tx) => handBack(tx, 'a', [leaseOf(first)]));
    expect(await stateOf(jobId)).toBe('suspect');

    const second = (await take('a')) as ClaimedJob;
    const error = { code: 'X', message: 'x', retryable: true };
    await database.pool.transaction((tx) => failJob(tx, 'a', leaseOf(second), { error, retryAt: now() }));
    await database.pool.transaction((tx) => promoteDueJobs(tx, now()));
    expect(await stateOf(jobId)).toBe('suspect');

    await database.pool.transaction((tx) => holdTenant(tx, testTenant, now()));
    await database.sql.query(`update engine.job set state = 'held' where id = $1`, [jobId]);
    await database.pool.transaction((tx) => releaseTenant(tx, testTenant));
    expect(await stateOf(jobId)).toBe('suspect');
  });

  it('is none where it is urgent: a deadline or a word between runs calls nothing, and must not wait', async () => {
    const { jobId } = await enqueue();
    await database.sql.query('update engine.job set priority = $1', [URGENT_PRIORITY]);
    for (let n = 0; n < 2; n += 1) {
      expect(await claim()).toHaveLength(1);
      await lose();
    }
    expect(await stateOf(jobId)).toBe('available');
  });

  it('goes to one worker only', async () => {
    for (let n = 0; n < 3; n += 1) await suspect();
    const taken = await Promise.all(Array.from({ length: 6 }, (_, n) => take(`w${n}`)));
    expect(new Set(taken.flatMap((job) => job?.id ?? [])).size).toBe(3);
  });
});

describe('a reservation', () => {
  it('keeps other busy workers from it, ends with its time, and yields to a worker that runs nothing', async () => {
    const jobId = await suspect();
    expect(await reserve('a')).toBe(jobId);
    expect(await reserve('b')).toBeNull();
    expect(await keepReserved(database.pool, { jobId, owner: 'b', until: later() })).toBe(false);
    nowMs += LEASE_MS - 1;
    expect(await keepReserved(database.pool, { jobId, owner: 'a', until: later() })).toBe(true);
    nowMs += LEASE_MS - 1;
    expect(await reserve('b')).toBeNull();
    nowMs += 2;
    expect(await reserve('b')).toBe(jobId);
    expect(await keepReserved(database.pool, { jobId, owner: 'a', until: later() })).toBe(false);
    expect(await take('c')).toMatchObject({ id: jobId, attempt: 1 });
    expect(await take('b', jobId)).toBeNull();
  });

  it('is taken by whoever has it before others, and the others leave it while there is another', async () => {
    const [one, two] = [await suspect(), await suspect()];
    const reserved = await reserve('a');
    const left = reserved === one ? two : one;
    expect((await take('b'))?.id).toBe(left);
    expect((await take('a', reserved))?.id).toBe(reserved);
  });
});

describe('among suspects of several tenants', () => {
  it('those of one with many do not keep another waiting, and of one the least often lost comes first', async () => {
    const [many, one] = [uuidV7(), uuidV7()];
    for (let n = 0; n < 40; n += 1) await suspect({ tenantId: many });
    await database.sql.query('update engine.job set lease_losses = 5');
    const fresh = await suspect({ tenantId: many });
    const alone = await suspect({ tenantId: one });
    const order: string[] = [];
    for (let n = 0; n < 42; n += 1) order.push((await take('w'))?.id ?? '');
    expect(order.filter((id) => id !== alone)[0]).toBe(fresh);
    // By lot, every second time: all of forty against it are one in a trillion.
    expect(order.indexOf(alone)).toBeLessThan(41);
  });

  it('choosing one reads no more for ten thousand of them', async () => {
    const tenants = [uuidV7(), uuidV7(), uuidV7()];
    await database.sql.query(
      `insert into engine.job (id, tenant_id, kind, priority, state, available_at, attempt, max_attempts, backoff_ms,
         lease_token, lease_losses, created_at)
       select gen_random_uuid(), ($1::uuid[])[1 + n % 3], 'work', 0, 'suspect', now(), 2, 5, 0, 2, 2, now()
       from generate_series(1, 10000) n`,
      [tenants],
    );
    await database.sql.query('analyze engine.job');
    const plans: string[] = [];
    const pool = explaining(database.pool, plans);
    await reserveSuspect(pool, { owner: 'w', kinds, now: now(), until: later() });
    await takeSuspect(pool, { owner: 'w', kinds, now: now(), leaseUntil: later(), reserved: null });
    expect(plans.length).toBeGreaterThanOrEqual(2);
    expect(plans.map(blocksOf).every((blocks) => blocks < 300)).toBe(true);
  });
});

describe('a running engine', () => {
  const each: Definition = {
    actions: [{ id: 'each', kind: 'action', action: 'read', for_each: 'inputs.list', input: '{{ item }}' }],
    inputs: { properties: { list: {} } },
    exec_options: { max_concurrent_actions: 8 },
  };
  const single: Definition = { actions: [{ id: 'one', kind: 'action', action: 'read', input: 'suspect' }] };
  const list = (length: number) => Array.from({ length }, (_, n) => n);
  /** The first turn of a worker comes after a lease. */
  const options = { concurrency: 4, leaseMs: 2_000, heartbeatMs: 150 };

  function created(deps: Partial<EngineDeps>): TestEngine {
    const made = createTestEngine(cluster.open(), deps);
    running.push(made);
    return made;
  }

  async function startSuspect({ engine }: TestEngine): Promise<void> {
    // In one transaction, so that no worker claims it before.
    await database.pool.transaction(async (tx) => {
      const what = { kind: 'test', name: 'suspect', traits: testTraits, definition: single };
      const { runId } = await engine.startRun(tx, { tenantId: testTenant, ...what });
      await tx.query(`update engine.job set state = 'suspect', lease_losses = 2 where run_id = $1`, [runId]);
    });
  }

  it('gets to a suspect while others wait all the time, runs it alone, and then goes on with them', async () => {
    const active = new Set<string>();
    const beside: string[] = [];
    const wentOn = createGate();
    let suspect: 'waits' | 'runs' | 'ended' = 'waits';
    const made = created({
      async executeStep({ stepId, input }) {
        if (input === 'suspect') {
          suspect = 'runs';
          beside.push(...active);
          // Time enough for the others to come, if they could.
          for (let n = 0; n < 20; n += 1) await database.sql.query('select pg_sleep(0.01)');
          suspect = 'ended';
          return;
        }
        if (suspect === 'runs') beside.push(stepId);
        if (suspect === 'ended') wentOn.open();
        active.add(stepId);
        await database.sql.query('select pg_sleep(0.002)');
        active.delete(stepId);
      },
      options,
    });
    const runId = await made.start({ definition: each, inputs: { list: list(1_000) } });
    await startSuspect(made);
    await made.engine.start();
    await wentOn.opened;
    expect(beside).toEqual([]);
    await database.pool.transaction((tx) => made.engine.cancelRun(tx, { tenantId: testTenant, runId, by: 'test' }));
  });

  it('lets only one of several workers run empty for it', async () => {
    const gate = createGate();
    const suspectRan = createGate();
    const executeStep: EngineDeps['executeStep'] = async ({ input }) => {
      if (input === 'suspect') suspectRan.open();
      if (input === 'long') await gate.opened;
    };
    const deps = { executeStep, options: { ...options, concurrency: 32 } };
    const pair = [created(deps), created(deps)] as const;
    const [caller] = pair;
    const long: Definition = { actions: [{ id: 'one', kind: 'action', action: 'read', input: 'long' }] };
    const began = (event: EngineEvent) => event.type === 'step.started';
    await Promise.all(pair.map(({ engine }) => engine.start()));
    // Each has a long one, so that neither is free for the suspect.
    while (!pair.every(({ monitor }) => monitor.seen.some(began))) {
      const runId = await caller.start({ definition: long });
      await Promise.race(pair.map(({ monitor }) => monitor.until((event) => began(event) && event.runId === runId)));
    }
    await startSuspect(caller);
    const reservedBy = async () =>
      (await database.sql.query<{ by: string }>(`select reserved_by as by from engine.job where state = 'suspect'`))
        .rows;
    while ((await reservedBy())[0]?.by == null) await database.sql.query('select pg_sleep(0.02)');
    // One waits for its long ones to end; the other does what comes.
    const others = await caller.start({ definition: each, inputs: { list: list(20) } });
    await Promise.race(pair.map(({ monitor }) => monitor.finished(others)));
    expect(await reservedBy()).toHaveLength(1);
    gate.open();
    await suspectRan.opened;
  });

  it('ends a cancelled run at once, though its step is a suspect and the worker has other work', async () => {
    const gate = createGate();
    const made = created({
      executeStep: async ({ input }) => {
        if (input === 'long') await gate.opened;
      },
      options,
    });
    await startSuspect(made);
    // Its worker vanished in mid-step.
    const { rows } = await database.sql.query<{ id: string }>(
      `update engine.step s set status = 'running', attempt = 2, started_at = now() from engine.job j
       where j.step_id = s.id and j.state = 'suspect' returning s.run_id as id`,
    );
    const runId = rows[0]?.id ?? '';
    await database.sql.query(`update engine.run set status = 'running', started_at = now() where id = $1`, [runId]);
    const long: Definition = { actions: [{ id: 'one', kind: 'action', action: 'read', input: 'long' }] };
    const other = await made.start({ definition: long });
    await made.engine.start();
    await made.monitor.until((event) => event.type === 'step.started' && event.runId === other);
    await database.pool.transaction((tx) => made.engine.cancelRun(tx, { tenantId: testTenant, runId, by: 'test' }));
    expect(await made.monitor.finished(runId)).toMatchObject({ runStatus: 'cancelled' });
    gate.open();
  });
});
