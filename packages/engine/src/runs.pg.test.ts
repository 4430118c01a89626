import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import { EngineError, StepFailure } from './errors.ts';
import type { EngineEvent } from './events.ts';
import type { EngineDeps, SqlPool, StepContext } from './interfaces.ts';
import {
  findPrompt,
  findRun,
  findRunDefinition,
  listOpenPrompts,
  listRunSteps,
  listRuns,
  listStalledRuns,
  listSteps,
  listStepsOfRuns,
} from './reads.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, silentLog, type TestEngine, testTenant } from './testing/test-engine.ts';
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

async function started(deps: Partial<EngineDeps> = {}): Promise<TestEngine> {
  const made = createTestEngine(cluster.database, deps);
  running.push(made);
  await made.engine.start();
  return made;
}

const step = (id: string, more: Record<string, unknown> = {}): ActionNode =>
  ({ id, kind: 'action', action: 'read', ...more }) as ActionNode;
const ask = (more: Record<string, unknown> = {}): ActionNode =>
  ({
    id: 'ask',
    kind: 'prompt',
    message: 'Block {{ inputs.ip }}?',
    options: [
      { value: 'block', label: 'Block' },
      { value: 'ignore', label: 'Ignore' },
    ],
    ...more,
  }) as ActionNode;
const define = (actions: ActionNode[], more: Partial<Definition> = {}): Definition => ({
  inputs: { properties: { ip: {} } },
  actions,
  ...more,
});

const db = () => cluster.database.sql;
const runOf = async (runId: string) => findRun(db(), { tenantId: testTenant, runId });
const stepsOf = async (runId: string) =>
  Object.fromEntries((await listRunSteps(db(), { tenantId: testTenant, runId })).map((each) => [each.actionId, each]));
const cancel = ({ engine }: TestEngine, runId: string) =>
  cluster.database.pool.transaction((tx) => engine.cancelRun(tx, { tenantId: testTenant, runId, by: 'ann' }));
const answer = ({ engine }: TestEngine, promptId: string, option = 'block', username = 'ann') =>
  cluster.database.pool.transaction((tx) =>
    engine.answerPrompt(tx, { tenantId: testTenant, promptId, option, username }),
  );
async function openPrompt(runId: string): Promise<string> {
  const prompt = (await listOpenPrompts(db(), { tenantId: testTenant, limit: 100 })).find(
    (each) => each.runId === runId,
  );
  if (!prompt) throw new Error('no open prompt');
  return prompt.id;
}

