import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_DEPTH, MAX_TREE_RUNS } from './children.ts';
import type { ActionNode, Definition } from './definition.ts';
import { StepFailure } from './errors.ts';
import type { EngineDeps, ResolvePlaybook, Run } from './interfaces.ts';
import { findRun, listOpenPrompts, listRunSteps, listRuns, listStalledRuns } from './reads.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, type TestEngine, testTenant, testTraits } from './testing/test-engine.ts';
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

const playbook = (id: string, playbook_id: string, more: Record<string, unknown> = {}): ActionNode =>
  ({ id, kind: 'playbook', playbook_id, ...more }) as ActionNode;
const step = (id: string, more: Record<string, unknown> = {}): ActionNode =>
  ({ id, kind: 'action', action: 'read', ...more }) as ActionNode;
const define = (actions: ActionNode[], more: Partial<Definition> = {}): Definition => ({
  inputs: { properties: { ip: {} } },
  actions,
  ...more,
});

/** Definitions by id, as the embedding program keeps them. */
const library: Record<string, Definition> = {
  echo: define([step('a', { input: { ip: '{{ inputs.ip }}' } })], { outputs: { seen: '{{ actions.a.output.ip }}' } }),
  fails: define([step('a', { input: { fail: true } })]),
  asks: define([
    { id: 'ask', kind: 'prompt', message: 'Go?', options: [{ value: 'yes', label: 'Yes' }] },
    step('after', { depends_on: ['ask'] }),
  ]),
  skips: define([step('a', { when: 'false' })], { outputs: { done: true } }),
  itself: define([playbook('again', 'itself')]),
  many: define(
    Array.from({ length: 20 }, (_, n) => playbook(`p${n}`, 'some', { on_error: 'continue' })),
    { exec_options: { max_concurrent_actions: 64 } },
  ),
  some: define(
    Array.from({ length: 20 }, (_, n) => playbook(`p${n}`, 'skips', { on_error: 'continue' })),
    { exec_options: { max_concurrent_actions: 64 } },
  ),
  broken: define([step('a', { depends_on: ['nowhere'] })]),
  endless: define([step('a', { input: { hang: true } })]),
};

const resolvePlaybook: ResolvePlaybook = async (_, { node }) => {
  const definition = Object.hasOwn(library, node.playbook_id) ? library[node.playbook_id] : undefined;
  return definition ? { definition, traits: testTraits, name: node.playbook_id } : null;
};

async function started(deps: Partial<EngineDeps> = {}): Promise<TestEngine> {
  const made = createTestEngine(cluster.database, {
    resolvePlaybook,
    async executeStep({ input, signal }) {
      const { fail, hang } = input as { fail?: boolean; hang?: boolean };
      if (fail) throw new StepFailure('BROKEN', 'broken');
      if (hang) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      return input;
    },
    ...deps,
  });
  running.push(made);
  await made.engine.start();
  return made;
}

const db = () => cluster.database.sql;
const runOf = (runId: string) => findRun(db(), { tenantId: testTenant, runId });
const stepsOf = (runId: string) => listRunSteps(db(), { tenantId: testTenant, runId });
async function childrenOf(runId: string): Promise<Run[]> {
  const runs = await listRuns(db(), { tenantId: testTenant, limit: 1_000 });
  const children = runs.filter(({ parentRunId }) => parentRunId === runId);
  return await Promise.all(children.map(async ({ id }) => (await runOf(id)) as Run));
}
const cancel = ({ engine }: TestEngine, runId: string) =>
  cluster.database.pool.transaction((tx) => engine.cancelRun(tx, { tenantId: testTenant, runId, by: 'ann' }));

