import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import { StepFailure } from './errors.ts';
import type { EngineDeps, SqlClient } from './interfaces.ts';
import { findRun, listItems, listRunSteps, listStalledRuns } from './reads.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createTestEngine, type TestEngine, testTenant } from './testing/test-engine.ts';
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

async function started(deps: Partial<EngineDeps>): Promise<TestEngine> {
  const made = createTestEngine(cluster.database, deps);
  running.push(made);
  await made.engine.start();
  return made;
}

const db = () => cluster.database.sql;
const runOf = (runId: string) => findRun(db(), { tenantId: testTenant, runId });
const itemsOf = (runId: string) => listItems(db(), { tenantId: testTenant, runId, actionId: 'each', limit: 10 });
const stepsOf = async (runId: string) =>
  Object.fromEntries((await listRunSteps(db(), { tenantId: testTenant, runId })).map((each) => [each.actionId, each]));

/** `seen`: all that went between the process and the database meanwhile. */
async function retry({ engine }: TestEngine, runId: string): Promise<{ runId: string; seen: string }> {
  const seen: string[] = [];
  const again = await cluster.database.pool.transaction((tx) => {
    const watched: SqlClient = {
      async query<Row>(text: string, values?: readonly unknown[]) {
        const result = await tx.query<Row>(text, values);
        seen.push(JSON.stringify([values, result.rows]));
        return result;
      },
    };
    return engine.startRun(watched, { tenantId: testTenant, reuse: { runId } });
  });
  return { runId: again.runId, seen: seen.join() };
}

const each = (more: Record<string, unknown> = {}): ActionNode =>
  ({
    id: 'each',
    kind: 'action',
    action: 'change',
    for_each: 'inputs.list',
    input: { value: '{{ item }}' },
    ...more,
  }) as ActionNode;
const call = (id: string, more: Record<string, unknown> = {}): ActionNode =>
  ({ id, kind: 'action', action: 'change', ...more }) as ActionNode;
const define = (...actions: ActionNode[]): Definition => ({
  inputs: { properties: { list: {} } },
  actions,
  exec_options: { max_concurrent_actions: 1 },
});

/** Each call gives a large output; those of `broken` fail. */
async function createLargeWorld(options: EngineDeps['options'] = {}) {
  const broken = new Set<unknown>();
  const calls: unknown[] = [];
  const made = await started({
    async executeStep({ actionId, input }) {
      const { value = actionId } = input as { value?: unknown };
      calls.push(value);
      if (broken.has(value)) throw new StepFailure('BROKEN', 'broken');
      return output;
    },
    options,
  });
  async function run(definition: Definition, ...failing: unknown[]): Promise<string> {
    for (const value of failing) broken.add(value);
    const runId = await made.start({ definition, inputs: { list: [1, 2, 3] } });
    await made.monitor.finished(runId);
    broken.clear();
    calls.length = 0;
    return runId;
  }
  return { made, calls, run };
}

const output = 'large'.repeat(1_000);
const togetherTooLarge = { maxOutputBytes: 2.5 * output.length };

