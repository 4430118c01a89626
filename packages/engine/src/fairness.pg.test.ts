import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { claimJobs } from './claim.ts';
import type { ActionNode, Definition } from './definition.ts';
import type { EngineDeps } from './interfaces.ts';
import { URGENT_PRIORITY } from './run-save.ts';
import { blocksOf, explaining } from './testing/explained.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, type TestEngine } from './testing/test-engine.ts';
import { uuidV7 } from './testing/test-ids.ts';
import { testServerUrl } from './testing/test-server.ts';

let cluster: TestCluster;
const running: TestEngine[] = [];

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
});
afterAll(() => cluster.drop());
beforeEach(async () => {
  await cluster.database.sql.query('delete from engine.job');
});
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ engine }) => engine.stop()));
});

function created(deps: Partial<EngineDeps>): TestEngine {
  const made = createTestEngine(cluster.database, deps);
  running.push(made);
  return made;
}

const steps = (count: number): Definition => ({
  actions: Array.from({ length: count }, (_, n): ActionNode => ({ id: `s${n}`, kind: 'action', action: 'read' })),
  exec_options: { max_concurrent_actions: 64 },
});

describe('a tenant with many steps', () => {
  it('does not keep those of another waiting for more than the steps that have begun', async () => {
    const [noisy, quiet] = [uuidV7(), uuidV7()];
    const order: string[] = [];
    const gates: (() => void)[] = [];
    const full = createGate();
    const made = created({
      async executeStep({ tenantId }) {
        order.push(tenantId === noisy ? 'noisy' : 'quiet');
        if (order.length === 15) full.open();
        if (tenantId === noisy) await new Promise<void>((resolve) => gates.push(resolve));
      },
      options: { concurrency: 16 },
    });
    for (let n = 0; n < 5; n += 1) await made.start({ tenantId: noisy, definition: steps(64), priority: 100 });
    await made.engine.start();
    await full.opened;
    // All the worker gives one tenant is in use, and nothing of it ends; the other's steps begin all the same.
    const runId = await made.start({ tenantId: quiet, definition: steps(5), priority: -100 });
    await made.monitor.finished(runId);
    expect(order).toEqual([...Array(15).fill('noisy'), ...Array(5).fill('quiet')]);
    await drain(gates, made, noisy);
  });

  it('has at most half of the slots while another has as many', async () => {
    const tenants = [uuidV7(), uuidV7()];
    const active = new Map<string, number>(tenants.map((id) => [id, 0]));
    const most = new Map<string, number>(active);
    const waiting = new Map<string, number>(tenants.map((id) => [id, 100]));
    const made = created({
      async executeStep({ tenantId }) {
        active.set(tenantId, (active.get(tenantId) ?? 0) + 1);
        waiting.set(tenantId, (waiting.get(tenantId) ?? 0) - 1);
        // While the other still has steps that are queued, which the last few may no longer be.
        if (tenants.every((id) => (waiting.get(id) ?? 0) > 20))
          most.set(tenantId, Math.max(most.get(tenantId) ?? 0, active.get(tenantId) ?? 0));
        await new Promise((resolve) => setImmediate(resolve));
        active.set(tenantId, (active.get(tenantId) ?? 0) - 1);
      },
      options: { concurrency: 8 },
    });
    const runIds: string[] = [];
    for (const tenantId of tenants)
      for (let n = 0; n < 10; n += 1) runIds.push(await made.start({ tenantId, definition: steps(10) }));
    await made.engine.start();
    await Promise.all(runIds.map((runId) => made.monitor.finished(runId)));
    for (const tenantId of tenants) expect([tenantId, (most.get(tenantId) ?? 0) <= 4]).toEqual([tenantId, true]);
  });

  it('does not keep its own timers and words between runs waiting, even where every slot is in use', async () => {
    const gates: (() => void)[] = [];
    const full = createGate();
    const made = created({
      async executeStep({ tenantId }) {
        await new Promise<void>((resolve) => {
          gates.push(resolve);
          if (gates.length === 4) full.open();
        });
        return tenantId;
      },
      options: { concurrency: 4 },
    });
    const tenantId = uuidV7();
    await made.start({ tenantId, definition: steps(64) });
    await made.engine.start();
    await full.opened;
    const delayed = await made.start({ tenantId, definition: { actions: [{ id: 'd', kind: 'delay', seconds: 0 }] } });
    await made.monitor.finished(delayed);
    expect(gates).toHaveLength(4);
    await drain(gates, made, tenantId);
  });
});

/** Cancels what is left, so that the engine stops at once. */
async function drain(gates: (() => void)[], { engine }: TestEngine, tenantId: string): Promise<void> {
  const { rows } = await cluster.database.sql.query<{ id: string }>(
    'select id from engine.run where tenant_id = $1 and finished_at is null',
    [tenantId],
  );
  for (const { id } of rows)
    await cluster.database.pool.transaction((tx) => engine.cancelRun(tx, { tenantId, runId: id, by: 'test' }));
  for (const open of gates.splice(0)) open();
}

describe('a claim', () => {
  const tenants = Array.from({ length: 20 }, () => uuidV7()).sort();

  async function fill(): Promise<void> {
    await cluster.database.sql.query(
      `insert into engine.job (id, tenant_id, kind, priority, state, available_at, attempt, max_attempts, backoff_ms,
         lease_token, created_at)
       select gen_random_uuid(), ($1::uuid[])[case when n <= 49000 then 1 else 2 + n % 19 end], 'engine.step', 0,
         'available', now() + n * interval '1 microsecond', 0, 0, 0, 0, now()
       from generate_series(1, 50000) n`,
      [tenants],
    );
    await cluster.database.sql.query('analyze engine.job');
  }

  const request = {
    owner: 'w',
    kinds: ['engine.step'],
    limit: 32,
    urgentLimit: 8,
    leaseUntil: new Date('2030-01-01'),
    afterTenant: null,
    held: new Map([[tenants[0] ?? '', 32]]),
    slotsShared: 32,
    slotsAlone: 60,
  };

  it('passes over a tenant that has its share, but for what is urgent, and reads none of its 49,000 jobs for it', async () => {
    await fill();
    const plans: string[] = [];
    const claim = await claimJobs(explaining(cluster.database.pool, plans), request);
    expect(claim.jobs).toHaveLength(0);
    expect(plans).toHaveLength(1);
    // Index entries and rows touched by the whole statement; a scan of the tenant's jobs would be tens of thousands.
    const touched = plans.map(blocksOf);
    expect(touched.every((blocks) => blocks < 1_000)).toBe(true);
    const claimed = await claimJobs(cluster.database.pool, request);
    expect(claimed.jobs).toHaveLength(32);
    expect(claimed.jobs.some(({ tenantId }) => tenantId === tenants[0])).toBe(false);
    const { rows } = await cluster.database.sql.query<{ id: string }>(
      `update engine.job set priority = $2 where id = (select id from engine.job where tenant_id = $1
         and state = 'available' limit 1) returning id`,
      [tenants[0], URGENT_PRIORITY],
    );
    const urgent = await claimJobs(cluster.database.pool, { ...request, limit: 0 });
    expect(urgent.jobs.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  });
});
