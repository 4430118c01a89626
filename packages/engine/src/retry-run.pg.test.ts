import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import { StepFailure } from './errors.ts';
import type { EngineDeps, RetryRunInput } from './interfaces.ts';
import {
  findRun,
  findRunDefinition,
  listItems,
  listOpenPrompts,
  listRunSteps,
  listStalledRuns,
  listSteps,
} from './reads.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createTestEngine, type TestEngine, testTenant } from './testing/test-engine.ts';
import { uuidV7 } from './testing/test-ids.ts';
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

const step = (id: string, more: Record<string, unknown> = {}): ActionNode =>
  ({ id, kind: 'action', action: 'change', ...more }) as ActionNode;
const db = () => cluster.database.sql;
const runOf = (runId: string) => findRun(db(), { tenantId: testTenant, runId });
const stepsOf = async (runId: string) =>
  Object.fromEntries((await listRunSteps(db(), { tenantId: testTenant, runId })).map((each) => [each.actionId, each]));
const retry = ({ engine }: TestEngine, reuse: RetryRunInput['reuse'], more: Partial<RetryRunInput> = {}) =>
  cluster.database.pool.transaction((tx) => engine.startRun(tx, { tenantId: testTenant, reuse, ...more }));

/** A world in which some actions fail until they are mended. */
async function createBrokenWorld() {
  const broken = new Set<string>();
  const calls: string[] = [];
  const made = await started({
    async executeStep({ actionId, idempotencyKey, input, runId }) {
      calls.push(`${runId === first.runId ? 'first' : 'again'} ${actionId}`);
      const key = `${actionId}:${String((input as { value?: unknown }).value ?? '')}`;
      if (broken.has(key)) throw new StepFailure('BROKEN', 'broken');
      return { key: idempotencyKey };
    },
  });
  const first = { runId: '' };
  async function fail(definition: Definition, ...keys: string[]): Promise<string> {
    for (const key of keys) broken.add(key);
    first.runId = uuidV7();
    await made.start({
      definition,
      runId: first.runId,
      inputs: { list: [1, 2, 3], no: false },
      subject: 'c-1',
      trigger: { n: 1 },
    });
    await made.monitor.finished(first.runId);
    broken.clear();
    calls.length = 0;
    return first.runId;
  }
  return { made, calls, fail };
}

const chain: Definition = {
  inputs: { properties: { list: {} } },
  actions: [step('a'), step('b', { depends_on: ['a'] }), step('c', { depends_on: ['b'] }), step('d')],
  outputs: { a: '{{ actions.a.output.key }}', c: '{{ actions.c.output.key }}' },
};