describe('a run', () => {
  it('carries results through its steps to its outputs and announces every transition in order', async () => {
    const written: EngineEvent[] = [];
    const made = await started({ onEvents: async (_, events) => void written.push(...events) });
    const definition = define(
      [
        step('a', { input: { ip: '{{ inputs.ip }}' } }),
        step('b', { depends_on: ['a'], input: { from: '{{ actions.a.output.ip }}' } }),
        step('never', { depends_on: ['a'], when: "inputs.ip == 'x'" }),
      ],
      { outputs: { seen: '{{ actions.b.output.from }}' } },
    );
    const runId = await made.start({ definition, inputs: { ip: '192.0.2.7' }, trigger: { by: 'ann' }, subject: 'c-1' });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'success', outputs: { seen: '192.0.2.7' }, subject: 'c-1' });
    expect(await stepsOf(runId)).toMatchObject({
      a: { status: 'success', attempt: 1 },
      never: { status: 'cancelled', skipReason: 'condition' },
    });
    expect(written.filter((event) => 'runId' in event && event.runId === runId).map(({ type }) => type)).toEqual([
      'run.created',
      'run.started',
      'step.started',
      'step.finished',
      'step.skipped',
      'step.started',
      'step.finished',
      'run.finished',
    ]);
  });

  it('is started once per key, even by callers at the same time', async () => {
    const made = await started();
    const ids = await Promise.all(
      Array.from({ length: 10 }, () => made.start({ definition: define([step('a')]), dedupKey: 'alert-1' })),
    );
    expect(new Set(ids).size).toBe(1);
    await made.monitor.finished(ids[0] ?? '');
  });

  it('does not exist when the transaction that started it is rolled back', async () => {
    const made = await started();
    const runId = uuidV7();
    const input = { tenantId: testTenant, kind: 't', name: 't', traits: {}, definition: define([step('a')]), runId };
    const rolledBack = cluster.database.pool.transaction(async (tx) => {
      await made.engine.startRun(tx, input);
      throw new Error('caller failed');
    });
    await expect(rolledBack).rejects.toThrow('caller failed');
    expect(await runOf(runId)).toBeUndefined();
  });

  it('refuses a definition with problems and names them all', async () => {
    const made = createTestEngine(cluster.database);
    const definition = define([step('a', { depends_on: ['b'] }), step('b', { depends_on: ['a'], when: '((' })]);
    const refused = await made.start({ definition }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(EngineError);
    const { problems } = (refused as EngineError).details as { problems: { code: string }[] };
    expect(problems.map(({ code }) => code).sort()).toEqual(['CYCLE', 'EXPRESSION_INVALID']);
  });

  it('refuses inputs and a trigger that are larger than it keeps, and writes nothing', async () => {
    const made = createTestEngine(cluster.database);
    const runId = uuidV7();
    const large = { ip: 'x'.repeat(1_100_000) };
    const definition = define([step('a')]);
    for (const input of [{ inputs: large }, { trigger: large }])
      await expect(made.start({ definition, runId, ...input })).rejects.toMatchObject({ code: 'INPUT_TOO_LARGE' });
    expect(await runOf(runId)).toBeUndefined();
  });

  it('never runs more actions at once than its definition allows', async () => {
    let active = 0;
    let most = 0;
    const made = await started({
      executeStep: async () => {
        active += 1;
        most = Math.max(most, active);
        await new Promise((resolve) => setImmediate(resolve));
        active -= 1;
      },
    });
    const actions = Array.from({ length: 20 }, (_, n) => step(`s${n}`));
    const runId = await made.start({ definition: define(actions, { exec_options: { max_concurrent_actions: 3 } }) });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'success' });
    expect([most <= 3, most > 1]).toEqual([true, true]);
  });

  it('waits until the time it was scheduled for', async () => {
    const made = await started();
    const runAt = new Date(Date.now() + 2_000);
    const runId = await made.start({ definition: define([step('a')]), runAt });
    expect(await runOf(runId)).toMatchObject({ status: 'pending', startedAt: null });
    await made.monitor.finished(runId);
    expect((await runOf(runId))?.startedAt?.getTime()).toBeGreaterThanOrEqual(runAt.getTime());
  });

  it('stores what PostgreSQL would refuse', async () => {
    const made = await started({
      executeStep: async () => ({ text: 'a\u0000b\ud800c', 'k\u0000': 1 }),
    });
    const runId = await made.start({ definition: define([step('a')]), inputs: { ip: '\u0000' } });
    await made.monitor.finished(runId);
    expect((await stepsOf(runId)).a).toMatchObject({
      status: 'success',
      output: { text: 'a\ufffdb\ufffdc', 'k\ufffd': 1 },
    });
  });
});

