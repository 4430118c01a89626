/** Attack case E12: rows of jobs, steps, runs and definitions that the engine has not written, or that come again. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import type { EngineDeps } from './interfaces.ts';
import { listDeadJobs } from './jobs.ts';
import { findRun, listRunSteps } from './reads.ts';
import { runJobKinds } from './run-model.ts';
import { createTestDatabase, type TestCluster } from './testing/test-database.ts';
import { createGate, createTestEngine, type TestEngine, testTenant, testTraits } from './testing/test-engine.ts';
import { uuidV7 } from './testing/test-ids.ts';
import { testServerUrl } from './testing/test-server.ts';

const stranger = uuidV7();
const OVERFLOWING = { attempt: 2_147_483_647, lease_losses: 2_147_483_647 };

let cluster: TestCluster;
const running: TestEngine[] = [];
const gates: { open(): void }[] = [];

beforeAll(async () => {
  cluster = await createTestDatabase(testServerUrl());
});
afterAll(() => cluster.drop());
beforeEach(async () => {
  await cluster.database.sql.query('delete from engine.run');
  await cluster.database.sql.query('delete from engine.job');
  await cluster.database.sql.query('delete from engine.definition');
});
afterEach(async () => {
  for (const gate of gates.splice(0)) gate.open();
  await Promise.all(running.splice(0).map(({ engine }) => engine.stop()));
});

const db = () => cluster.database.sql;

async function started(deps: Partial<EngineDeps> = {}): Promise<TestEngine> {
  const made = createTestEngine(cluster.database, deps);
  running.push(made);
  await made.engine.start();
  return made;
}

type Row = {
  tenant_id: string;
  kind: string;
  run_id: string | null;
  step_id: string | null;
  payload: unknown;
  attempt: number;
  lease_losses: number;
  lease_token: string;
};

/** Puts a row in, due at once, and nobody told of it. */
async function forge(row: Partial<Row>, tellsOf = db()): Promise<string> {
  const id = uuidV7();
  await tellsOf.query(
    `insert into engine.job (id, tenant_id, kind, run_id, step_id, payload, attempt, lease_losses, lease_token, priority,
       state, available_at, max_attempts, backoff_ms, created_at)
     values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8, $9, 0, 'available', now() - interval '1 hour', 0, 0, now())`,
    [
      id,
      row.tenant_id ?? testTenant,
      row.kind,
      row.run_id ?? null,
      row.step_id ?? null,
      JSON.stringify(row.payload ?? null),
      row.attempt ?? 0,
      row.lease_losses ?? 0,
      row.lease_token ?? '0',
    ],
  );
  return id;
}

/** Why the job was put away. */
async function reasonOf({ monitor }: TestEngine, jobId: string): Promise<string | undefined> {
  const event = await monitor.until((each) => each.type === 'job.dead' && each.jobId === jobId);
  if (event.type !== 'job.dead') return undefined;
  const dead = await listDeadJobs(db(), { tenantId: event.tenantId, limit: 100 });
  expect(dead.find(({ id }) => id === jobId)?.error).toEqual(event.error);
  expect(event.error.code).toBe('JOB_FORGED');
  return event.error.message;
}

/** Resolves when a run that comes later has ended: whatever was due before it has been looked at. */
async function afterOthers(made: TestEngine): Promise<void> {
  await made.monitor.finished(await made.start({ definition: { actions: [call('probe')] }, priority: -100 }));
}

const call = (id: string, more: object = {}): ActionNode =>
  ({ id, kind: 'action', action: 'read', ...more }) as ActionNode;

/** Everything a run can wait for, and a call that does not end by itself. */
const waiting: Definition = {
  actions: [
    { id: 'pause', kind: 'delay', seconds: 3_600 },
    { id: 'ask', kind: 'prompt', message: 'Go?', options: [{ value: 'yes', label: 'Yes' }], expires_in_s: 3_600 },
    { id: 'sub', kind: 'playbook', playbook_id: 'asks' },
    call('call', { action: 'put' }),
    { id: 'each', kind: 'action', action: 'put', for_each: 'inputs.list' },
  ],
  inputs: { properties: { list: {} } },
  exec_options: { timeout_s: 7_200, max_concurrent_actions: 3 },
};
const asks: Definition = { actions: waiting.actions.filter(({ kind }) => kind === 'prompt') };

