import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import { StepFailure } from './errors.ts';
import type { EngineDeps } from './interfaces.ts';
import { findRun, listItems, listRunSteps, listStalledRuns, listSteps } from './reads.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, type TestEngine, testTenant } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';

let cluster: TestCluster;
const running: TestEngine[] = [];

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
});
afterAll(() => cluster.drop());
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ engine }) => engine.stop()));
  expect(await listStalledRuns(cluster.database.sql, 10)).toEqual([]);
});

async function started(deps: Partial<EngineDeps> = {}): Promise<TestEngine> {
  const made = createTestEngine(cluster.database, deps);
  running.push(made);
  await made.engine.start();
  return made;
}

const each = (more: Record<string, unknown> = {}): ActionNode =>
  ({
    id: 'each',
    kind: 'action',
    action: 'read',
    for_each: 'inputs.list',
    input: { value: '{{ item }}', at: '{{ index }}' },
    ...more,
  }) as ActionNode;
const define = (more: Record<string, unknown> = {}, limit = 4): Definition => ({
  inputs: { properties: { list: {} } },
  actions: [each(more)],
  outputs: { all: '{{ actions.each.output }}' },
  exec_options: { max_concurrent_actions: limit },
});

const db = () => cluster.database.sql;
const runOf = (runId: string) => findRun(db(), { tenantId: testTenant, runId });
const listOf = async (runId: string) => (await listRunSteps(db(), { tenantId: testTenant, runId }))[0];
const itemsOf = (runId: string) => listItems(db(), { tenantId: testTenant, runId, actionId: 'each', limit: 2_000 });
const inputOf = (input: unknown) => input as { value: number; at: number };