describe('outputs that are large', () => {
  const large = (name: string) => ({ name, blob: randomBytes(20_000).toString('hex') });

  /** The pool, and the inputs and outputs that came out of the database over it. */
  function watched(pool: SqlPool): { pool: SqlPool; read: () => number } {
    let bytes = 0;
    const seen: SqlPool = {
      ...pool,
      transaction: (work) =>
        pool.transaction((tx) =>
          work({
            ...tx,
            async query<Row>(text: string, values?: readonly unknown[]) {
              const answer = await tx.query<Row>(text, values);
              for (const row of answer.rows as { input?: unknown; output?: unknown }[])
                bytes += JSON.stringify([row.input, row.output]).length;
              return answer;
            },
          }),
        ),
    };
    return { pool: seen, read: () => bytes };
  }

  it('are read from the database where an expression names them, and nowhere else', async () => {
    const { pool, read } = watched(cluster.database.pool);
    const inputs: unknown[] = [];
    const made = await started({
      pool,
      executeStep: async ({ actionId, input }) => {
        if (actionId === 'last') inputs.push(input);
        return large(actionId);
      },
    });
    const chain = Array.from({ length: 12 }, (_, index) =>
      step(`s${index}`, { depends_on: index === 0 ? [] : [`s${index - 1}`], input: { blob: 'x'.repeat(40_000) } }),
    );
    const last = step('last', {
      depends_on: ['s11'],
      when: `actions.s1.output.name == 's1' && actions.s3.status == 'success'`,
      input: { of: '{{ actions.s2.output.name }}' },
    });
    const runId = await made.start({
      definition: define([...chain, last], { outputs: { first: '{{ actions.s0.output.name }}' } }),
    });
    await made.monitor.finished(runId);
    expect(inputs).toEqual([{ of: 's2' }]);
    expect(await runOf(runId)).toMatchObject({ status: 'success', outputs: { first: 's0' } });
    // Three of the outputs, once each.
    expect(read()).toBeLessThan(4 * 41_000);
    // What was left in the database is still there.
    const kept = await stepsOf(runId);
    for (const { id } of chain) expect(kept[id]?.output).toMatchObject({ name: id });
  });

  it('are the same to expressions after a question as before it', async () => {
    const made = await started({ executeStep: async ({ actionId }) => large(actionId) });
    const runId = await made.start({
      definition: define([
        step('look'),
        ask({ depends_on: ['look'] }),
        step('act', { depends_on: ['ask'], when: `actions.look.output.name == 'look'` }),
      ]),
      inputs: { ip: '192.0.2.1' },
    });
    const asked = await made.monitor.until((event) => event.type === 'prompt.asked' && event.runId === runId);
    const promptId = asked.type === 'prompt.asked' ? asked.promptId : '';
    await cluster.database.pool.transaction((tx) =>
      made.engine.answerPrompt(tx, { tenantId: testTenant, promptId, option: 'block', username: 'ana' }),
    );
    await made.monitor.finished(runId);
    expect((await stepsOf(runId)).act).toMatchObject({ status: 'success' });
  });
});

