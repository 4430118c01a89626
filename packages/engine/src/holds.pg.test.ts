import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import type { EngineDeps } from './interfaces.ts';
import { findRun, listRunSteps } from './reads.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, type TestEngine, testTenant } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';

const otherTenant = '0190a000-0000-7000-8000-000000000002';

let cluster: TestCluster;
const running: TestEngine[] = [];

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
});
afterAll(() => cluster.drop());
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ engine }) => engine.stop()));
  await cluster.database.sql.query('delete from engine.hold');
});

async function started(deps: Partial<EngineDeps> = {}): Promise<TestEngine> {
  const made = createTestEngine(cluster.database, deps);
  running.push(made);
  await made.engine.start();
  return made;
}

const chain = (...ids: string[]): Definition => ({
  actions: ids.map(
    (id, index) =>
      ({ id, kind: 'action', action: 'read', depends_on: index === 0 ? [] : [ids[index - 1]] }) as ActionNode,
  ),
});
const inTransaction = <T>(work: Parameters<typeof cluster.database.pool.transaction<T>>[0]) =>
  cluster.database.pool.transaction(work);
const hold = ({ engine }: TestEngine) => inTransaction((tx) => engine.hold(tx, testTenant));
const release = ({ engine }: TestEngine) => inTransaction((tx) => engine.release(tx, testTenant));
const statusesOf = async (runId: string) =>
  Object.fromEntries(
    (await listRunSteps(cluster.database.sql, { tenantId: testTenant, runId })).map((step) => [
      step.actionId,
      step.status,
    ]),
  );
const jobsHeld = (count: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await cluster.database.sql.query(`select id from engine.job where state = 'held'`);
      expect(rows).toHaveLength(count);
    },
    { timeout: 30_000 },
  );

describe('a tenant on hold', () => {
  it('lets what has begun end, begins nothing more, and goes on where it stopped', async () => {
    const gate = createGate();
    const called: string[] = [];
    const worker = await started({
      executeStep: async ({ actionId }) => {
        called.push(actionId);
        if (actionId === 'first') await gate.opened;
        return {};
      },
    });
    const runId = await worker.start({ definition: chain('first', 'second') });
    await expect.poll(() => called).toEqual(['first']);
    await hold(worker);
    gate.open();
    await jobsHeld(1);
    expect(await statusesOf(runId)).toEqual({ first: 'success', second: 'pending' });
    expect(called).toEqual(['first']);
    await release(worker);
    await worker.monitor.finished(runId);
    expect(called).toEqual(['first', 'second']);
  });

  it('waits for what is about to begin, and nothing begins after it', async () => {
    const gate = createGate();
    const called: string[] = [];
    let isBlocked = false;
    const worker = await started({
      executeStep: async ({ actionId }) => {
        called.push(actionId);
        return {};
      },
      // The transaction that ends the first and begins the second waits for something of its listeners.
      onEvents: async (_, events) => {
        if (isBlocked || !events.some(({ type }) => type === 'step.finished')) return;
        isBlocked = true;
        await gate.opened;
      },
    });
    const runId = await worker.start({ definition: chain('first', 'second', 'third') });
    await vi.waitFor(() => expect(isBlocked).toBe(true));
    const holding = hold(worker);
    await vi.waitFor(async () => {
      const { rows } = await cluster.database.sql.query(
        `select from pg_locks where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      );
      expect(rows).toHaveLength(1);
    });
    gate.open();
    await holding;
    await jobsHeld(1);
    expect(called).toEqual(['first', 'second']);
    expect(await statusesOf(runId)).toMatchObject({ second: 'success', third: 'pending' });
    await release(worker);
    await worker.monitor.finished(runId);
  });

  it('begins nothing on any worker, whoever set the hold, also not what is started meanwhile', async () => {
    const called: string[] = [];
    const executeStep: EngineDeps['executeStep'] = async ({ runId }) => {
      called.push(runId);
      return {};
    };
    const [one, two] = [await started({ executeStep }), await started({ executeStep })];
    await hold(one);
    const held = await Promise.all(Array.from({ length: 20 }, () => two.start({ definition: chain('only') })));
    const free = await two.start({ definition: chain('only'), tenantId: otherTenant });
    await jobsHeld(20);
    await expect.poll(() => called).toEqual([free]);
    // Releases and claims at the same time: none of the steps may be left behind.
    await Promise.all([release(one), ...Array.from({ length: 5 }, () => one.start({ definition: chain('only') }))]);
    await vi.waitFor(() => expect(called).toHaveLength(26), { timeout: 30_000 });
    expect(new Set(called).size).toBe(26);
    expect(held.every((id) => called.includes(id))).toBe(true);
  });

  it('leaves no step behind when it is switched on and off again and again', async () => {
    const worker = await started();
    const runs: Promise<string>[] = [];
    for (let n = 0; n < 30; n++) {
      await (n % 2 === 0 ? hold(worker) : release(worker));
      runs.push(worker.start({ definition: chain('a', 'b', 'c') }));
    }
    await release(worker);
    for (const runId of await Promise.all(runs)) {
      await vi.waitFor(
        async () =>
          expect((await findRun(cluster.database.sql, { tenantId: testTenant, runId }))?.status).toBe('success'),
        { timeout: 30_000 },
      );
    }
  });

  it('lets a person cancel what waits', async () => {
    const worker = await started();
    await hold(worker);
    const runId = await worker.start({ definition: chain('only') });
    await jobsHeld(1);
    const cancelled = await inTransaction((tx) =>
      worker.engine.cancelRun(tx, { tenantId: testTenant, runId, by: 'ann' }),
    );
    expect(cancelled).toEqual({ status: 'cancelled', changed: true });
    await jobsHeld(0);
  });

  it('does not stop time: what is past its limit ends instead of acting late', async () => {
    const begun: string[] = [];
    const worker = await started({ executeStep: async ({ actionId }) => begun.push(actionId) });
    await hold(worker);
    const runId = await worker.start({ definition: { ...chain('only'), exec_options: { timeout_s: 1 } } });
    await worker.monitor.finished(runId);
    await release(worker);
    expect(await findRun(cluster.database.sql, { tenantId: testTenant, runId })).toMatchObject({
      status: 'error',
      error: { code: 'RUN_TIMED_OUT' },
    });
    await jobsHeld(0);
    expect(begun).toEqual([]);
  });

  it('does not stop the runs it does not apply to', async () => {
    const worker = await started({ holdAppliesTo: ({ kind }) => kind !== 'adhoc' });
    await hold(worker);
    const byHand = await worker.start({ definition: chain('only'), kind: 'adhoc' });
    await worker.monitor.finished(byHand);
    await worker.start({ definition: chain('only'), kind: 'playbook' });
    await jobsHeld(1);
  });
});