describe('trying a run again leaves in the database what it takes over', () => {
  it('of a list whose outputs do not fit together: it ends like that again, and nothing is called', async () => {
    const { made, calls, run } = await createLargeWorld(togetherTooLarge);
    const runId = await run(define(each()));
    expect(await runOf(runId)).toMatchObject({ error: { code: 'OUTPUT_TOO_LARGE' } });
    const again = await retry(made, runId);
    expect((await stepsOf(again.runId)).each).toMatchObject({ status: 'error', error: { code: 'OUTPUT_TOO_LARGE' } });
    expect(await runOf(again.runId)).toMatchObject({
      status: 'error',
      error: { code: 'OUTPUT_TOO_LARGE', actionId: 'each' },
    });
    expect(calls).toEqual([]);
    expect(again.seen).not.toContain('large');
    const items = await itemsOf(again.runId);
    expect(items.map(({ reused, input }) => [reused, input])).toEqual([1, 2, 3].map((value) => [true, { value }]));
    expect(items.map((item) => item.output)).toEqual([output, output, output]);
  });

  it.each([
    ['fit', {}, { status: 'success' }],
    ['do not fit', togetherTooLarge, { status: 'error', error: { code: 'OUTPUT_TOO_LARGE' } }],
  ])(
    'of a list that is half done and whose outputs %s together: only the others are called',
    async (_, options, end) => {
      const { made, calls, run } = await createLargeWorld(options);
      const runId = await run(define(each()), 3);
      const again = await retry(made, runId);
      expect(again.seen).not.toContain('large');
      await made.monitor.finished(again.runId);
      expect(calls).toEqual([3]);
      expect(await runOf(again.runId)).toMatchObject(end);
      const items = await itemsOf(again.runId);
      expect(items.map((item) => [item.reused, item.output])).toEqual([
        [true, output],
        [true, output],
        [false, output],
      ]);
    },
  );

  it('until a list that waits for something else ends as it begins', async () => {
    const { made, calls, run } = await createLargeWorld(togetherTooLarge);
    const list = each({ depends_on: ['look'] });
    const runId = await run(define(call('look', { on_error: 'continue' }), list), 'look');
    expect(await runOf(runId)).toMatchObject({ error: { code: 'OUTPUT_TOO_LARGE' } });
    const roomy = await started({
      async executeStep({ actionId }) {
        calls.push(actionId);
        return {};
      },
    });
    await made.engine.stop();
    const again = await retry(roomy, runId);
    await roomy.monitor.finished(again.runId);
    expect(calls).toEqual(['look']);
    expect(await runOf(again.runId)).toMatchObject({ status: 'success' });
    expect((await stepsOf(again.runId)).each?.output).toEqual([output, output, output]);
  });

  it('of a run further back, until a list ends as it begins', async () => {
    const { made, calls, run } = await createLargeWorld(togetherTooLarge);
    const list = each({ depends_on: ['look'] });
    const runId = await run(define(call('look', { on_error: 'continue' }), list), 'look');
    await made.engine.stop();
    const idle = createTestEngine(cluster.database);
    const second = await retry(idle, runId);
    const cancelled = { tenantId: testTenant, runId: second.runId, by: 'ann' };
    await cluster.database.pool.transaction((tx) => idle.engine.cancelRun(tx, cancelled));
    const roomy = await started({
      async executeStep({ actionId }) {
        calls.push(actionId);
        return {};
      },
    });
    const third = await retry(roomy, second.runId);
    await roomy.monitor.finished(third.runId);
    expect(calls).toEqual(['look']);
    expect((await stepsOf(third.runId)).each?.output).toEqual([output, output, output]);
    expect((await itemsOf(third.runId)).map(({ reused, input }) => [reused, input])).toEqual(
      [1, 2, 3].map((value) => [true, { value }]),
    );
  });

  it('until a list ends as it begins, and fits by now', async () => {
    const { calls, run } = await createLargeWorld(togetherTooLarge);
    const runId = await run(define(each()));
    const again = await retry(createTestEngine(cluster.database), runId);
    expect(calls).toEqual([]);
    expect(await runOf(again.runId)).toMatchObject({ status: 'success' });
    expect((await stepsOf(again.runId)).each?.output).toEqual([output, output, output]);
  });

  it('of a list that went on in spite of a failure', async () => {
    const { made, calls, run } = await createLargeWorld();
    const list = each({ on_error: 'continue' });
    const runId = await run(define(list, call('last', { depends_on: ['each'] })), 2, 'last');
    const again = await retry(made, runId);
    expect(again.seen).not.toContain('large');
    await made.monitor.finished(again.runId);
    expect(calls).toEqual(['last']);
    expect((await stepsOf(again.runId)).each).toMatchObject({ reused: true, output: [output, null, output] });
    const ofBoth = await Promise.all([runId, again.runId].map(itemsOf));
    const [before, after] = ofBoth.map((items) =>
      items.map(({ status, input, output: gave, error }) => ({ status, input, gave, error })),
    );
    expect(after).toEqual(before);
  });

  it('of an action, and a later one still gets it', async () => {
    const { made, calls, run } = await createLargeWorld();
    const first = call('first');
    const second = call('second', {
      depends_on: ['first'],
      input: { value: 'second', of: '{{ actions.first.output }}' },
    });
    const third = call('third', { depends_on: ['second'] });
    const last = call('last', { depends_on: ['third'], input: { value: 'last', of: '{{ actions.second.output }}' } });
    const outputs = { all: '{{ actions.first.output }}' };
    const runId = await run({ ...define(first, second, third, last), outputs }, 'third');
    const again = await retry(made, runId);
    expect(again.seen).not.toContain('large');
    await made.monitor.finished(again.runId);
    expect(calls).toEqual(['third', 'last']);
    const steps = await stepsOf(again.runId);
    expect(steps.second).toMatchObject({ reused: true, input: { value: 'second', of: output }, output });
    expect(steps.last?.input).toEqual({ value: 'last', of: output });
    expect((await runOf(again.runId))?.outputs).toEqual({ all: output });
  });

  it('until an action that begins at once is to get it, and it is not written again', async () => {
    const { made, calls, run } = await createLargeWorld();
    const when = "actions.first.output != ''";
    const last = call('last', {
      depends_on: ['first'],
      when,
      input: { value: 'last', of: '{{ actions.first.output }}' },
    });
    const runId = await run(define(call('first'), last), 'last');
    const again = await retry(made, runId);
    await made.monitor.finished(again.runId);
    expect(calls).toEqual(['last']);
    const { first: taken, last: done } = await stepsOf(again.runId);
    expect(taken).toMatchObject({ reused: true, output });
    expect(done?.input).toEqual({ value: 'last', of: output });
    // Read once, and written as the input of the other.
    expect(again.seen.split(output)).toHaveLength(3);
  });
});