describe('failing steps', () => {
  it('are tried again within their policy with the same key, then end the run naming the action', async () => {
    const keys: string[] = [];
    const made = await started({
      executeStep: async ({ idempotencyKey, attempt }) => {
        keys.push(`${idempotencyKey}/${attempt}`);
        throw new StepFailure('BUSY', 'try later', { retryable: true });
      },
      options: { maxBackoffMs: 10 },
    });
    const definition = define([
      step('a', { retry: { max_attempts: 3, backoff_s: 1 } }),
      step('b', { depends_on: ['a'] }),
    ]);
    const runId = await made.start({ definition });
    await made.monitor.finished(runId);
    expect(keys).toEqual([1, 2, 3].map((attempt) => `${runId}:a:0/${attempt}`));
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'BUSY', actionId: 'a' } });
    expect(await stepsOf(runId)).toMatchObject({
      a: { status: 'error', attempt: 3, error: { code: 'BUSY' } },
      b: { status: 'cancelled', skipReason: 'run_failed' },
    });
  });

  it('time out although the executor never answers', async () => {
    const made = await started({ executeStep: () => new Promise(() => undefined), options: { stepTimeoutMs: 30 } });
    const runId = await made.start({ definition: define([step('a')]) });
    await made.monitor.finished(runId);
    expect((await stepsOf(runId)).a).toMatchObject({ status: 'error', error: { code: 'STEP_TIMED_OUT' } });
  });

  it('are not repeated when a call that changes something may have happened', async () => {
    const calls: string[] = [];
    const warned = vi.fn();
    const made = await started({
      log: { ...silentLog, warn: warned },
      executeStep: async ({ markCallStarted, name }) => {
        await markCallStarted();
        calls.push(name);
        throw new Error('connection reset');
      },
      options: { maxBackoffMs: 5 },
    });
    const retry = { max_attempts: 3, backoff_s: 1 };
    const careful = await made.start({ definition: define([step('a', { action: 'change', retry })]) });
    await made.monitor.finished(careful);
    expect((await stepsOf(careful)).a).toMatchObject({
      status: 'error',
      attempt: 1,
      error: { code: 'OUTCOME_UNKNOWN' },
    });
    const idempotent = await made.start({ definition: define([step('a', { action: 'put', retry })]) });
    await made.monitor.finished(idempotent);
    // Words that were not meant for people go to the log.
    const told = { code: 'STEP_FAILED', message: 'The action failed unexpectedly.' };
    expect((await stepsOf(idempotent)).a).toMatchObject({ attempt: 3, error: told });
    expect(warned).toHaveBeenCalledWith(expect.objectContaining({ error: 'connection reset' }), expect.any(String));
    expect(calls).toEqual(['change', 'put', 'put', 'put']);
  });

  it('say what they say when it comes before the call, whatever the executor fears', async () => {
    const made = await started({
      executeStep: async () => {
        throw new StepFailure('TIMEOUT', 'the look before the change took too long', {
          retryable: true,
          outcomeUnknown: true,
        });
      },
      options: { maxBackoffMs: 5 },
    });
    const change = step('a', { action: 'change', retry: { max_attempts: 3, backoff_s: 1 } });
    const runId = await made.start({ definition: define([change]) });
    await made.monitor.finished(runId);
    expect((await stepsOf(runId)).a).toMatchObject({ attempt: 3, error: { code: 'TIMEOUT' } });
  });

  it.each([
    [3, 3],
    [240, 24],
  ])('wait as long as they are asked to, a day at most: %i h', async (askedH, waitsH) => {
    const made = await started({
      executeStep: async () => {
        throw new StepFailure('BUSY', 'later', { retryable: true, retryAfterMs: askedH * 3_600_000 });
      },
    });
    const retrying = made.monitor.until(({ type }) => type === 'step.retrying');
    const runId = await made.start({ definition: define([step('a', { retry: { max_attempts: 2, backoff_s: 1 } })]) });
    const event = await retrying;
    if (event.type !== 'step.retrying') throw new Error('Another event came.');
    expect(event.nextAttemptAt.getTime() - event.at.getTime()).toBe(waitsH * 3_600_000);
    expect((await stepsOf(runId)).a?.availableAt).toEqual(event.nextAttemptAt);
  });

  it.each([
    ['six times', 6, 1, 'success', 1],
    ['a seventh time, which is an attempt', 7, 1, 'error', 1],
    ['a seventh time, and has another attempt', 7, 2, 'success', 2],
  ] as const)(
    'use up no attempt while nothing is tried: one put off %s',
    async (_name, times, max, status, attempt) => {
      let asked = 0;
      const made = await started({
        executeStep: async () => {
          asked += 1;
          if (asked <= times) {
            throw new StepFailure('CLOSED', 'come back', { retryable: true, isPostponed: true, retryAfterMs: 5 });
          }
          return null;
        },
        options: { maxBackoffMs: 5 },
      });
      const change = step('a', { action: 'change', retry: { max_attempts: max, backoff_s: 1 } });
      const runId = await made.start({ definition: define([change]) });
      await made.monitor.finished(runId);
      const { a } = await stepsOf(runId);
      expect(a).toMatchObject({ status, attempt });
      if (status === 'error') expect(a?.error).toEqual({ code: 'CLOSED', message: 'come back', retryable: true });
    },
  );

  it('come back when they are told to, whatever pause their author wants, and a worker that took them lost nothing', async () => {
    const made = await started({
      executeStep: async () => {
        throw new StepFailure('CLOSED', 'come back', { retryable: true, isPostponed: true, retryAfterMs: 20_000 });
      },
    });
    const retrying = made.monitor.until(({ type }) => type === 'step.retrying');
    const retry = { max_attempts: 5, backoff_s: 3600 };
    const runId = await made.start({ definition: define([step('a', { retry })]) });
    const event = await retrying;
    if (event.type !== 'step.retrying') throw new Error('Another event came.');
    const waitsMs = event.nextAttemptAt.getTime() - event.at.getTime();
    expect(waitsMs).toBeGreaterThanOrEqual(20_000);
    expect(waitsMs).toBeLessThanOrEqual(23_000);
    expect((await stepsOf(runId)).a).toMatchObject({ attempt: 0, error: { code: 'CLOSED' } });
    const jobs = await cluster.database.sql.query('select attempt from engine.job where run_id = $1', [runId]);
    expect(jobs.rows).toEqual([{ attempt: 0 }]);
  });

  it('time out as unknown in mid-call, and as timed out before it', async () => {
    const made = await started({
      executeStep: async ({ markCallStarted, input, signal }) => {
        if ((input as { call: boolean }).call) await markCallStarted();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
      options: { stepTimeoutMs: 1_000 },
    });
    const codes: (string | undefined)[] = [];
    for (const call of [true, false]) {
      const runId = await made.start({ definition: define([step('a', { action: 'change', input: { call } })]) });
      await made.monitor.finished(runId);
      codes.push((await stepsOf(runId)).a?.error?.code);
    }
    expect(codes).toEqual(['OUTCOME_UNKNOWN', 'STEP_TIMED_OUT']);
  });

  it('fail clearly when their output cannot be kept', async () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const made = await started({
      executeStep: async ({ actionId }) => (actionId === 'circular' ? circular : 'x'.repeat(2_000)),
      options: { maxOutputBytes: 1_000 },
    });
    const both = [step('circular', { on_error: 'continue' }), step('big', { on_error: 'continue' })];
    const runId = await made.start({ definition: define(both) });
    await made.monitor.finished(runId);
    expect(await stepsOf(runId)).toMatchObject({
      circular: { error: { code: 'OUTPUT_NOT_JSON' } },
      big: { error: { code: 'OUTPUT_TOO_LARGE' } },
    });
    expect(await runOf(runId)).toMatchObject({ status: 'success' });
  });

  it('end a run whose time is over, whatever its steps do', async () => {
    const made = await started({
      executeStep: ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const actions = [step('a'), ask(), step('b', { depends_on: ['a'] })];
    const runId = await made.start({
      definition: define(actions, { exec_options: { timeout_s: 1 } }),
      inputs: { ip: 'x' },
    });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'RUN_TIMED_OUT' } });
    expect(Object.values(await stepsOf(runId)).map(({ status, skipReason }) => `${status} ${skipReason}`)).toEqual(
      Array(3).fill('cancelled run_failed'),
    );
  });

  it('do not call out in a dry run unless they read', async () => {
    const calls: string[] = [];
    const made = await started({
      executeStep: async ({ markCallStarted, name, dryRun }) => {
        expect(dryRun).toBe(true);
        await markCallStarted();
        calls.push(name);
      },
    });
    const actions = [step('look', { on_error: 'continue' }), step('act', { action: 'put', on_error: 'continue' })];
    const runId = await made.start({ definition: define(actions), dryRun: true });
    await made.monitor.finished(runId);
    expect(calls).toEqual(['read']);
    expect((await stepsOf(runId)).act).toMatchObject({ status: 'error', error: { code: 'DRY_RUN' } });
  });
});