describe('a run that starts another', () => {
  it('gives it rendered inputs, waits for its end and has its outputs', async () => {
    const made = await started();
    const definition = define(
      [
        playbook('sub', 'echo', { inputs: { ip: '{{ inputs.ip }}' } }),
        step('after', { depends_on: ['sub'], input: { got: '{{ actions.sub.output.seen }}' } }),
      ],
      { outputs: { got: '{{ actions.after.output.got }}' } },
    );
    const runId = await made.start({
      definition,
      inputs: { ip: '192.0.2.7' },
      trigger: { by: 'ann' },
      subject: 'c-1',
      priority: 7,
      dryRun: true,
      startedWith: 'key-1',
    });
    expect(await stepsOf(runId)).toMatchObject([{ kind: 'playbook', status: 'running', name: 'sub' }]);
    expect(await runOf(runId)).toMatchObject({ status: 'running', parentRunId: null });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'success', outputs: { got: '192.0.2.7' } });
    const [child] = await childrenOf(runId);
    const [sub] = await stepsOf(runId);
    expect(sub).toMatchObject({ status: 'success', childRunId: child?.id, output: { seen: '192.0.2.7' } });
    // The key was the parent's.
    expect(await made.monitor.finished(child?.id ?? '')).toMatchObject({ startedWith: null });
    expect(child).toMatchObject({
      name: 'echo',
      kind: 'test',
      parentRunId: runId,
      parentStepId: sub?.id,
      trigger: { by: 'ann' },
      subject: 'c-1',
      priority: 7,
      dryRun: true,
    });
  });

  it('goes on in the same moment when the other one ends where it begins', async () => {
    const made = await started();
    const definition = define([playbook('sub', 'skips')], { outputs: { sub: '{{ actions.sub.output.done }}' } });
    const runId = await made.start({ definition });
    expect(await runOf(runId)).toMatchObject({ status: 'success', outputs: { sub: true } });
  });

  it('fails as the other one failed, naming it', async () => {
    const made = await started();
    const runId = await made.start({ definition: define([playbook('sub', 'fails')]) });
    await made.monitor.finished(runId);
    const [child] = await childrenOf(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'BROKEN', actionId: 'sub' } });
    expect(await stepsOf(runId)).toMatchObject([
      { status: 'error', error: { code: 'BROKEN', message: child?.error?.message, details: { run_id: child?.id } } },
    ]);
  });

  it('goes on after a failure with on_error continue', async () => {
    const made = await started();
    const definition = define([playbook('sub', 'fails', { on_error: 'continue' }), step('b', { depends_on: ['sub'] })]);
    const runId = await made.start({ definition });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'success' });
  });

  it.each([
    ['gone', 'PLAYBOOK_UNKNOWN'],
    ['broken', 'PLAYBOOK_INVALID'],
    ['__proto__', 'PLAYBOOK_UNKNOWN'],
  ])('fails when there is no such run to start: %s', async (id, code) => {
    const made = await started();
    const runId = await made.start({ definition: define([playbook('sub', id)]) });
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code, actionId: 'sub' } });
    expect(await childrenOf(runId)).toEqual([]);
  });

  it('fails with the reason the embedding program gives', async () => {
    const made = await started({
      resolvePlaybook: async () => {
        throw new StepFailure('INPUT_INVALID', 'ip is required');
      },
    });
    const runId = await made.start({ definition: define([playbook('sub', 'echo')]) });
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'INPUT_INVALID' } });
  });

  it('ends when a definition starts itself again and again', async () => {
    const made = await started();
    const runId = await made.start({ definition: define([playbook('sub', 'itself')]) });
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'PLAYBOOK_TOO_DEEP' } });
    const { rows } = await db().query<{ runs: number }>(
      'select count(*)::int as runs from engine.run where root_run_id = $1',
      [runId],
    );
    expect(rows[0]?.runs).toBe(MAX_DEPTH);
  });

  it('starts no more than a bounded number of runs in all', async () => {
    const made = await started();
    const runId = await made.start({ definition: define([playbook('sub', 'many')]) });
    const { rows } = await db().query<{ runs: number; refused: number }>(
      `select (select count(*)::int from engine.run where root_run_id = $1) as runs,
         (select count(*)::int from engine.step s join engine.run r on r.id = s.run_id
          where r.root_run_id = $1 and s.error->>'code' = 'PLAYBOOK_TOO_MANY_RUNS') as refused`,
      [runId],
    );
    expect(rows[0]?.runs).toBe(MAX_TREE_RUNS - 1);
    expect(rows[0]?.refused).toBeGreaterThan(0);
    expect(await runOf(runId)).toMatchObject({ status: 'success' });
  });
});