describe('trying a run again', () => {
  it('takes over what succeeded, does the rest under new keys, and leaves the ended run as it is', async () => {
    const { made, calls, fail } = await createBrokenWorld();
    const runId = await fail(chain, 'b:');
    const before = [await runOf(runId), await stepsOf(runId)];
    const again = await retry(made, { runId });
    await made.monitor.finished(again.runId);
    expect(calls.filter((call) => call !== 'again d')).toEqual(['again b', 'again c']);
    expect(await runOf(again.runId)).toMatchObject({
      status: 'success',
      retryOf: runId,
      subject: 'c-1',
      trigger: { n: 1 },
      inputs: { list: [1, 2, 3], no: false },
      outputs: { a: `${runId}:a:0`, c: `${again.runId}:c:0` },
    });
    const steps = await stepsOf(again.runId);
    expect(steps.a).toMatchObject({ status: 'success', reused: true, attempt: 1 });
    expect(steps.b).toMatchObject({ status: 'success', reused: false });
    expect([await runOf(runId), await stepsOf(runId)]).toEqual(before);
  });

  it('lists what it takes over once, in the run that did it, and leaves no gap in a page for the rest', async () => {
    const { made } = await createBrokenWorld();
    const tenantId = uuidV7();
    const line = { ...chain, actions: chain.actions.slice(0, 3) };
    const runId = await made.start({ definition: line, tenantId, inputs: { list: [] }, dryRun: true });
    await made.monitor.finished(runId);
    const again = await retry(made, { runId, from: 'c' }, { tenantId });
    await made.monitor.finished(again.runId);
    expect((await listRunSteps(db(), { tenantId, runId: again.runId })).map(({ reused }) => reused)).toContain(true);
    const page = async (limit: number, offset: number) =>
      (await listSteps(db(), { tenantId, limit, offset })).map((each) => [each.actionId, each.runId, each.dryRun]);
    const all = [
      ['c', again.runId, true],
      ['c', runId, true],
      ['b', runId, true],
      ['a', runId, true],
    ];
    expect(await page(10, 0)).toEqual(all);
    expect([...(await page(3, 0)), ...(await page(3, 3))]).toEqual(all);
  });

  it('is asked for with its own key, whatever the run before was asked for with', async () => {
    const { made } = await createBrokenWorld();
    const runId = await made.start({ definition: chain, inputs: { list: [] }, startedWith: 'key-1' });
    expect(await made.monitor.finished(runId)).toMatchObject({ startedWith: 'key-1' });
    const second = await retry(made, { runId, from: 'c' });
    expect(await made.monitor.finished(second.runId)).toMatchObject({ startedWith: null });
    const third = await retry(made, { runId, from: 'c' }, { startedWith: 'key-2' });
    expect(await made.monitor.finished(third.runId)).toMatchObject({ startedWith: 'key-2' });
  });

  it('begins with the action that is named and everything downstream of it', async () => {
    const { made, calls, fail } = await createBrokenWorld();
    const runId = await fail(chain, 'c:');
    const again = await retry(made, { runId, from: 'b' });
    await made.monitor.finished(again.runId);
    expect(calls.filter((call) => call !== 'again d')).toEqual(['again b', 'again c']);
    expect((await stepsOf(again.runId)).a).toMatchObject({ reused: true });
  });

  describe('after an answer', () => {
    const options = [{ value: 'yes', label: 'Yes' }];
    const ask: ActionNode = { id: 'ask', kind: 'prompt', message: 'Delete it?', options };
    const traits = {
      change: { effect: 'changes', idempotent: true },
      wipe: { effect: 'destroys', idempotent: true },
    } as const;
    const after = (id: string, action: string, ...dependsOn: string[]) => step(id, { action, depends_on: dependsOn });

    /** The first run is answered, and ends. */
    async function answered(actions: ActionNode[], ...failing: string[]) {
      const broken = new Set(failing);
      const made = await started({
        async executeStep({ actionId }) {
          if (broken.has(actionId)) throw new StepFailure('BROKEN', 'broken');
          return {};
        },
      });
      const runId = await made.start({ definition: { actions: [ask, ...actions] }, traits, runId: uuidV7() });
      await say(made, runId, 'yes');
      await expect.poll(() => runOf(runId)).toMatchObject({ finishedAt: expect.any(Date) });
      broken.clear();
      return { made, runId };
    }
    async function say({ engine }: TestEngine, runId: string, option: string): Promise<void> {
      await expect.poll(() => openPrompt(runId)).toBeDefined();
      const { id: promptId } = (await openPrompt(runId)) ?? { id: '' };
      await cluster.database.pool.transaction((tx) =>
        engine.answerPrompt(tx, { tenantId: testTenant, promptId, option, username: 'ann' }),
      );
    }
    const openPrompt = async (runId: string) =>
      (await listOpenPrompts(db(), { tenantId: testTenant, limit: 100 })).find((each) => each.runId === runId);

    it.each<[string, ActionNode[], string | undefined]>([
      ['is done once more', [after('wipe', 'wipe', 'ask')], 'wipe'],
      ['was not done', [after('tell', 'change', 'ask'), after('wipe', 'wipe', 'tell')], undefined],
      ['may be in a playbook', [{ id: 'child', kind: 'playbook', playbook_id: 'p', depends_on: ['ask'] }], 'child'],
    ])('asks again where what destroys comes behind the question and %s', async (_, actions, from) => {
      const { made, runId } = await answered(actions, 'tell');
      const again = await retry(made, { runId, ...(from === undefined ? {} : { from }) });
      await expect.poll(() => openPrompt(again.runId)).toBeDefined();
      expect((await stepsOf(again.runId)).ask).toMatchObject({ status: 'waiting', reused: false });
    });

    it('repeats of a list that destroys only the items that were not done', async () => {
      const calls: string[] = [];
      const broken = new Set([2]);
      const made = await started({
        async executeStep({ input }) {
          const { value } = input as { value: number };
          calls.push(`wipe ${value}`);
          if (broken.has(value)) throw new StepFailure('BROKEN', 'broken');
          return {};
        },
      });
      const each = {
        ...after('wipe', 'wipe', 'ask'),
        for_each: 'inputs.list',
        input: { value: '{{ item }}' },
      } as ActionNode;
      const definition = {
        inputs: { properties: { list: {} } },
        actions: [ask, each],
        exec_options: { max_concurrent_actions: 1 },
      };
      const runId = await made.start({ definition, traits, runId: uuidV7(), inputs: { list: [1, 2] } });
      await say(made, runId, 'yes');
      await expect.poll(() => runOf(runId)).toMatchObject({ status: 'error' });
      broken.clear();
      const again = await retry(made, { runId });
      await made.monitor.finished(again.runId);
      expect(calls).toEqual(['wipe 1', 'wipe 2', 'wipe 2']);
      // All of it once more is another thing than what is left of it.
      const all = await retry(made, { runId: again.runId, from: 'wipe' });
      await expect.poll(() => openPrompt(all.runId)).toBeDefined();
    });

    it('asks no more before a list that destroys and is half done, also where only a run further back did that', async () => {
      const broken = new Set<unknown>(['look', 2]);
      const calls: unknown[] = [];
      let isHeld = false;
      const made = await started({
        async executeStep({ actionId, input, signal }) {
          const { value = actionId } = input as { value?: unknown };
          calls.push(value);
          if (broken.has(value)) throw new StepFailure('BROKEN', 'broken');
          if (isHeld) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          return {};
        },
      });
      const look = { ...after('look', 'change', 'ask'), on_error: 'continue' } as ActionNode;
      const each = { ...after('wipe', 'wipe', 'look'), for_each: 'inputs.list', input: { value: '{{ item }}' } };
      const definition = {
        inputs: { properties: { list: {} } },
        actions: [ask, look, each as ActionNode],
        exec_options: { max_concurrent_actions: 1 },
      };
      const first = await made.start({ definition, traits, runId: uuidV7(), inputs: { list: [1, 2] } });
      await say(made, first, 'yes');
      await expect.poll(() => runOf(first)).toMatchObject({ status: 'error' });
      broken.clear();
      isHeld = true;
      const second = await retry(made, { runId: first });
      await made.monitor.until((event) => event.type === 'step.started' && event.runId === second.runId);
      await cluster.database.pool.transaction((tx) =>
        made.engine.cancelRun(tx, { tenantId: testTenant, runId: second.runId, by: 'ann' }),
      );
      await made.monitor.finished(second.runId);
      isHeld = false;
      calls.length = 0;
      const last = await retry(made, { runId: second.runId });
      expect((await stepsOf(last.runId)).ask).toMatchObject({ status: 'success', reused: true });
      await made.monitor.finished(last.runId);
      expect(calls).toEqual(['look', 2]);
    });

    it('takes the answer over where what destroys is done, or nothing does', async () => {
      const { made, runId } = await answered(
        [after('wipe', 'wipe', 'ask'), after('tell', 'change', 'wipe'), after('note', 'change', 'ask')],
        'tell',
        'note',
      );
      const again = await retry(made, { runId });
      await made.monitor.finished(again.runId);
      const steps = await stepsOf(again.runId);
      expect([steps.ask?.reused, steps.wipe?.reused, steps.tell?.reused]).toEqual([true, true, false]);
    });
  });

  it('runs the definition the run had, whatever became of it since', async () => {
    const { made, fail } = await createBrokenWorld();
    const runId = await fail(chain, 'b:');
    const again = await retry(made, { runId });
    await made.monitor.finished(again.runId);
    expect(await findRunDefinition(db(), { tenantId: testTenant, runId: again.runId })).toEqual(
      await findRunDefinition(db(), { tenantId: testTenant, runId }),
    );
  });

  it('repeats of a list only the items that did not succeed', async () => {
    const { made, calls, fail } = await createBrokenWorld();
    const each = step('e', { for_each: 'inputs.list', input: { value: '{{ item }}' } });
    const definition = {
      inputs: { properties: { list: {} } },
      actions: [each],
      exec_options: { max_concurrent_actions: 1 },
    };
    const runId = await fail(definition, 'e:2');
    const again = await retry(made, { runId });
    await made.monitor.finished(again.runId);
    expect(calls).toEqual(['again e', 'again e']);
    const which = { tenantId: testTenant, runId: again.runId, actionId: 'e', limit: 10 };
    expect((await listItems(db(), which)).map(({ reused, status }) => [reused, status])).toEqual([
      [true, 'success'],
      [false, 'success'],
      [false, 'success'],
    ]);
    expect((await stepsOf(again.runId)).e?.output).toEqual([
      { key: `${runId}:e:0` },
      { key: `${again.runId}:e:1` },
      { key: `${again.runId}:e:2` },
    ]);
    const whole = await retry(made, { runId, from: 'e' });
    await made.monitor.finished(whole.runId);
    expect(calls).toHaveLength(5);
  });

  describe('with something to do again before what it takes over', () => {
    const look = step('look', { on_error: 'continue' });
    const list = step('e', { for_each: 'inputs.list', input: { value: '{{ item }}' }, depends_on: ['look'] });
    const define = (...actions: ActionNode[]): Definition => ({
      inputs: { properties: { list: {}, no: {} } },
      actions,
      exec_options: { max_concurrent_actions: 1 },
    });

    it('evaluates nothing that may read it before it has ended', async () => {
      const { made, calls, fail } = await createBrokenWorld();
      const between = step('between', { depends_on: ['look'] });
      const tell = step('tell', { depends_on: ['between'], input: { value: '{{ actions.look.output.key }}' } });
      const runId = await fail({ actions: [look, between, tell] }, 'look:');
      expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'EXPRESSION_FAILED' } });
      const again = await retry(made, { runId });
      await made.monitor.finished(again.runId);
      expect(calls).toEqual(['again look', 'again tell']);
      expect((await stepsOf(again.runId)).tell?.input).toEqual({ value: `${again.runId}:look:0` });
    });

    it.each<[string, ActionNode[], string[]]>([
      ['is done again', [look, list], ['again look', 'again e']],
      [
        'is left out again',
        [{ ...look, when: 'inputs.no' }, step('other'), { ...list, depends_on: ['look', 'other'] } as ActionNode],
        ['again e'],
      ],
    ])('repeats of a list only the items that did not succeed: what %s', async (_, actions, expected) => {
      const { made, calls, fail } = await createBrokenWorld();
      const runId = await fail(define(...actions), 'look:', 'e:3');
      const again = await retry(made, { runId });
      await made.monitor.finished(again.runId);
      expect(calls).toEqual(expected);
      expect((await stepsOf(again.runId)).e?.output).toEqual([
        { key: `${runId}:e:0` },
        { key: `${runId}:e:1` },
        { key: `${again.runId}:e:2` },
      ]);
    });

    it('repeats a whole list behind the action it is begun from', async () => {
      const { made, calls, fail } = await createBrokenWorld();
      const first = step('first');
      const runId = await fail(define(first, { ...look, depends_on: ['first'] } as ActionNode, list), 'look:', 'e:3');
      const again = await retry(made, { runId, from: 'first' });
      await made.monitor.finished(again.runId);
      expect(calls).toEqual(['again first', 'again look', 'again e', 'again e', 'again e']);
    });
  });

  describe('that tried another again and was cancelled before it opened a list', () => {
    const look = step('look', { on_error: 'continue' });
    const list = step('e', { for_each: 'inputs.list', input: { value: '{{ item }}' }, depends_on: ['look'] });
    const define = (...actions: ActionNode[]): Definition => ({
      inputs: { properties: { list: {} } },
      actions,
      exec_options: { max_concurrent_actions: 1 },
    });
    const other = step('other', { depends_on: ['look'] });
    const listBehind = { ...list, depends_on: ['look', 'other'] } as ActionNode;

    /** In the first run `look` and the third item fail. An action that is stopped ends as `stopped` says. */
    async function createStoppingWorld(definition: Definition) {
      const broken = new Set<unknown>(['look', 3]);
      const held = new Set<string>();
      const calls: unknown[] = [];
      const stopped = { succeeds: false };
      const made = await started({
        async executeStep({ actionId, idempotencyKey, input, signal }) {
          const { value = actionId } = input as { value?: unknown };
          calls.push(value);
          if (broken.has(value)) throw new StepFailure('BROKEN', 'broken');
          if (held.delete(actionId)) {
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
            if (!stopped.succeeds) throw new Error('stopped');
          }
          return { key: idempotencyKey };
        },
      });
      const first = await made.start({ definition, inputs: { list: [1, 2, 3] } });
      await made.monitor.finished(first);
      broken.clear();
      /** Retries, and cancels that when `actionId` is under way. */
      async function cancelledIn(actionId: string, reuse: RetryRunInput['reuse']): Promise<string> {
        held.add(actionId);
        const { runId } = await retry(made, reuse);
        await made.monitor.until(
          (event) => event.type === 'step.started' && event.runId === runId && event.actionId === actionId,
        );
        await cluster.database.pool.transaction((tx) =>
          made.engine.cancelRun(tx, { tenantId: testTenant, runId, by: 'ann' }),
        );
        await made.monitor.finished(runId);
        expect((await stepsOf(runId)).e).toMatchObject({ status: 'cancelled', items: null });
        return runId;
      }
      async function finished(reuse: RetryRunInput['reuse']): Promise<string> {
        calls.length = 0;
        const { runId } = await retry(made, reuse);
        await made.monitor.finished(runId);
        return runId;
      }
      return { first, calls, stopped, cancelledIn, finished };
    }

    const itemsOf = async (runId: string) =>
      (await listItems(db(), { tenantId: testTenant, runId, actionId: 'e', limit: 10 })).map(
        ({ reused, input, output }) => ({ reused, input, output }),
      );
    const doneIn = (first: string, last: string) =>
      [first, first, last].map((runId, index) => ({
        reused: runId === first,
        input: { value: index + 1 },
        output: { key: `${runId}:e:${index}` },
      }));

    it('repeats of the list only what none of them has done, however often that happens', async () => {
      const { first, calls, cancelledIn, finished } = await createStoppingWorld(define(look, list));
      const second = await cancelledIn('look', { runId: first });
      const third = await cancelledIn('look', { runId: second });
      const last = await finished({ runId: third });
      expect(calls).toEqual(['look', 3]);
      expect(await itemsOf(last)).toEqual(doneIn(first, last));
      expect((await stepsOf(last)).e?.output).toEqual(doneIn(first, last).map(({ output }) => output));
    });

    it('repeats no more of a list that opens as the last of them begins', async () => {
      const { first, calls, stopped, cancelledIn, finished } = await createStoppingWorld(define(look, list));
      stopped.succeeds = true;
      const second = await cancelledIn('look', { runId: first });
      expect((await stepsOf(second)).look).toMatchObject({ status: 'success', reused: false });
      const last = await finished({ runId: second });
      expect(calls).toEqual([3]);
      expect(await itemsOf(last)).toEqual(doneIn(first, last));
    });

    it.each([
      ['the cancelled one', 'other', undefined],
      ['the last one', undefined, 'other'],
      ['the cancelled one', 'look', undefined],
      ['the last one', undefined, 'look'],
      ['the cancelled one', 'e', undefined],
      ['the last one', undefined, 'e'],
    ])(
      'repeats the whole list where %s was begun from it or an action before it (%s, %s)',
      async (_, inSecond, inLast) => {
        const world = await createStoppingWorld(define(look, other, listBehind));
        const from = (runId: string, id: string | undefined) => ({ runId, ...(id === undefined ? {} : { from: id }) });
        const second = await world.cancelledIn('look', from(world.first, inSecond));
        const last = await world.finished(from(second, inLast));
        expect(world.calls.slice(-3)).toEqual([1, 2, 3]);
        expect(await itemsOf(last)).toEqual(doneIn(last, last).map((item) => ({ ...item, reused: false })));
      },
    );
  });

  it('keeps a list that went on in spite of a failure, with its failed item', async () => {
    const { made, calls, fail } = await createBrokenWorld();
    const each = step('e', { for_each: 'inputs.list', input: { value: '{{ item }}' }, on_error: 'continue' });
    const last = step('z', { depends_on: ['e'] });
    const definition = { inputs: { properties: { list: {} } }, actions: [each, last] };
    const runId = await fail(definition, 'e:2', 'z:');
    const again = await retry(made, { runId });
    await made.monitor.finished(again.runId);
    expect(calls).toEqual(['again z']);
    expect((await stepsOf(again.runId)).e).toMatchObject({
      reused: true,
      items: { total: 3, ended: 3, failed: 1 },
      output: [{ key: `${runId}:e:0` }, null, { key: `${runId}:e:2` }],
    });
  });

  it('can be tried again itself, and with another trigger', async () => {
    const { made, fail } = await createBrokenWorld();
    const runId = await fail(chain, 'b:');
    const second = await retry(made, { runId });
    await made.monitor.finished(second.runId);
    const third = await retry(made, { runId: second.runId, from: 'c' }, { trigger: { by: 'ann' } });
    await made.monitor.finished(third.runId);
    expect(await runOf(third.runId)).toMatchObject({
      retryOf: second.runId,
      trigger: { by: 'ann' },
      status: 'success',
    });
    expect((await stepsOf(third.runId)).a?.output).toEqual({ key: `${runId}:a:0` });
  });

  it('is one run per key, also when it is asked for twenty times at once', async () => {
    const { made, fail } = await createBrokenWorld();
    const runId = await fail(chain, 'b:');
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => retry(made, { runId }, { dedupKey: `r-${runId}` })),
    );
    expect(new Set(tries.map((each) => each.runId)).size).toBe(1);
    expect(tries.filter(({ created }) => created)).toHaveLength(1);
    await made.monitor.finished(tries[0]?.runId ?? '');
  });

  it('is refused while another run that tries it again has not ended', async () => {
    const { made, fail } = await createBrokenWorld();
    const runId = await fail(chain, 'b:');
    const again = { tenantId: testTenant, reuse: { runId } };
    const next = await cluster.database.pool.transaction(async (tx) => {
      const first = await made.engine.startRun(tx, again);
      const details = { runId, retryId: first.runId };
      await expect(made.engine.startRun(tx, again)).rejects.toMatchObject({ code: 'RUN_BEING_RETRIED', details });
      return first.runId;
    });
    await made.monitor.finished(next);
    const third = await retry(made, { runId });
    expect(third.created).toBe(true);
    await made.monitor.finished(third.runId);
  });

  it('is refused while a run that has not ended goes back to the same one by others', async () => {
    const { made, fail } = await createBrokenWorld();
    const runId = await fail(chain, 'b:');
    const second = await retry(made, { runId });
    await made.monitor.finished(second.runId);
    const other = await fail(chain, 'b:');
    const third = await cluster.database.pool.transaction(async (tx) => {
      const open = await made.engine.startRun(tx, { tenantId: testTenant, reuse: { runId: second.runId, from: 'c' } });
      const again = made.engine.startRun(tx, { tenantId: testTenant, reuse: { runId } });
      const details = { runId, retryId: open.runId };
      await expect(again).rejects.toMatchObject({ code: 'RUN_BEING_RETRIED', details });
      // Nor does it stand in the way of others.
      await made.engine.startRun(tx, { tenantId: testTenant, reuse: { runId: other } });
      return open.runId;
    });
    await made.monitor.finished(third);
    const fourth = await retry(made, { runId });
    await made.monitor.finished(fourth.runId);
    // The other way round: what is tried again is further from the first one than what is open.
    await cluster.database.pool.transaction(async (tx) => {
      const open = await made.engine.startRun(tx, { tenantId: testTenant, reuse: { runId } });
      await expect(made.engine.startRun(tx, { tenantId: testTenant, reuse: { runId: third } })).rejects.toMatchObject({
        code: 'RUN_BEING_RETRIED',
        details: { runId: third, retryId: open.runId },
      });
    });
  });

  it('waits for who tries again at that moment another that goes back to the same one', async () => {
    const { made, fail } = await createBrokenWorld();
    const runId = await fail(chain, 'b:');
    const second = await retry(made, { runId });
    await made.monitor.finished(second.runId);
    const tries = await Promise.allSettled(
      [runId, second.runId, runId, second.runId].map((each) => retry(made, { runId: each, from: 'a' })),
    );
    const begun = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value.runId] : []));
    for (const each of begun) await made.monitor.finished(each);
    const runs = (await Promise.all(begun.map(runOf))).flatMap((run) => run ?? []);
    runs.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    for (const [index, { finishedAt }] of runs.slice(0, -1).entries())
      expect(runs[index + 1]?.createdAt.getTime()).toBeGreaterThanOrEqual(finishedAt?.getTime() ?? Infinity);
  });

  it('stays a dry run', async () => {
    const made = await started({
      async executeStep({ markCallStarted }) {
        await markCallStarted();
      },
    });
    const runId = await made.start({ definition: chain, dryRun: true });
    await made.monitor.finished(runId);
    const again = await retry(made, { runId });
    await made.monitor.finished(again.runId);
    expect(await runOf(again.runId)).toMatchObject({ dryRun: true, status: 'error', error: { code: 'DRY_RUN' } });
  });

  it('is refused for a run that is unknown, of another tenant or still going on, and for an unknown action', async () => {
    const made = createTestEngine(cluster.database);
    const runId = await made.start({ definition: chain });
    await expect(retry(made, { runId: uuidV7() })).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    await expect(retry(made, { runId }, { tenantId: uuidV7() })).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    await expect(retry(made, { runId })).rejects.toMatchObject({ code: 'RUN_NOT_FINISHED' });
    await cluster.database.pool.transaction((tx) =>
      made.engine.cancelRun(tx, { tenantId: testTenant, runId, by: 'ann' }),
    );
    await expect(retry(made, { runId, from: 'zzz' })).rejects.toMatchObject({ code: 'ACTION_UNKNOWN' });
    await expect(retry(made, { runId, from: '__proto__' })).rejects.toMatchObject({ code: 'ACTION_UNKNOWN' });
  });
});