describe('prompts and delays', () => {
  it('make the run wait and go on with the answer', async () => {
    const made = await started();
    const definition = define([
      ask(),
      step('b', { depends_on: ['ask'], when: "actions.ask.output.option == 'block'" }),
    ]);
    const runId = await made.start({ definition, inputs: { ip: '192.0.2.9' } });
    expect(await runOf(runId)).toMatchObject({ status: 'waiting' });
    const promptId = await openPrompt(runId);
    expect(await findPrompt(db(), { tenantId: testTenant, promptId })).toMatchObject({
      message: 'Block 192.0.2.9?',
      answered: null,
    });
    await expect(answer(made, promptId, 'explode')).rejects.toMatchObject({ code: 'PROMPT_OPTION_UNKNOWN' });
    await answer(made, promptId);
    await made.monitor.finished(runId);
    expect(await stepsOf(runId)).toMatchObject({
      ask: { status: 'success', output: { option: 'block', username: 'ann' } },
      b: { status: 'success' },
    });
  });

  it('accept exactly one of fifty answers given at the same time and tell the others who won', async () => {
    const made = await started();
    const runId = await made.start({ definition: define([ask()]), inputs: { ip: 'x' } });
    const promptId = await openPrompt(runId);
    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, n) => answer(made, promptId, n % 2 ? 'block' : 'ignore', `user${n}`)),
    );
    const winners = results.filter((result) => result.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    const { answered } = (await findPrompt(db(), { tenantId: testTenant, promptId })) ?? {};
    const losers = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as EngineError);
    expect(new Set(losers.map(({ code }) => code))).toEqual(new Set(['PROMPT_ALREADY_ANSWERED']));
    expect(losers.map(({ details }) => details.answered)).toEqual(losers.map(() => answered));
    expect((await stepsOf(runId)).ask?.output).toMatchObject({ username: answered?.username });
  });

  it('are unknown to another tenant', async () => {
    const made = await started();
    const runId = await made.start({ definition: define([ask()]), inputs: { ip: 'x' } });
    const promptId = await openPrompt(runId);
    const foreign = cluster.database.pool.transaction((tx) =>
      made.engine.answerPrompt(tx, { tenantId: uuidV7(), promptId, option: 'block', username: 'eve' }),
    );
    await expect(foreign).rejects.toMatchObject({ code: 'PROMPT_NOT_FOUND' });
    const cancelled = cluster.database.pool.transaction((tx) =>
      made.engine.cancelRun(tx, { tenantId: uuidV7(), runId, by: 'eve' }),
    );
    await expect(cancelled).rejects.toMatchObject({ code: 'RUN_NOT_FOUND' });
    await cancel(made, runId);
  });

  it('take the default at expiry, or fail without one, and refuse later answers', async () => {
    const made = await started();
    const withDefault = define(
      [ask({ expires_in_s: 0.1, default_option: 'ignore' })].map((node) => ({
        ...node,
        expires_in_s: 1,
      })) as ActionNode[],
    );
    const without = define([ask({ expires_in_s: 1 })]);
    const first = await made.start({ definition: withDefault, inputs: { ip: 'x' } });
    const second = await made.start({ definition: without, inputs: { ip: 'x' } });
    const [firstPrompt, secondPrompt] = [await openPrompt(first), await openPrompt(second)];
    await Promise.all([made.monitor.finished(first), made.monitor.finished(second)]);
    expect((await stepsOf(first)).ask).toMatchObject({
      status: 'success',
      output: { option: 'ignore', username: null },
    });
    expect((await stepsOf(second)).ask).toMatchObject({ status: 'error', error: { code: 'PROMPT_EXPIRED' } });
    await expect(answer(made, firstPrompt)).rejects.toMatchObject({ code: 'PROMPT_ALREADY_ANSWERED' });
    await expect(answer(made, secondPrompt)).rejects.toMatchObject({ code: 'PROMPT_EXPIRED' });
  });

  it('survive a stop of every worker: another one carries on', async () => {
    const first = await started();
    const delay = { id: 'pause', kind: 'delay', seconds: 0.2 } as ActionNode;
    const definition = define([ask(), delay, step('end', { depends_on: ['ask', 'pause'] })]);
    const runId = await first.start({ definition, inputs: { ip: 'x' } });
    await first.engine.stop();
    await answer(first, await openPrompt(runId));
    const second = await started();
    await second.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'success' });
  });
});