/** A run that waits in every way there is, with what its calls were. */
async function createWaiting() {
  const calls: string[] = [];
  const gate = createGate();
  gates.push(gate);
  const made = await started({
    resolvePlaybook: async () => ({ definition: asks, traits: testTraits, name: 'asks' }),
    async executeStep({ actionId, tenantId, runId: of }) {
      calls.push(`${tenantId} ${actionId}`);
      if (of === runId && actionId !== 'probe') await gate.opened;
      return null;
    },
  });
  const runId = uuidV7();
  await made.start({ runId, definition: waiting, inputs: { list: [1, 2, 3] } });
  await made.monitor.until((each) => each.type === 'step.started' && each.actionId === 'each');
  const steps = await listRunSteps(db(), { tenantId: testTenant, runId });
  const stepId = (actionId: string) => steps.find((each) => each.actionId === actionId)?.id ?? '';
  const look = async () => ({
    run: await findRun(db(), { tenantId: testTenant, runId }),
    steps: await listRunSteps(db(), { tenantId: testTenant, runId }),
    calls: calls.filter((each) => !each.endsWith('probe')).sort(),
  });
  return { made, runId, stepId, look, gate };
}

describe('a job that names a run of another tenant', () => {
  it.each(Object.values(runJobKinds))('(%s) is put away and changes nothing of it', async (kind) => {
    const { made, runId, stepId, look } = await createWaiting();
    const before = await look();
    const names: Record<string, string> = {
      [runJobKinds.step]: 'call',
      [runJobKinds.timer]: 'pause',
      [runJobKinds.promptExpiry]: 'ask',
      [runJobKinds.childEnded]: 'sub',
    };
    const step_id = stepId(names[kind] ?? '') || null;
    const jobId = await forge({ tenant_id: stranger, kind, run_id: runId, step_id, payload: { by: 'x' } });
    expect(await reasonOf(made, jobId)).toBe('It names a run of another tenant.');
    await afterOthers(made);
    expect(await look()).toEqual(before);
  });
});

