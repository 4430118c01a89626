/** What a run begins in the very transaction that ends it: beside it a playbook is to be started that there is not. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActionNode, Definition } from './definition.ts';
import type { EngineDeps } from './interfaces.ts';
import { findRun, listItems, listOpenPrompts, listRunPrompts, listRunSteps, listStalledRuns } from './reads.ts';
import { engineMigrations } from './schema.ts';
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

async function started(deps: Partial<EngineDeps> = {}): Promise<TestEngine> {
  const made = createTestEngine(cluster.database, deps);
  running.push(made);
  await made.engine.start();
  return made;
}

const db = () => cluster.database.sql;
const which = (runId: string) => ({ tenantId: testTenant, runId });
const runOf = (runId: string) => findRun(db(), which(runId));
const stepsOf = async (runId: string) =>
  Object.fromEntries((await listRunSteps(db(), which(runId))).map((each) => [each.actionId, each]));
const openPrompts = () => listOpenPrompts(db(), { tenantId: testTenant, limit: 10 });
const jobsOf = async (runId: string) =>
  (await db().query<{ kind: string }>('select kind from engine.job where run_id = $1', [runId])).rows;

const options = [{ value: 'yes', label: 'Yes' }];
const call = (id: string, more: Record<string, unknown> = {}): ActionNode =>
  ({ id, kind: 'action', action: 'change', ...more }) as ActionNode;
const ask = (more: Record<string, unknown> = {}): ActionNode =>
  ({ id: 'x', kind: 'prompt', message: 'Go?', options, ...more }) as ActionNode;
const gone = (more: Record<string, unknown> = {}): ActionNode =>
  ({ id: 'y', kind: 'playbook', playbook_id: 'gone', ...more }) as ActionNode;
const afterA = { depends_on: ['a'] };
const define = (...actions: ActionNode[]): Definition => ({ inputs: { properties: { list: {} } }, actions });

async function ended(definition: Definition): Promise<{ runId: string; calls: string[]; made: TestEngine }> {
  const calls: string[] = [];
  const made = await started({
    async executeStep({ actionId }) {
      calls.push(actionId);
      return {};
    },
  });
  const runId = await made.start({ definition, inputs: { list: [1, 2, 3] } });
  await made.monitor.finished(runId);
  await made.engine.stop();
  expect(await runOf(runId)).toMatchObject({ status: 'error', error: { code: 'PLAYBOOK_UNKNOWN', actionId: 'y' } });
  return { runId, calls, made };
}

describe('what begins as the run ends', () => {
  it('is not called, also by the worker that is at hand', async () => {
    const { runId, calls, made } = await ended(define(call('a'), call('x', afterA), gone(afterA)));
    expect(calls).toEqual(['a']);
    expect((await stepsOf(runId)).x).toMatchObject({ status: 'cancelled', skipReason: 'run_failed', attempt: 0 });
    expect(made.monitor.seen.flatMap((event) => (event.type === 'step.started' ? event.actionId : []))).toEqual([
      'a',
      'y',
    ]);
    expect(await jobsOf(runId)).toEqual([]);
  });

  it('is not called as items of a list either', async () => {
    const { runId, calls } = await ended(
      define(call('a'), call('x', { ...afterA, for_each: 'inputs.list' }), gone(afterA)),
    );
    expect(calls).toEqual(['a']);
    const items = await listItems(db(), { ...which(runId), actionId: 'x', limit: 10 });
    expect(items.map(({ status, attempt }) => [status, attempt])).toEqual(Array(3).fill(['cancelled', 0]));
    expect(await jobsOf(runId)).toEqual([]);
  });

  it('leaves no work behind where the run is not begun by a worker', async () => {
    const idle = createTestEngine(cluster.database);
    const all = define(call('x'), ask({ id: 'z', expires_in_s: 60 }), { id: 'd', kind: 'delay', seconds: 60 }, gone());
    const runId = await idle.start({ definition: { ...all, exec_options: { timeout_s: 86_400 } } });
    expect(await runOf(runId)).toMatchObject({ status: 'error' });
    expect(await jobsOf(runId)).toEqual([]);
  });

  it('asks a question that is over: nobody is shown it, and an answer is refused', async () => {
    const { runId, made } = await ended(define(call('a'), ask(afterA), gone(afterA)));
    expect(await openPrompts()).toEqual([]);
    const [prompt] = await listRunPrompts(db(), which(runId));
    expect(prompt).toMatchObject({ answered: null, closedAt: expect.any(Date) });
    const answer = { tenantId: testTenant, promptId: prompt?.id ?? '', option: 'yes', username: 'ann' };
    await expect(cluster.database.pool.transaction((tx) => made.engine.answerPrompt(tx, answer))).rejects.toMatchObject(
      {
        code: 'PROMPT_CLOSED',
      },
    );
  });
});

describe('questions that were left open', () => {
  const migration = engineMigrations.find(({ id }) => id === 'engine-0216-closed-prompts')?.sql ?? '';

  it('are closed by the migration where their step has ended, and no others', async () => {
    const { runId } = await ended(define(call('a'), ask(afterA), gone(afterA)));
    await db().query('update engine.prompt set closed_at = null where run_id = $1', [runId]);
    const made = createTestEngine(cluster.database);
    const waiting = await made.start({ definition: define(ask()) });
    await db().query('alter table engine.prompt enable row level security, force row level security');
    await cluster.database.pool.transaction((tx) => tx.query(migration));
    const forced = await db().query("select relname from pg_class where relname = 'prompt' and relforcerowsecurity");
    expect(forced.rows).toHaveLength(1);
    await db().query('alter table engine.prompt disable row level security, no force row level security');
    expect((await openPrompts()).map((each) => each.runId)).toEqual([waiting]);
    const [prompt] = await listRunPrompts(db(), which(runId));
    expect(prompt?.closedAt).toEqual((await stepsOf(runId)).x?.finishedAt);
  });
});