describe('cancelling', () => {
  it('ends a run that has not begun, one that waits, and changes nothing when repeated or too late', async () => {
    const idle = createTestEngine(cluster.database);
    const pending = await idle.start({ definition: define([step('a'), step('b', { depends_on: ['a'] })]) });
    const waiting = await idle.start({ definition: define([ask()]), inputs: { ip: 'x' } });
    const promptId = await openPrompt(waiting);
    for (const runId of [pending, waiting]) {
      expect(await cancel(idle, runId)).toEqual({ status: 'cancelled', changed: true });
      expect(await cancel(idle, runId)).toEqual({ status: 'cancelled', changed: false });
      expect(await runOf(runId)).toMatchObject({ status: 'cancelled', cancelledBy: 'ann' });
      for (const each of Object.values(await stepsOf(runId)))
        expect(each).toMatchObject({ skipReason: 'run_cancelled' });
    }
    await expect(answer(idle, promptId)).rejects.toMatchObject({ code: 'PROMPT_CLOSED' });
    const { rows } = await db().query('select 1 from engine.job where run_id = any($1::uuid[])', [[pending, waiting]]);
    expect(rows).toEqual([]);
  });

  it('stops what runs, starts nothing more, and says when the outcome is unknown', async () => {
    const inCall = createGate();
    const seen: string[] = [];
    const made = await started({
      executeStep: async ({ markCallStarted, actionId, signal }: StepContext) => {
        seen.push(actionId);
        await markCallStarted();
        if (seen.length === 2) inCall.open();
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    });
    const definition = define([
      step('look'),
      step('act', { action: 'change' }),
      step('next', { depends_on: ['look'] }),
    ]);
    const runId = await made.start({ definition });
    await inCall.opened;
    expect(await cancel(made, runId)).toEqual({ status: 'running', changed: true });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'cancelled', error: null });
    expect(await stepsOf(runId)).toMatchObject({
      look: { status: 'cancelled', skipReason: 'run_cancelled' },
      act: { status: 'error', error: { code: 'OUTCOME_UNKNOWN' } },
      next: { status: 'cancelled', skipReason: 'run_cancelled' },
    });
    expect(seen.sort()).toEqual(['act', 'look']);
  });

  it('wins or loses against a result that arrives at the same time, but never leaves the run open', async () => {
    const made = await started();
    const ids: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      const chain = [step('a'), step('b', { depends_on: ['a'] }), step('c', { depends_on: ['b'] })];
      const runId = await made.start({ definition: define(chain) });
      ids.push(runId);
      await cancel(made, runId);
    }
    const finals = await Promise.all(
      ids.map(async (runId) => ((await runOf(runId))?.finishedAt ? runId : made.monitor.finished(runId))),
    );
    expect(finals).toHaveLength(40);
    const { rows } = await db().query<{ late: number }>(
      `select count(*)::int as late from engine.step s join engine.run r on r.id = s.run_id
       where r.id = any($1::uuid[]) and s.started_at > r.cancel_requested_at and s.attempt > 0`,
      [ids],
    );
    expect(rows).toEqual([{ late: 0 }]);
  });
});