describe('a job of the right tenant that no engine has written', () => {
  it.each([
    [runJobKinds.timer, 'ask', 'It ends the wait of a step that is no delay.'],
    [runJobKinds.promptExpiry, 'pause', 'It ends a question of a step that asks none.'],
    [runJobKinds.step, 'ask', 'It carries out a step that is not to be called now.'],
    [runJobKinds.step, 'sub', 'It carries out a step that is not to be called now.'],
    [runJobKinds.step, 'each', 'It carries out a step that is not to be called now.'],
    [runJobKinds.step, 'call', 'Another job is carrying out its step.'],
    [runJobKinds.childEnded, 'ask', 'It tells of a run that its step has not started.'],
    [runJobKinds.childEnded, 'sub', 'It tells of the end of a run that goes on.'],
    [runJobKinds.stop, '', 'It stops a run that no other run has started.'],
  ])('(%s of "%s") is put away and changes nothing', async (kind, action, reason) => {
    const { made, runId, stepId, look } = await createWaiting();
    const before = await look();
    const jobId = await forge({ kind, run_id: runId, step_id: stepId(action) || null });
    expect(await reasonOf(made, jobId)).toBe(reason);
    await afterOthers(made);
    expect(await look()).toEqual(before);
  });

  it('does not let an item of a list begin before its turn', async () => {
    const { made, runId, look } = await createWaiting();
    const before = await look();
    const { rows } = await db().query<{ id: string }>(
      `select id from engine.step where run_id = $1 and list_turn = 'queued' order by iteration desc limit 1`,
      [runId],
    );
    const jobId = await forge({ kind: runJobKinds.step, run_id: runId, step_id: rows[0]?.id ?? null });
    expect(await reasonOf(made, jobId)).toBe('It carries out a step that is not to be called now.');
    expect(await look()).toEqual(before);
  });

  it.each([
    [runJobKinds.timer, 'pause'],
    [runJobKinds.promptExpiry, 'ask'],
    [runJobKinds.deadline, ''],
  ])('(%s of "%s", before its time) is put off until then', async (kind, action) => {
    const { made, runId, stepId, look } = await createWaiting();
    const before = await look();
    const jobId = await forge({ kind, run_id: runId, step_id: stepId(action) || null });
    await afterOthers(made);
    const { rows } = await db().query<{ state: string; at: Date }>(
      'select state, available_at as at from engine.job where id = $1',
      [jobId],
    );
    const due = before.steps.find((each) => each.actionId === action)?.availableAt ?? before.run?.deadlineAt;
    expect(rows).toEqual([{ state: 'scheduled', at: due }]);
    expect(await look()).toEqual(before);
  });

  it('ends no run that has no time limit', async () => {
    const made = await started();
    const runId = await made.start({ definition: asks });
    const jobId = await forge({ kind: runJobKinds.deadline, run_id: runId });
    expect(await reasonOf(made, jobId)).toBe('It ends a time that was never set.');
    expect(await findRun(db(), { tenantId: testTenant, runId })).toMatchObject({ status: 'waiting' });
  });

  it.each([
    ['no run', runJobKinds.deadline],
    ['no step', runJobKinds.step],
  ])('and names %s is put away', async (_, kind) => {
    const made = await started();
    const run_id = kind === runJobKinds.step ? await made.start({ definition: asks }) : null;
    const jobId = await forge({ kind, run_id });
    expect(await reasonOf(made, jobId)).toBe('It does not name what its kind is about.');
  });

  it('and names a run that does not exist is put away', async () => {
    const made = await started();
    const jobId = await cluster.database.pool.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      return forge({ kind: runJobKinds.start, run_id: uuidV7() }, tx);
    });
    expect(await reasonOf(made, jobId)).toBe('It names a run that does not exist.');
  });

  it('and of another tenant, which seems to be in the hands of a worker, keeps no step from going on after a loss', async () => {
    const reached = createGate();
    const own = cluster.open();
    const lost = createTestEngine(own, {
      keepSession: own.keepSession,
      async executeStep() {
        reached.open();
        await new Promise(() => undefined);
      },
      options: { stopTimeoutMs: 50 },
    });
    await lost.engine.start();
    const runId = await lost.start({ definition: { actions: [call('a')] } });
    await reached.opened;
    const [step] = await listRunSteps(db(), { tenantId: testTenant, runId });
    const ghost = await forge({
      tenant_id: stranger,
      kind: runJobKinds.step,
      run_id: runId,
      step_id: step?.id ?? null,
    });
    await db().query(
      `update engine.job set state = 'leased', lease_owner = 'ghost', lease_until = 'infinity' where id = $1`,
      [ghost],
    );
    await own.sever();
    const heirs = cluster.open();
    const heir = createTestEngine(heirs, { keepSession: heirs.keepSession, options: { absentMs: 150 } });
    running.push(heir);
    await heir.engine.start();
    await heir.monitor.finished(runId);
    await lost.engine.stop().catch(() => undefined);
    expect(await findRun(db(), { tenantId: testTenant, runId })).toMatchObject({ status: 'success' });
  });

  it('of a kind that no tenant has is put away unread', async () => {
    const seen: string[] = [];
    const run = async ({ tenantId }: { tenantId: string }) => void seen.push(tenantId);
    const made = await started({ jobHandlers: { sweep: { run, tenantId: testTenant } } });
    const jobId = await forge({ tenant_id: stranger, kind: 'sweep' });
    expect(await reasonOf(made, jobId)).toBe('No tenant has jobs of this kind.');
    await cluster.database.pool.transaction((tx) =>
      made.engine.enqueueJob(tx, { tenantId: testTenant, kind: 'sweep' }),
    );
    await expect.poll(() => seen).toEqual([testTenant]);
  });

  it('is dropped where it merely comes again: its step is settled', async () => {
    const calls: string[] = [];
    const made = await started({ executeStep: async ({ actionId }) => calls.push(actionId) });
    const runId = await made.start({ definition: { actions: [call('a'), ...asks.actions] } });
    await made.monitor.until((each) => each.type === 'step.finished');
    const [step] = await listRunSteps(db(), { tenantId: testTenant, runId });
    const jobId = await forge({ kind: runJobKinds.step, run_id: runId, step_id: step?.id ?? null });
    await afterOthers(made);
    expect(calls.filter((each) => each === 'a')).toEqual(['a']);
    expect((await db().query('select from engine.job where id = $1', [jobId])).rows).toEqual([]);
  });
});

