import { StepFailure } from '@airdeck/engine/errors';
import type { StepContext } from '@airdeck/engine/interfaces';
import { describe, expect, test } from 'vitest';
import { createActionRunner } from '../actions/action-runner.ts';
import { createCircuitBreakers } from '../actions/circuit-breaker.ts';
import { createActionExecutor } from './action-executor.ts';
import type { RunTrigger } from './run-trigger.ts';

const tenant = '00000000-0000-4000-8000-000000000001';
const away = () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });

/** A read of our database that fails as often as told. */
function failing<T>(times: number, value: T, error: () => Error = away) {
  const read = { tries: 0, now: async () => value };
  read.now = async () => {
    read.tries += 1;
    if (read.tries <= times) throw error();
    return value;
  };
  return read;
}

const trigger: RunTrigger = {
  trigger_type: 'manual',
  username: 'ann@example.com',
  user_tenant_id: null,
  user_tenant_name: null,
  case_id: null,
  acts_as: '00000000-0000-4000-8000-000000000002',
  response_name: null,
  connector_id: null,
};

function stepOf(more: Partial<StepContext> = {}): StepContext {
  return {
    tenantId: tenant,
    runId: 'run',
    stepId: 'step',
    actionId: 'act',
    iteration: 0,
    name: 'vendor.act',
    node: { id: 'act', kind: 'action', action: 'vendor.act' },
    input: {},
    attempt: 1,
    idempotencyKey: 'key',
    effect: 'changes',
    idempotent: false,
    dryRun: false,
    trigger,
    subject: null,
    signal: new AbortController().signal,
    markCallStarted: async () => undefined,
    ...more,
  };
}

const rights = (read: () => Promise<boolean>) =>
  createActionExecutor({
    runner: { run: async () => ({ done: true }) },
    untried: async () => ({ tried: false }),
    mayRunActions: read,
  });

/** The runner over a database whose transactions fail as often as told. */
function runnerOver(read: { now: () => Promise<unknown> }) {
  return createActionRunner({
    db: {
      tenant: async (_, work) => {
        await read.now();
        return await work({} as never);
      },
    },
    catalogue: {
      find: async () => ({ action_id: 'vendor.act', run: async () => ({ done: true }) }) as never,
      checkInput: () => [],
    },
    connectors: { open: async () => ({ id: 'connector', config: {}, secrets: [], changedAt: new Date() }) },
    egress: { request: () => Promise.reject(new Error('Nothing is sent here.')) },
    circuits: createCircuitBreakers({ now: () => new Date() }),
    now: () => new Date(),
  });
}

describe('our own database, away before a step calls anything', () => {
  test('is waited for when rights are asked for', async () => {
    const read = failing(3, true);
    expect(await rights(read.now)(stepOf())).toEqual({ done: true });
    expect(read.tries).toBe(4);
  });

  test('is waited for when a dry run asks what it leaves out', async () => {
    const read = failing(3, { tried: false });
    const execute = createActionExecutor({
      runner: { run: async () => ({}) },
      untried: read.now,
      mayRunActions: async () => true,
    });
    expect(await execute(stepOf({ dryRun: true }))).toEqual({ tried: false });
  });

  test('is waited for when the connector is opened', async () => {
    const execute = createActionExecutor({
      runner: runnerOver(failing(3, null)),
      untried: async () => ({}),
      mayRunActions: async () => true,
    });
    expect(await execute(stepOf())).toEqual({ done: true });
  });

  test('is waited for as long as the attempt may take, and its own words are not told', async () => {
    const attempt = new AbortController();
    setTimeout(() => attempt.abort(), 200);
    const failure = await rights(failing(Number.POSITIVE_INFINITY, true).now)(stepOf({ signal: attempt.signal })).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(StepFailure);
    expect(failure).toMatchObject({ code: 'STORE_UNAVAILABLE', retryable: true, outcomeUnknown: false });
    expect((failure as Error).message).not.toContain('10.0.0.7');
  });

  test('is not asked again for what stays wrong, nor said to be away', async () => {
    const missing = Object.assign(new Error('no such column'), { code: '42703' });
    const read = failing(2, true, () => missing);
    await expect(rights(read.now)(stepOf())).rejects.toThrow();
    expect(read.tries).toBe(1);
    // The engine logs it as what it is.
    const opening = createActionExecutor({
      runner: runnerOver(read),
      untried: async () => ({}),
      mayRunActions: async () => true,
    });
    await expect(opening(stepOf())).rejects.toBe(missing);
    expect(read.tries).toBe(2);
  });
});