describe('isolation of faults', () => {
  it('ends only the run whose events cannot be written', async () => {
    const poison = 'poison';
    const made = await started({
      onEvents: async (_, events) => {
        for (const event of events) {
          const bad = event.type === 'step.finished' && event.runName === poison && event.output !== null;
          if (bad) throw new Error('this run cannot be recorded');
        }
      },
    });
    const definition = define([step('a', { input: { n: 1 } }), step('b', { depends_on: ['a'] })]);
    const bad = await made.start({ definition, name: poison });
    const good = await Promise.all(Array.from({ length: 30 }, () => made.start({ definition })));
    await Promise.all([bad, ...good].map((runId) => made.monitor.finished(runId)));
    const told = { code: 'RUN_FAULT', message: 'What is stored of this run cannot be worked with.' };
    expect(await runOf(bad)).toMatchObject({ status: 'error', error: told });
    expect((await stepsOf(bad)).a).toMatchObject({ error: told });
    for (const runId of good) expect(await runOf(runId)).toMatchObject({ status: 'success' });
  });

  it('says of a call that must not be made twice that it may have been made, when its run cannot go on', async () => {
    const made = await started({
      async executeStep({ markCallStarted }) {
        await markCallStarted();
        return { n: 1 };
      },
      onEvents: async (_, events) => {
        if (events.some((event) => event.type === 'step.finished' && event.output !== null))
          throw new Error('this run cannot be recorded');
      },
    });
    const ends = async (action: string) => {
      const runId = await made.start({ definition: define([step('a', { action })]) });
      await made.monitor.finished(runId);
      return [(await runOf(runId))?.error?.code, (await stepsOf(runId)).a?.error?.code];
    };
    expect(await ends('change')).toEqual(['RUN_FAULT', 'OUTCOME_UNKNOWN']);
    expect(await ends('put')).toEqual(['RUN_FAULT', 'RUN_FAULT']);
  });

  it('closes the question of a run that cannot go on', async () => {
    const made = await started({
      onEvents: async (_, events) => {
        if (events.some((event) => event.type === 'step.finished' && event.output !== null))
          throw new Error('this run cannot be recorded');
      },
    });
    const options = [{ value: 'yes', label: 'Yes' }];
    const ask = { id: 'a', kind: 'prompt', message: 'Go?', options, default_option: 'yes', expires_in_s: 1 } as const;
    const runId = await made.start({ definition: define([ask]) });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'RUN_FAULT' } });
    const { rows } = await cluster.database.sql.query('select closed_at from engine.prompt where run_id = $1', [runId]);
    expect(rows).toEqual([{ closed_at: expect.any(Date) }]);
  });

  it('waits for a database that answers and cannot write for now, and keeps the result', async () => {
    let refusals = 8;
    const full = Object.assign(new Error('could not extend file'), { code: '53100' });
    let calls = 0;
    const made = await started({
      isTransient: (error) => error === full,
      executeStep: async () => {
        calls += 1;
        return {};
      },
      onEvents: async (_, events) => {
        if (events.some(({ type }) => type === 'step.finished') && refusals > 0) {
          refusals -= 1;
          throw full;
        }
      },
    });
    const runId = await made.start({ definition: define([step('a')]) });
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'success', error: null });
    expect([calls, refusals]).toEqual([1, 0]);
  });

  it('ends a step that takes its worker down every time', async () => {
    const definition = define([step('a')]);
    const idle = createTestEngine(cluster.database);
    const runId = await idle.start({ definition });
    await db().query(`update engine.job set attempt = 11 where run_id = $1`, [runId]);
    await db().query(`update engine.step set status = 'running', attempt = 11, started_at = now() where run_id = $1`, [
      runId,
    ]);
    const made = await started();
    await made.monitor.finished(runId);
    expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'WORKER_LOST' } });
  });
});