describe('rows of runs and steps that were altered', () => {
  it('give no run the outputs of a run of another tenant', async () => {
    const { made, runId, stepId } = await createWaiting();
    const secret = await made.start({
      tenantId: stranger,
      definition: { actions: [call('probe')], outputs: { secret: 'planted' } },
    });
    await made.monitor.finished(secret);
    await db().query('update engine.step set child_run_id = $2 where id = $1', [stepId('sub'), secret]);
    const jobId = await forge({ kind: runJobKinds.childEnded, run_id: runId, step_id: stepId('sub') });
    expect(await reasonOf(made, jobId)).toBe('It tells of a run that its step has not started.');
    expect(JSON.stringify(await listRunSteps(db(), { tenantId: testTenant, runId }))).not.toContain('planted');
  });

  it('carry out no step that another tenant has put into the run', async () => {
    const { made, runId, look } = await createWaiting();
    const before = await look();
    const id = uuidV7();
    await db().query(
      `insert into engine.step (id, run_id, tenant_id, action_id, iteration, kind, name, status, attempt, failures, idempotent,
         created_at) values ($1, $2, $3, 'planted', 0, 'action', 'read', 'pending', 0, 0, true, now())`,
      [id, runId, stranger],
    );
    await forge({ kind: runJobKinds.step, run_id: runId, step_id: id });
    await forge({ kind: runJobKinds.step, run_id: runId, step_id: id, tenant_id: stranger });
    await afterOthers(made);
    expect(await look()).toEqual(before);
  });

  it('end a run whose definition is no longer what it was started with, before anything of the new one is called', async () => {
    const first = await started();
    const definition: Definition = { actions: [...asks.actions, call('then', { depends_on: ['ask'] })] };
    const runId = await first.start({ definition });
    await first.engine.stop();
    running.splice(0);
    await db().query(
      `update engine.definition d set body = jsonb_set(body, '{actions,1,action}', '"change"') from engine.run r
       where r.id = $1 and d.hash = r.definition_hash and d.tenant_id = r.tenant_id`,
      [runId],
    );
    const calls: string[] = [];
    const second = await started({ executeStep: async ({ name }) => calls.push(name) });
    const [prompt] = await listRunSteps(db(), { tenantId: testTenant, runId });
    await cluster.database.pool.transaction((tx) =>
      second.engine.answerPrompt(tx, {
        tenantId: testTenant,
        promptId: prompt?.id ?? '',
        option: 'yes',
        username: 'a',
      }),
    );
    expect(await findRun(db(), { tenantId: testTenant, runId })).toMatchObject({
      status: 'error',
      error: { code: 'RUN_FAULT', message: 'Its definition was altered after it had been started.' },
    });
    expect(calls).toEqual([]);
    expect((await db().query(`select from engine.job where run_id = $1`, [runId])).rows).toEqual([]);
  });

  it('end a run of an altered definition also where a job is what comes next', async () => {
    const { made, runId, gate } = await createWaiting();
    await made.database.sql.query(`update engine.definition set body = jsonb_set(body, '{exec_options}', '{}')`);
    const fresh = createTestEngine(cluster.open());
    running.push(fresh);
    gate.open();
    await made.engine.stop();
    running.splice(running.indexOf(made), 1);
    const { rows } = await db().query<{ id: string }>('select id from engine.run where parent_run_id = $1', [runId]);
    await fresh.engine.start();
    for (const id of rows.map((row) => row.id))
      await cluster.database.pool.transaction((tx) =>
        fresh.engine.cancelRun(tx, { tenantId: testTenant, runId: id, by: 'somebody' }),
      );
    await fresh.monitor.finished(runId);
    expect(await findRun(db(), { tenantId: testTenant, runId })).toMatchObject({ error: { code: 'RUN_FAULT' } });
    const statuses = (await listRunSteps(db(), { tenantId: testTenant, runId })).map(({ finishedAt }) => finishedAt);
    expect(statuses).not.toContain(null);
  });

  it('finds every definition it stores to be what was stored', async () => {
    const odd = {
      text: 'a\u0000b\ud800c \u001f "é" 😀',
      big: 1e21,
      small: 5e-324,
      minus: -0,
      long: 12_345_678.9e-3,
      '2': 1,
      '10': 2,
    };
    const made = await started();
    const runId = await made.start({
      definition: { actions: [...asks.actions], metadata: { z: 1, a: [odd, null], __b: odd } },
    });
    const other = await started();
    const [prompt] = await listRunSteps(db(), { tenantId: testTenant, runId });
    await cluster.database.pool.transaction((tx) =>
      other.engine.answerPrompt(tx, { tenantId: testTenant, promptId: prompt?.id ?? '', option: 'yes', username: 'a' }),
    );
    expect(await findRun(db(), { tenantId: testTenant, runId })).toMatchObject({ status: 'success' });
  });
});

