/**
 * Steps that do what no step should, beside those of a tenant that does its work. Counted is what it costs the others in
 * attempts; how much slower they get is for a bench.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createTestEngine, type TestEngine } from './testing/test-engine.ts';
import { uuidV7 } from './testing/test-ids.ts';
import { testServerUrl } from './testing/test-server.ts';
import { startWorker, type WorkerProcess } from './testing/worker-process.ts';

/** Runs that work through a list one item after the other: so many steps of the worker's 32 at once, and so many in all. */
const LANES = 8;
const [good, bad] = [uuidV7(), uuidV7()];

const lane = (): Definition => ({
  actions: [{ id: 'each', kind: 'action', action: 'read', for_each: 'inputs.list', input: 'work' }],
  inputs: { properties: { list: {} } },
  exec_options: { max_concurrent_actions: 1 },
});

const poison = (input: string, more: Partial<ActionNode> = {}): Definition => ({
  actions: [{ id: 'poison', kind: 'action', action: 'read', input, ...more } as ActionNode],
});

type Stand = { readonly cluster: TestCluster; readonly caller: TestEngine };

const stands: Stand[] = [];
const workers: WorkerProcess[] = [];

afterEach(async () => {
  await Promise.all(workers.splice(0).map(({ kill }) => kill()));
  for (const { cluster } of stands.splice(0)) await cluster.drop();
});

/** A database with the lanes' runs started and held back. */
async function createStand(stepsPerLane: number): Promise<Stand> {
  const cluster = await createTestDatabase(testServerUrl());
  const stand = { cluster, caller: createTestEngine(cluster.database) };
  stands.push(stand);
  const list = Array.from({ length: stepsPerLane }, (_, n) => n);
  await cluster.database.pool.transaction((tx) => stand.caller.engine.hold(tx, good));
  for (let n = 0; n < LANES; n += 1) await stand.caller.start({ tenantId: good, definition: lane(), inputs: { list } });
  return stand;
}

async function work({ cluster }: Stand): Promise<WorkerProcess> {
  const worker = await startWorker(new URL('./testing/poison-child.ts', import.meta.url), {
    CRASH_DATABASE_URL: cluster.database.url,
  });
  workers.push(worker);
  return worker;
}

const letGo = ({ cluster, caller }: Stand) =>
  cluster.database.pool.transaction((tx) => caller.engine.release(tx, good));

/** Resolves when every step of the lanes has succeeded, with how many did so at their first attempt. */
async function untilDone({ cluster }: Stand, stepsPerLane: number): Promise<{ first: number; all: number }> {
  for (;;) {
    const { rows } = await cluster.database.sql.query<{ first: number; all: number }>(
      `select count(*) filter (where attempt = 1)::int as first, count(*)::int as all from engine.step
       where tenant_id = $1 and status = 'success' and iteration >= 0`,
      [good],
    );
    const [counts] = rows;
    if (counts && counts.all >= LANES * stepsPerLane) return counts;
    await sleep(50);
  }
}

async function mostAttempts({ cluster }: Stand): Promise<number> {
  const { rows } = await cluster.database.sql.query<{ most: number }>(
    'select max(attempt)::int as most from engine.step where tenant_id = $1',
    [good],
  );
  return rows[0]?.most ?? 0;
}

/** How each run of the bad tenant ended, by id; null while one is open. */
async function badEnds({ cluster }: Stand): Promise<Map<string, string> | null> {
  const { rows } = await cluster.database.sql.query<{ id: string; ended: boolean; code: string }>(
    `select id, finished_at is not null as ended, error->>'code' as code from engine.run where tenant_id = $1`,
    [bad],
  );
  return rows.every(({ ended }) => ended) ? new Map(rows.map(({ id, code }) => [id, code])) : null;
}

async function untilBadEnded(stand: Stand): Promise<Map<string, string>> {
  for (;;) {
    const ends = await badEnds(stand);
    if (ends) return ends;
    await sleep(50);
  }
}

describe('steps that throw, hang, give too much, or give what is no data', () => {
  const COPIES = 5;
  const kinds: readonly { definition: Definition; code: string }[] = [
    { definition: poison('throw', { retry: { max_attempts: 5, backoff_s: 1 } }), code: 'STEP_FAILED' },
    {
      definition: poison('hang', { timeout_s: 1, retry: { max_attempts: 2, backoff_s: 1 } }),
      code: 'STEP_TIMED_OUT',
    },
    { definition: poison('huge'), code: 'OUTPUT_TOO_LARGE' },
    { definition: poison('circular'), code: 'OUTPUT_NOT_JSON' },
  ];

  it('end with a stated reason, and cost others no attempt', { timeout: 600_000 }, async () => {
    const STEPS = 50;
    const stand = await createStand(STEPS);
    await work(stand);
    await letGo(stand);
    const codes = new Map<string, string>();
    for (let n = 0; n < COPIES; n += 1)
      for (const { definition, code } of kinds)
        codes.set(await stand.caller.start({ tenantId: bad, definition, priority: 100 }), code);
    expect(await untilBadEnded(stand)).toEqual(codes);
    expect(await untilDone(stand, STEPS)).toEqual({ all: LANES * STEPS, first: LANES * STEPS });
  });
});

describe('steps that end their process', () => {
  const STEPS_PER_LANE = 150;
  /** Leases two poisonous steps can take from one that is innocent: it is beside each no more than twice. */
  const LOST_BESIDE = 2;

  it('reach their limit alone, while 95 of 100 steps of others need one attempt and none more than three', {
    timeout: 600_000,
  }, async () => {
    const stand = await createStand(STEPS_PER_LANE);
    const ends = { of: 0, watching: true };
    /** What starts a worker again whenever it ends, as the init system of a machine does. */
    async function watchOver(): Promise<void> {
      while (ends.watching) {
        // It may meet its end before it says that it works.
        const worker = await work(stand).catch(() => undefined);
        if (!ends.watching) await worker?.kill();
        await worker?.ended;
        if (worker === undefined || worker.how() === 7) ends.of += 1;
      }
    }
    const watched = [watchOver(), watchOver()];
    await letGo(stand);
    const repeated = await stand.caller.start({ tenantId: bad, definition: poison('exit') });
    const once = await stand.caller.start({ tenantId: bad, definition: poison('exit', { action: 'change' }) });
    const codes = await untilBadEnded(stand);
    const { first, all } = await untilDone(stand, STEPS_PER_LANE);
    ends.watching = false;
    await Promise.all(workers.splice(0).map(({ kill }) => kill()));
    await Promise.all(watched);

    expect(codes.get(repeated)).toBe('WORKER_LOST');
    expect(codes.get(once)).toBe('OUTCOME_UNKNOWN');
    expect(ends.of).toBeGreaterThanOrEqual(2);
    expect(all).toBe(LANES * STEPS_PER_LANE);
    expect(first / all).toBeGreaterThanOrEqual(0.95);
    expect(await mostAttempts(stand)).toBeLessThanOrEqual(1 + LOST_BESIDE);
  });
});