describe('ending', () => {
  it('cancels what the run has started, also when that waits for a person', async () => {
    const made = await started();
    const runId = await made.start({
      definition: define([playbook('sub', 'asks'), step('b', { depends_on: ['sub'] })]),
    });
    await cancel(made, runId);
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'cancelled', cancelledBy: 'ann' });
    const [child] = await childrenOf(runId);
    expect(child).toMatchObject({ status: 'cancelled', cancelledBy: 'ann' });
    const asked = await made.monitor.until(({ type }) => type === 'run.cancel_requested');
    expect(asked).toMatchObject({ runId: child?.id, by: 'ann', passedOn: true });
    expect(await stepsOf(runId)).toMatchObject([{ status: 'cancelled', skipReason: 'run_cancelled' }, {}]);
    expect(await listOpenPrompts(db(), { tenantId: testTenant, limit: 10 })).toEqual([]);
  });

  it('stops what a run below it is doing when its time is over', async () => {
    const made = await started();
    const definition = define([playbook('sub', 'endless')], { exec_options: { timeout_s: 1 } });
    const runId = await made.start({ definition });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'RUN_TIMED_OUT' } });
    expect(await childrenOf(runId)).toMatchObject([{ status: 'cancelled' }]);
  });

  it("ends the started run when the node's own time is over", async () => {
    const made = await started();
    const definition = define([playbook('sub', 'endless', { timeout_s: 1, on_error: 'continue' })]);
    const runId = await made.start({ definition });
    await made.monitor.finished(runId);
    expect(await childrenOf(runId)).toMatchObject([{ status: 'error', error: { code: 'RUN_TIMED_OUT' } }]);
    expect(await stepsOf(runId)).toMatchObject([{ status: 'error', error: { code: 'RUN_TIMED_OUT' } }]);
  });

  it('says so when somebody cancels the started run by itself', async () => {
    const made = await started();
    const runId = await made.start({ definition: define([playbook('sub', 'asks')]) });
    const [child] = await childrenOf(runId);
    await cancel(made, child?.id ?? '');
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'PLAYBOOK_CANCELLED' } });
  });

  it('stops a sibling when one started run fails', async () => {
    const made = await started();
    const runId = await made.start({ definition: define([playbook('a', 'asks'), playbook('b', 'fails')]) });
    await made.monitor.finished(runId);
    const statuses = (await childrenOf(runId)).map(({ name, status }) => `${name} ${status}`).sort();
    expect(statuses).toEqual(['asks cancelled', 'fails error']);
  });

  it('never blocks or loses a run when cancels and results of both cross each other', async () => {
    const made = await started();
    const runIds = await Promise.all(
      Array.from({ length: 40 }, () =>
        made.start({
          definition: define([
            playbook('a', 'echo', { inputs: { ip: 'x' } }),
            playbook('b', 'echo', { inputs: { ip: 'y' } }),
          ]),
        }),
      ),
    );
    const children = (await Promise.all(runIds.map(childrenOf))).flat();
    const both = [
      ...runIds.filter((_, n) => n % 2 === 0),
      ...children.filter((_, n) => n % 3 === 0).map(({ id }) => id),
    ];
    await Promise.all(both.map((id) => cancel(made, id)));
    for (const id of runIds) await untilEnded(id);
    for (const id of runIds) {
      expect((await runOf(id))?.finishedAt).not.toBeNull();
      for (const child of await childrenOf(id)) expect(child.finishedAt).not.toBeNull();
    }
  });
});

describe('a crash', () => {
  it('of the worker in a started run is survived: another one finishes both', async () => {
    const reached = createGate();
    const shortLease = { leaseMs: 1_500, heartbeatMs: 200 };
    const doomed = createTestEngine(cluster.open(), {
      resolvePlaybook,
      async executeStep() {
        reached.open();
        await new Promise(() => undefined);
      },
      options: shortLease,
    });
    await doomed.engine.start();
    const definition = define([playbook('sub', 'echo', { inputs: { ip: 'x' } })]);
    const runId = await doomed.start({ definition });
    await reached.opened;
    await doomed.database.sever();
    const heir = await started();
    await heir.monitor.finished(runId);
    await doomed.engine.stop().catch(() => undefined);
    expect(await runOf(runId)).toMatchObject({ status: 'success' });
  });

  it('between the end of the started run and the other one going on loses nothing', async () => {
    library.ask = define([{ id: 'ask', kind: 'prompt', message: 'Go?', options: [{ value: 'yes', label: 'Yes' }] }]);
    // No worker: the answer ends the started run, and word of it lies there as a job.
    const made = createTestEngine(cluster.database, { resolvePlaybook });
    const definition = define([playbook('sub', 'ask')]);
    const runId = await made.start({ definition });
    const [prompt] = await listOpenPrompts(db(), { tenantId: testTenant, limit: 1 });
    await cluster.database.pool.transaction((tx) =>
      made.engine.answerPrompt(tx, {
        tenantId: testTenant,
        promptId: prompt?.id ?? '',
        option: 'yes',
        username: 'ann',
      }),
    );
    expect(await childrenOf(runId)).toMatchObject([{ status: 'success' }]);
    expect(await runOf(runId)).toMatchObject({ status: 'running' });
    const later = await started();
    await later.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'success' });
  });
});

async function untilEnded(runId: string): Promise<void> {
  while (!(await runOf(runId))?.finishedAt) await new Promise((resolve) => setImmediate(resolve));
}
