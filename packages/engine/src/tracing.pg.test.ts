import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Definition } from './definition.ts';
import { StepFailure } from './errors.ts';
import type { AttemptOutcome, EngineDeps, RunTracing } from './interfaces.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, shortLease, type TestEngine, testTraits } from './testing/test-engine.ts';
import { testServerUrl } from './testing/test-server.ts';

let cluster: TestCluster;
const running: TestEngine[] = [];

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
});
afterAll(() => cluster.drop());
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ engine }) => engine.stop()));
});

type Seen = { context: string | null; action: string; attempt: number; outcome: AttemptOutcome['type']; code?: string };

/** A process; each numbers the runs it starts. */
function process(name: string, deps: Partial<EngineDeps> = {}) {
  const seen: Seen[] = [];
  let started = 0;
  const tracing: RunTracing = {
    contextOf: ({ kind }) => `${name}-${kind}-${++started}`,
    async attempt({ context, step: { actionId: action, attempt } }, work) {
      const result = await work();
      const outcome = result.type;
      seen.push({ context, action, attempt, outcome, ...(result.error ? { code: result.error.code } : {}) });
      return result;
    },
  };
  const made = createTestEngine(cluster.open(), { tracing, ...deps });
  running.push(made);
  return { ...made, seen };
}

const two: Definition = {
  actions: [
    { id: 'one', kind: 'action', action: 'read' },
    { id: 'two', kind: 'action', action: 'read', depends_on: ['one'] },
  ],
};

describe('what a run hangs on in a trace', () => {
  it('goes to every attempt in the process that carries it out, with what became of the attempt', async () => {
    const caller = process('caller');
    const runId = await caller.start({ definition: two });
    const worker = process('worker');
    await worker.engine.start();
    await worker.monitor.finished(runId);
    expect(caller.seen).toEqual([]);
    expect(worker.seen).toEqual([
      { context: 'caller-test-1', action: 'one', attempt: 1, outcome: 'succeeded' },
      { context: 'caller-test-1', action: 'two', attempt: 1, outcome: 'succeeded' },
    ]);
  });

  it('goes to the attempt of the worker that goes on where another had to stop', async () => {
    const begun = createGate();
    const first = process('first', {
      async executeStep() {
        begun.open();
        return await new Promise(() => undefined);
      },
      options: { stopTimeoutMs: 10 },
    });
    const runId = await first.start({ definition: two });
    await first.engine.start();
    await begun.opened;
    await first.engine.stop();
    const next = process('next');
    await next.engine.start();
    await next.monitor.finished(runId);
    expect(first.seen).toEqual([{ context: 'first-test-1', action: 'one', attempt: 1, outcome: 'aborted' }]);
    expect(next.seen).toMatchObject([
      { context: 'first-test-1', action: 'one', outcome: 'succeeded' },
      { context: 'first-test-1', action: 'two', outcome: 'succeeded' },
    ]);
  });

  it('goes to the attempt of the process that comes up after a crash', async () => {
    const begun = createGate();
    const crashed = process('crashed', {
      async executeStep() {
        begun.open();
        return await new Promise(() => undefined);
      },
      options: { ...shortLease, stopTimeoutMs: 10 },
    });
    const runId = await crashed.start({ definition: two });
    await crashed.engine.start();
    await begun.opened;
    await crashed.database.sever();
    await crashed.engine.stop().catch(() => undefined);
    running.splice(0);
    const next = process('next');
    await next.engine.start();
    await next.monitor.finished(runId);
    expect(next.seen).toEqual([
      { context: 'crashed-test-1', action: 'one', attempt: 2, outcome: 'succeeded' },
      { context: 'crashed-test-1', action: 'two', attempt: 1, outcome: 'succeeded' },
    ]);
  });

  it('tells a failed attempt by its code, and each repetition as another', async () => {
    let calls = 0;
    const worker = process('worker', {
      async executeStep({ input }) {
        calls += 1;
        if (calls === 1) throw new StepFailure('VENDOR_AWAY', 'Not now.', { retryable: true });
        return input;
      },
    });
    await worker.engine.start();
    const retried = { id: 'one', kind: 'action', action: 'read', retry: { max_attempts: 2, backoff_s: 1 } };
    const runId = await worker.start({ definition: { actions: [retried] } as Definition });
    await worker.monitor.finished(runId);
    expect(worker.seen).toMatchObject([
      { attempt: 1, outcome: 'failed', code: 'VENDOR_AWAY' },
      { attempt: 2, outcome: 'succeeded' },
    ]);
  });

  it('is the same for a run that a step starts, and another for a run that is tried again', async () => {
    const sub = { id: 'sub', kind: 'playbook', playbook_id: 'two' };
    const worker = process('worker', {
      resolvePlaybook: async () => ({ definition: two, traits: testTraits, name: 'two' }),
    });
    await worker.engine.start();
    const runId = await worker.start({ definition: { actions: [sub] } as Definition });
    const { tenantId } = await worker.monitor.finished(runId);
    expect(worker.seen.map(({ context }) => context)).toEqual(['worker-test-1', 'worker-test-1']);
    const again = await cluster.database.pool.transaction((tx) =>
      worker.engine.startRun(tx, { tenantId, reuse: { runId, from: 'sub' } }),
    );
    await worker.monitor.finished(again.runId);
    expect(worker.seen.slice(2).map(({ context }) => context)).toEqual(['worker-test-2', 'worker-test-2']);
  });
});