describe('reading', () => {
  it('gives the definition of a run, and steps of the actions it has reached alone', async () => {
    const idle = createTestEngine(cluster.database);
    const definition = define([ask(), step('b', { depends_on: ['ask'] })]);
    const runId = await idle.start({ definition, inputs: { ip: 'x' } });
    const which = { tenantId: testTenant, runId };
    expect(await findRunDefinition(db(), which)).toEqual(definition);
    const steps = await listRunSteps(db(), which);
    expect(steps.map(({ actionId, status }) => `${actionId} ${status}`)).toEqual(['ask waiting']);
    await cancel(idle, runId);
  });

  it('lists runs and steps of one tenant only, newest first, by page and status', async () => {
    const tenantId = uuidV7();
    const made = await started();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1)
      ids.push(await made.start({ definition: define([step('a')]), tenantId, kind: 'adhoc' }));
    await Promise.all(ids.map((runId) => made.monitor.finished(runId)));
    const newestFirst = [...ids].reverse();
    const firstPage = await listRuns(db(), { tenantId, limit: 2, kinds: ['adhoc'], statuses: ['success'] });
    expect(firstPage.map(({ id }) => id)).toEqual(newestFirst.slice(0, 2));
    // What may be large is for whoever looks at one of them.
    for (const field of ['inputs', 'outputs']) expect(firstPage[0]).not.toHaveProperty(field);
    const [outline] = await listStepsOfRuns(db(), { tenantId, runIds: ids });
    expect(outline).toMatchObject({ actionId: 'a', status: 'success' });
    for (const field of ['input', 'output']) expect(outline).not.toHaveProperty(field);
    const before = firstPage.at(-1)?.id ?? '';
    expect((await listRuns(db(), { tenantId, limit: 9, before })).map(({ id }) => id)).toEqual(newestFirst.slice(2));
    expect(await listRuns(db(), { tenantId, limit: 9, statuses: ['error'] })).toEqual([]);
    const steps = await listSteps(db(), { tenantId, limit: 3, offset: 1, runKinds: ['adhoc'] });
    expect(steps.map(({ runId }) => runId)).toEqual(newestFirst.slice(1, 4));
    expect(await findRun(db(), { tenantId: uuidV7(), runId: before })).toBeUndefined();
  });
});
