import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import { StepFailure } from './errors.ts';
import { listDeadJobs } from './jobs.ts';
import { findRun, listOpenPrompts, listRunSteps, listStalledRuns } from './reads.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createTestEngine, type TestEngine, testTenant, testTraits } from './testing/test-engine.ts';
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

const HOUR_MS = 3_600_000;
const HALF_HOUR_S = 1_800;

/** A process that comes up this much later than now. */
function process(laterMs: number): TestEngine {
  const made = createTestEngine(cluster.open(), {
    clock: { now: () => new Date(Date.now() + laterMs) },
    options: { followDatabaseClock: false },
    resolvePlaybook: async () => ({ definition: waiting.asks, traits: testTraits, name: 'asks' }),
  });
  running.push(made);
  return made;
}

const ask = (more: object): ActionNode =>
  ({ id: 'ask', kind: 'prompt', message: 'Go?', options: [{ value: 'yes', label: 'Yes' }], ...more }) as ActionNode;
const after = (id: string, dependency: string): ActionNode => ({
  id,
  kind: 'action',
  action: 'read',
  depends_on: [dependency],
});

/** Everything a run can wait for. */
const waiting = {
  delay: { actions: [{ id: 'pause', kind: 'delay', seconds: HALF_HOUR_S }, after('then', 'pause')] },
  prompt: { actions: [ask({ expires_in_s: HALF_HOUR_S, default_option: 'yes' }), after('then', 'ask')] },
  expiry: { actions: [ask({ expires_in_s: HALF_HOUR_S }), after('then', 'ask')] },
  timeout: { actions: [ask({}), after('then', 'ask')], exec_options: { timeout_s: HALF_HOUR_S } },
  asks: { actions: [ask({})], exec_options: { timeout_s: HALF_HOUR_S } },
  child: { actions: [{ id: 'sub', kind: 'playbook', playbook_id: 'asks' } as ActionNode] },
} satisfies Record<string, Definition>;

const outcomes = {
  delay: { status: 'success', error: null },
  prompt: { status: 'success', error: null },
  expiry: { status: 'error', error: { code: 'PROMPT_EXPIRED', actionId: 'ask' } },
  timeout: { status: 'error', error: { code: 'RUN_TIMED_OUT' } },
  asks: { status: 'error', error: { code: 'RUN_TIMED_OUT' } },
  child: { status: 'error', error: { code: 'RUN_TIMED_OUT', actionId: 'sub' } },
} as const;

const runOf = (runId: string) => findRun(cluster.database.sql, { tenantId: testTenant, runId });

describe('what a run waits for', () => {
  it.each(['a stop', 'a crash'])('comes in its time after %s of every worker, and not before', async (how) => {
    const first = process(0);
    await first.engine.start();
    const runs = new Map<string, keyof typeof waiting>();
    for (const name of Object.keys(waiting) as (keyof typeof waiting)[])
      runs.set(await first.start({ definition: waiting[name] }), name);
    if (how === 'a crash') await first.database.sever();
    await first.engine.stop().catch(() => undefined);
    running.splice(0);

    const early = process(HOUR_MS / 4);
    await early.engine.start();
    const probe = await early.start({ definition: { actions: [{ id: 'a', kind: 'action', action: 'read' }] } });
    await early.monitor.finished(probe);
    for (const runId of runs.keys()) expect((await runOf(runId))?.finishedAt).toBeNull();
    await early.engine.stop();

    const late = process(HOUR_MS);
    await late.engine.start();
    for (const [runId, name] of runs) {
      await late.monitor.finished(runId);
      expect([name, await runOf(runId)]).toMatchObject([name, outcomes[name]]);
    }
    expect(await listOpenPrompts(cluster.database.sql, { tenantId: testTenant, limit: 10 })).toEqual([]);
  });

  it('lets a list go on where it was', async () => {
    const calls: number[] = [];
    const definition: Definition = {
      actions: [
        {
          id: 'each',
          kind: 'action',
          action: 'read',
          for_each: 'inputs.list',
          input: '{{ index }}',
          retry: { max_attempts: 2, backoff_s: HALF_HOUR_S },
        },
      ],
      inputs: { properties: { list: {} } },
      exec_options: { max_concurrent_actions: 1 },
    };
    const first = createTestEngine(cluster.open(), {
      async executeStep({ input }) {
        calls.push(Number(input));
        if (input === 1) throw new StepFailure('BUSY', 'later', { retryable: true });
      },
      options: { maxBackoffMs: HOUR_MS },
    });
    await first.engine.start();
    const runId = await first.start({ definition, inputs: { list: [0, 0, 0] } });
    await first.monitor.until((event) => event.type === 'step.retrying' && event.runId === runId);
    await first.engine.stop();
    const late = process(HOUR_MS);
    await late.engine.start();
    await late.monitor.finished(runId);
    expect(calls).toEqual([0, 1]);
    expect(await runOf(runId)).toMatchObject({ status: 'success' });
    const [list] = await listRunSteps(cluster.database.sql, { tenantId: testTenant, runId });
    expect(list?.items).toEqual({ total: 3, ended: 3, failed: 0, unknown: 0 });
  });
});

describe('a job that was given up', () => {
  it('is still there to be read after a restart, with its last error, by its tenant only', async () => {
    const tenants = [testTenant, '00000000-0000-7000-8000-00000000000b'];
    const first = createTestEngine(cluster.open(), {
      jobHandlers: {
        poison: {
          async run() {
            throw new StepFailure('NO_GOOD', 'never works');
          },
        },
      },
    });
    await first.engine.start();
    const { jobId } = await cluster.database.pool.transaction((tx) =>
      first.engine.enqueueJob(tx, { tenantId: testTenant, kind: 'poison', payload: { n: 1 } }),
    );
    await first.monitor.until((event) => event.type === 'job.dead' && event.jobId === jobId);
    await first.engine.stop();
    const later = process(HOUR_MS);
    await later.engine.start();
    await later.engine.stop();
    const [own, others] = await Promise.all(
      tenants.map((tenantId) => listDeadJobs(cluster.database.sql, { tenantId, limit: 10 })),
    );
    expect(own).toMatchObject([{ id: jobId, kind: 'poison', payload: { n: 1 }, error: { code: 'NO_GOOD' } }]);
    expect(others).toEqual([]);
  });
});