describe('an action for each item', () => {
  it('runs once per item under a key of its own, within the limit, and gives the outputs in order', async () => {
    const keys: string[] = [];
    let active = 0;
    let most = 0;
    const made = await started({
      async executeStep({ idempotencyKey, input }) {
        keys.push(idempotencyKey);
        active += 1;
        most = Math.max(most, active);
        await new Promise((resolve) => setImmediate(resolve));
        active -= 1;
        return inputOf(input).value * 10;
      },
    });
    const list = Array.from({ length: 25 }, (_, n) => n + 1);
    const runId = await made.start({ definition: define({}, 3), inputs: { list } });
    await made.monitor.finished(runId);
    const expected = list.map((value) => value * 10);
    expect(await runOf(runId)).toMatchObject({ status: 'success', outputs: { all: expected } });
    expect(keys.sort()).toEqual(list.map((_, index) => `${runId}:each:${index}`).sort());
    expect([most <= 3, most > 1]).toEqual([true, true]);
    expect(await listOf(runId)).toMatchObject({
      status: 'success',
      iteration: -1,
      output: expected,
      items: { total: 25, ended: 25, failed: 0 },
    });
    expect((await itemsOf(runId)).map(({ iteration, status }) => [iteration, status])).toEqual(
      list.map((_, index) => [index, 'success']),
    );
    const listed = await listSteps(db(), { tenantId: testTenant, limit: 100, stepKinds: ['action'] });
    expect(listed.filter((step) => step.runId === runId)).toHaveLength(25);
  });

  it('carries a thousand items through', async () => {
    const made = await started({ executeStep: async ({ input }) => inputOf(input).at });
    const list = Array.from({ length: 1_000 }, () => 'x');
    const runId = await made.start({ definition: define({}, 64), inputs: { list } });
    await made.monitor.finished(runId);
    expect((await runOf(runId))?.outputs).toEqual({ all: list.map((_, index) => index) });
  });

  it('is done at once with an empty list', async () => {
    const made = await started();
    const runId = await made.start({ definition: define(), inputs: { list: [] } });
    expect(await runOf(runId)).toMatchObject({ status: 'success', outputs: { all: [] } });
    expect(await listOf(runId)).toMatchObject({ status: 'success', items: { total: 0, ended: 0, failed: 0 } });
  });

  it('retries and times out each item for itself', async () => {
    const made = await started({
      async executeStep({ input, attempt }) {
        const { value } = inputOf(input);
        if (value === 1 && attempt < 3) throw new StepFailure('BUSY', 'later', { retryable: true });
        if (value === 2) await new Promise(() => undefined);
        return value;
      },
      options: { maxBackoffMs: 10 },
    });
    const more = { retry: { max_attempts: 3, backoff_s: 1 }, timeout_s: 1, on_error: 'continue' };
    const definition = define({ ...more, action: 'change' });
    const runId = await made.start({ definition, inputs: { list: [0, 1, 2] } });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'success', outputs: { all: [0, 1, null] } });
    expect(await itemsOf(runId)).toMatchObject([
      { status: 'success', attempt: 1 },
      { status: 'success', attempt: 3 },
      { status: 'error', error: { code: 'STEP_TIMED_OUT' } },
    ]);
    expect((await listOf(runId))?.items).toEqual({ total: 3, ended: 3, failed: 1, unknown: 0 });
  });

  it('starts no further item after the first failure and lets the others end', async () => {
    const begun: number[] = [];
    const made = await started({
      async executeStep({ input }) {
        const { at } = inputOf(input);
        begun.push(at);
        if (at === 2) throw new StepFailure('BROKEN', 'broken');
        return at;
      },
    });
    const runId = await made.start({ definition: define({}, 1), inputs: { list: [0, 1, 2, 3, 4] } });
    await made.monitor.finished(runId);
    expect(begun).toEqual([0, 1, 2]);
    expect(await runOf(runId)).toMatchObject({
      status: 'error',
      error: { code: 'BROKEN', actionId: 'each', message: 'Action "each" failed: broken' },
    });
    expect((await itemsOf(runId)).map(({ status }) => status)).toEqual([
      'success',
      'success',
      'error',
      'cancelled',
      'cancelled',
    ]);
    expect(await listOf(runId)).toMatchObject({ status: 'error', output: null, error: { code: 'BROKEN' } });
  });

  it.each([
    ['text', 'FOR_EACH_NOT_A_LIST'],
    [Array.from({ length: 1_001 }, () => 0), 'FOR_EACH_TOO_LONG'],
  ])('refuses what is no list it can carry out', async (list, code) => {
    const made = await started();
    const runId = await made.start({ definition: define(), inputs: { list } });
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code, actionId: 'each' } });
    expect(await itemsOf(runId)).toEqual([]);
  });

  it('fails when all outputs together are more than can be kept, without reading them', async () => {
    const made = await started({ executeStep: async () => 'x'.repeat(600), options: { maxOutputBytes: 1_000 } });
    const runId = await made.start({ definition: define({}, 2), inputs: { list: [1, 2, 3] } });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'OUTPUT_TOO_LARGE' } });
  });

  it('is cancelled in the midst: what runs is stopped, the rest never begins', async () => {
    const begun: number[] = [];
    const reached = createGate();
    const made = await started({
      async executeStep({ input, signal }) {
        begun.push(inputOf(input).at);
        if (begun.length < 3) return null;
        reached.open();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      },
    });
    const runId = await made.start({ definition: define({}, 1), inputs: { list: Array(20).fill(0) } });
    await reached.opened;
    await cluster.database.pool.transaction((tx) =>
      made.engine.cancelRun(tx, { tenantId: testTenant, runId, by: 'ann' }),
    );
    await made.monitor.finished(runId);
    expect(begun).toEqual([0, 1, 2]);
    expect(await runOf(runId)).toMatchObject({ status: 'cancelled' });
    expect(await listOf(runId)).toMatchObject({ status: 'cancelled', skipReason: 'run_cancelled' });
    expect((await itemsOf(runId)).filter(({ status }) => status === 'cancelled')).toHaveLength(18);
  });

  it('goes on in another worker after a crash and repeats no call that must not be', async () => {
    const calls: string[] = [];
    const reached = createGate();
    const shortLease = { leaseMs: 1_500, heartbeatMs: 200 };
    const doomed = createTestEngine(cluster.open(), {
      async executeStep({ idempotencyKey, markCallStarted, input }) {
        await markCallStarted();
        calls.push(idempotencyKey);
        if (inputOf(input).at < 3) return 'first';
        reached.open();
        return new Promise(() => undefined);
      },
      options: shortLease,
    });
    await doomed.engine.start();
    const definition = define({ action: 'change', on_error: 'continue' }, 1);
    const runId = await doomed.start({ definition, inputs: { list: Array(8).fill(0) } });
    await reached.opened;
    await doomed.database.sever();
    const heir = await started({
      async executeStep({ idempotencyKey, markCallStarted }) {
        await markCallStarted();
        calls.push(idempotencyKey);
        return 'second';
      },
    });
    await heir.monitor.finished(runId);
    await doomed.engine.stop().catch(() => undefined);
    expect(new Set(calls).size).toBe(calls.length);
    const [, , , unknown] = await itemsOf(runId);
    expect(unknown).toMatchObject({ status: 'error', error: { code: 'OUTCOME_UNKNOWN' } });
    const all = ['first', 'first', 'first', null, 'second', 'second', 'second', 'second'];
    expect(await runOf(runId)).toMatchObject({ status: 'success', outputs: { all } });
  });

  it('waits as a whole while its tenant is on hold', async () => {
    const begun: number[] = [];
    const made = await started({ executeStep: async ({ input }) => void begun.push(inputOf(input).at) });
    await cluster.database.pool.transaction((tx) => made.engine.hold(tx, testTenant));
    const runId = await made.start({ definition: define({}, 2), inputs: { list: [1, 2, 3] } });
    await heldJobs(2);
    expect(begun).toEqual([]);
    await cluster.database.pool.transaction((tx) => made.engine.release(tx, testTenant));
    await made.monitor.finished(runId);
    expect(begun.sort()).toEqual([0, 1, 2]);
  });
});

async function heldJobs(count: number): Promise<void> {
  for (;;) {
    const { rows } = await db().query<{ held: number }>(
      `select count(*)::int as held from engine.job where state = 'held'`,
    );
    if (rows[0]?.held === count) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