describe('rows with numbers no job comes to', () => {
  it('do not keep other jobs from being claimed, taken back and fired', async () => {
    const done: string[] = [];
    const jobHandlers = { work: { run: async ({ jobId }: { jobId: string }) => void done.push(jobId) } };
    const huge = await forge({ kind: 'work', ...OVERFLOWING, lease_token: '9223372036854775807' });
    const lost = await forge({ kind: 'work', ...OVERFLOWING });
    await db().query(
      `update engine.job set state = 'leased', lease_owner = 'ghost', lease_until = now() - interval '1 hour' where id = $1`,
      [lost],
    );
    const never = await forge({ kind: 'work' });
    await db().query(`update engine.job set state = 'scheduled', available_at = 'infinity' where id = $1`, [never]);
    const made = await started({ jobHandlers });
    await afterOthers(made);
    const dead = async () => (await listDeadJobs(db(), { tenantId: testTenant, limit: 10 })).map(({ id }) => id);
    await expect.poll(dead).toContain(huge);
    await expect
      .poll(async () => (await db().query(`select from engine.job where id = $1 and state = 'leased'`, [lost])).rows)
      .toEqual([]);
    expect(done).not.toContain(never);
  });
});

describe('a run that nobody can be told of', () => {
  it('is given up after as many tries as one may lose its worker, and the run that waits for it goes on', async () => {
    const made = await started({
      resolvePlaybook: async () => ({ definition: { actions: [call('a')] }, traits: testTraits, name: 'unreadable' }),
      onEvents: async (_, events) => {
        if (events.some((each) => 'runName' in each && each.runName === 'unreadable' && each.type !== 'run.created'))
          throw new Error('Its trigger cannot be read.');
      },
      options: { leaseMs: 1_500, heartbeatMs: 150, maxLeaseLosses: 1 },
    });
    const runId = await made.start({
      definition: { actions: [{ id: 'sub', kind: 'playbook', playbook_id: 'x', on_error: 'continue' }] },
    });
    await made.monitor.finished(runId);
    const [sub] = await listRunSteps(db(), { tenantId: testTenant, runId });
    expect(sub).toMatchObject({ status: 'error', error: { code: 'RUN_FAULT' } });
    const child = await findRun(db(), { tenantId: testTenant, runId: sub?.childRunId ?? '' });
    expect(child).toMatchObject({ status: 'error', error: { code: 'RUN_FAULT' } });
    // Whose words are not for the people who read a run.
    expect(JSON.stringify([sub, child])).not.toContain('cannot be read');
    const dead = await listDeadJobs(db(), { tenantId: testTenant, limit: 10 });
    expect(dead).toMatchObject([{ kind: runJobKinds.step, error: { code: 'RUN_FAULT' } }]);
  });
});
