/** Attack cases E10, E11, E14, E15, what a key did, and what may happen to the things a run needs while it goes on. */
import { actionActivitySchema } from '@airdeck/contracts/activity/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace, statusesOf, stepOf } from './runs-fixture.ts';

let fixture: RunsFixture;
let workspace: RunsWorkspace;

beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture?.close());
beforeEach(async () => {
  fixture.vendor.reset();
  workspace = await fixture.workspace();
});

const cancel = (runId: string) => fixture.call(workspace.analyst, 'POST', `${workspace.runs}/${runId}/cancel`);
const held = (count: number) => vi.waitFor(() => expect(fixture.vendor.held()).toBe(count), { timeout: 30_000 });

describe('cancelling (E10)', () => {
  test('at once with the end of the running action: either way the run ends, and no action starts after it', async () => {
    const id = await workspace.add([
      node.read('hold', '/hold'),
      ...[1, 2, 3].map((index) => node.send(`after${index}`, `/after${index}`, { depends_on: ['hold'] })),
    ]);
    for (let round = 0; round < 5; round++) {
      fixture.vendor.reset();
      const runId = await workspace.start(id);
      await held(1);
      const cancelled = cancel(runId);
      fixture.vendor.release();
      const answer = await cancelled;
      expect([202, 409]).toContain(answer.status);
      const run = await vi.waitFor(
        async () => {
          const now = await workspace.get(runId);
          expect(now.summary.time_finished).not.toBeNull();
          return now;
        },
        { timeout: 30_000 },
      );
      // Told to stop before it left, a call begun is not always one that arrives; none arrives of what did not begin.
      const begun = Object.entries(statusesOf(run)).filter(([, status]) => status !== 'cancelled');
      const arrived = fixture.vendor.calls.filter((one) => one !== 'GET /hold');
      expect(new Set(arrived).size).toBe(arrived.length);
      for (const one of arrived) expect(begun.map(([name]) => `POST /${name}`)).toContain(one);
      expect(['cancelled', 'success']).toContain(run.summary.status);
    }
  }, 90_000);

  test('twenty times at once cancels once', async () => {
    const runId = await workspace.start(await workspace.add([node.ask('ask')]));
    await workspace.reaches(runId, 'waiting');
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancel(runId)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'RUN_FINISHED')).toHaveLength(19);
    const records = (await workspace.audit()).filter(({ action }) => action === 'run.cancel');
    expect(records).toHaveLength(1);
  });

  test('in mid-call of what must not be repeated says that its outcome is not known', async () => {
    const runId = await workspace.start(await workspace.add([node.send('send', '/hold')]));
    await held(1);
    expect((await cancel(runId)).status).toBe(202);
    const run = await vi.waitFor(
      async () => {
        const now = await workspace.get(runId);
        expect(now.summary.time_finished).not.toBeNull();
        return now;
      },
      { timeout: 30_000 },
    );
    expect(statusesOf(run)).toEqual({ send: 'error' });
    expect((await workspace.action(runId, 'send')).details.error_info?.code).toBe('OUTCOME_UNKNOWN');
    expect(run.summary).toMatchObject({ status: 'cancelled', error_info: null });
    expect(stepOf(run, 'send').outcome_unknown).toBe(true);
    expect(fixture.vendor.calls).toEqual(['POST /hold']);
  });
});

describe('a question (E11)', () => {
  test('answered by fifty people at once has one answer and one effect', async () => {
    const id = await workspace.add([node.ask('ask'), node.send('tell', '/tell', { depends_on: ['ask'] })]);
    const runId = await workspace.start(id);
    await workspace.reaches(runId, 'waiting');
    const people = [workspace.analyst, workspace.admin, await workspace.person('SystemManager')];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        workspace.answer(runId, people[index % 3] ?? workspace.analyst, index % 2 === 0 ? 'delete' : 'keep'),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'PROMPT_ALREADY_ANSWERED')).toHaveLength(49);
    await workspace.reaches(runId, 'success');
    expect(fixture.vendor.calls).toEqual(['POST /tell']);
  }, 60_000);

  test('without an answer in time ends with that reason, or takes its default; later answers are refused', async () => {
    const [plain, kept] = [
      await workspace.start(await workspace.add([node.ask('ask', { expires_in_s: 1 })])),
      await workspace.start(await workspace.add([node.ask('ask', { expires_in_s: 1, default_option: 'keep' })])),
    ];
    expect((await workspace.reaches(plain, 'error')).summary.error_info?.code).toBe('PROMPT_EXPIRED');
    expect(await workspace.answer(plain, workspace.analyst, 'keep')).toMatchObject({
      status: 409,
      body: { code: 'PROMPT_CLOSED' },
    });
    await workspace.reaches(kept, 'success');
    expect((await workspace.prompt(kept)).answered).toMatchObject({ option: 'keep', username: 'system' });
    expect(await workspace.answer(kept, workspace.analyst, 'delete')).toMatchObject({ status: 409 });
    expect((await workspace.audit()).filter(({ action }) => action === 'prompt.answer')).toMatchObject([
      { actor_kind: 'system', actor_id: null, actor_name: 'Automation', outcome: 'ok', data: { option: 'keep' } },
    ]);
  });
});

describe('the audit log has what was done with a key under that key', () => {
  async function keyed(): Promise<{ actor: Actor; keyId: string }> {
    const { analyst, tenant } = workspace;
    const key = await fixture.server.createApiKey(analyst, { tenant, role: 'Analyst' });
    const { id } = await fixture.db.system((tx) =>
      tx.selectFrom('api_key').select('id').where('user_id', '=', analyst.id).executeTakeFirstOrThrow(),
    );
    return { actor: { ...analyst, headers: { authorization: `Bearer ${key}` } }, keyId: id };
  }
  const recordsOf = async (...actions: string[]) =>
    (await workspace.audit()).filter(({ action }) => actions.includes(action));
  const cancelAs = (actor: Actor, runId: string) => fixture.call(actor, 'POST', `${workspace.runs}/${runId}/cancel`);

  test('once each: starts, answers, cancels and what was changed, with the request where it was at once', async () => {
    const { actor, keyId } = await keyed();
    const id = await workspace.add([node.ask('ask'), node.send('tell', '/tell', { depends_on: ['ask'] })]);
    const runId = await workspace.start(id, {}, actor);
    await workspace.reaches(runId, 'waiting');
    expect((await workspace.answer(runId, actor, 'keep')).status).toBe(200);
    expect((await workspace.answer(runId, actor, 'keep')).status).toBe(409);
    await workspace.reaches(runId, 'success');
    const other = await workspace.start(id, {}, actor);
    await workspace.reaches(other, 'waiting');
    expect((await cancelAs(actor, other)).status).toBe(202);
    expect((await cancelAs(actor, other)).status).toBe(409);
    const again = await workspace.started(await fixture.call(actor, 'POST', `${workspace.runs}/${other}/retry`, {}));
    await workspace.reaches(again, 'waiting');

    const records = await recordsOf('run.start', 'run.cancel', 'prompt.answer', 'action.run');
    const by = { actor_kind: 'api_key', actor_id: keyId, actor_name: workspace.analyst.email };
    expect(records).toMatchObject([
      { ...by, action: 'run.start', target_id: runId, request_id: null },
      { ...by, action: 'prompt.answer', outcome: 'ok', data: { option: 'keep' }, request_id: expect.any(String) },
      { ...by, action: 'action.run', data: { name: 'http_request.send' }, request_id: null },
      { ...by, action: 'run.start', target_id: other, request_id: null },
      { ...by, action: 'run.cancel', target_id: other, request_id: expect.any(String) },
      { ...by, action: 'run.start', target_id: again, request_id: null },
    ]);
    const shown = [await workspace.get(runId), await workspace.list(), await workspace.action(runId, 'tell')];
    expect(JSON.stringify(shown)).not.toContain(keyId);
  });

  test('also of one action and of playbooks run for cases; what is done signed in has the person', async () => {
    const { analyst, soar, path } = workspace;
    const { actor, keyId } = await keyed();
    const later = {
      action_name: 'http_request.send',
      action_input: { path: '/tell', json: { by: 'airdeck' } },
      time_scheduled: new Date(Date.now() + 3_600_000).toISOString(),
    };
    for (const who of [actor, analyst]) {
      const { body } = await fixture.call(who, 'POST', `${soar}/actions_activity`, later);
      const { action_uuid } = actionActivitySchema.parse(body).details.context;
      const ends = () => fixture.call(who, 'POST', `${soar}/actions_activity/${action_uuid}/cancel`);
      expect([(await ends()).status, (await ends()).status]).toEqual([202, 409]);
    }
    const opened = await fixture.call(analyst, 'POST', `${path}/case`, { alert_name: 'One' });
    const playbook = { playbook_id: await workspace.add([node.read('look', '/look')]), inputs: {} };
    await fixture.call(actor, 'POST', `${path}/case/bulk`, { cases: [String(opened.body.id)], playbook });

    const told = (await recordsOf('run.start', 'run.cancel')).map((one) => [
      one.action,
      one.actor_kind,
      one.actor_id,
      one.actor_name,
    ]);
    expect(told).toEqual([
      ['run.start', 'api_key', keyId, analyst.email],
      ['run.cancel', 'api_key', keyId, analyst.email],
      ['run.start', 'user', analyst.id, analyst.email],
      ['run.cancel', 'user', analyst.id, analyst.email],
      ['run.start', 'api_key', keyId, analyst.email],
    ]);
  });

  test('of a run that started another: the other one is ended by the system, which says for whom', async () => {
    const { actor, keyId } = await keyed();
    const child = await workspace.add([node.ask('ask')]);
    const runId = await workspace.start(await workspace.add([node.play('first', child)]), {}, actor);
    const childId = stepOf(await workspace.get(runId), 'first').child_run_id ?? '';
    await workspace.reaches(childId, 'waiting');
    expect((await cancelAs(actor, runId)).status).toBe(202);
    await workspace.reaches(childId, 'cancelled');
    expect(await recordsOf('run.cancel')).toMatchObject([
      { actor_kind: 'api_key', actor_id: keyId, target_id: runId },
      { actor_kind: 'system', actor_id: null, target_id: childId, data: { by: workspace.analyst.email } },
    ]);
  });
});

test('a run keeps the definition it began with, whatever becomes of its playbook (E14)', async () => {
  const { analyst, soar } = workspace;
  const id = await workspace.add([node.ask('ask'), node.send('old', '/old', { depends_on: ['ask'] })]);
  const runs = await Promise.all(Array.from({ length: 20 }, () => workspace.start(id)));
  for (const runId of runs) await workspace.reaches(runId, 'waiting');
  const draft = await fixture.call(analyst, 'GET', `${soar}/playbooks/${id}/draft`);
  const definition = draft.body.definition as { actions: object[] };
  const [ask] = definition.actions;
  const saved = await fixture.call(analyst, 'PUT', `${soar}/playbooks/${id}/draft`, {
    definition: { ...definition, actions: [ask, node.send('new', '/new', { depends_on: ['ask'] })] },
    revision: draft.body.revision,
  });
  const published = await fixture.call(analyst, 'POST', `${soar}/playbooks/${id}/publish`, {
    revision: saved.body.revision,
  });
  expect(published.status, JSON.stringify(published.body)).toBe(200);
  const [half, rest] = [runs.slice(0, 10), runs.slice(10)];
  for (const runId of half) await workspace.answer(runId, analyst, 'keep');
  expect((await fixture.call(analyst, 'DELETE', `${soar}/playbooks/${id}`)).status).toBe(204);
  for (const runId of rest) await workspace.answer(runId, analyst, 'keep');
  for (const runId of runs) {
    expect(statusesOf(await workspace.reaches(runId, 'success'))).toEqual({ ask: 'success', old: 'success' });
  }
  expect(new Set(fixture.vendor.calls)).toEqual(new Set(['POST /old']));
}, 90_000);

test('a connector that is deleted in mid-run ends the next action with that reason', async () => {
  const { admin, path, connectorId } = workspace;
  const id = await workspace.add([node.read('hold', '/hold'), node.read('after', '/after', { depends_on: ['hold'] })]);
  const runId = await workspace.start(id);
  await held(1);
  const remove = () =>
    fixture.call(admin, 'DELETE', `${path}/connectors/${connectorId}`, undefined, { 'x-air-confirm': 'true' });
  await fixture.call(admin, 'DELETE', `${path}/connectors/${connectorId}`);
  expect([200, 204]).toContain((await remove()).status);
  fixture.vendor.release();
  const run = await workspace.reaches(runId, 'error');
  expect(statusesOf(run)).toEqual({ hold: 'success', after: 'error' });
  expect(run.summary.error_info).toMatchObject({
    code: 'CONNECTOR_UNAVAILABLE',
    message: expect.stringContaining('No working'),
  });
  expect(fixture.vendor.calls).toEqual(['GET /hold']);
});

test('a vendor that never answers ends the action by its time limit', async () => {
  const id = await workspace.add([node.read('hold', '/hold', { timeout_s: 1 })]);
  const run = await workspace.reaches(await workspace.start(id), 'error');
  expect(run.summary.error_info?.code).toBe('STEP_TIMED_OUT');
  const whole = await workspace.add([node.read('hold', '/hold')], {
    exec_options: { max_concurrent_actions: 1, timeout_s: 1 },
  });
  const ended = await workspace.reaches(await workspace.start(whole), 'error');
  expect(ended.summary.error_info?.code).toBe('RUN_TIMED_OUT');
});

test('a starter who may no longer run actions ends the run with that reason', async () => {
  const leaving = await workspace.person('Analyst');
  const id = await workspace.add([node.ask('ask'), node.send('tell', '/tell', { depends_on: ['ask'] })]);
  const runId = await workspace.start(id, {}, leaving);
  await workspace.reaches(runId, 'waiting');
  await fixture.db.system((tx) => tx.deleteFrom('membership').where('user_id', '=', leaving.id).execute());
  await workspace.answer(runId, workspace.analyst, 'keep');
  const run = await workspace.reaches(runId, 'error');
  expect(run.summary.error_info?.code).toBe('STARTER_NOT_AUTHORISED');
  expect(stepOf(run, 'tell').status).toBe('error');
  expect(fixture.vendor.calls).toEqual([]);
});

test('thousands of starts by one person are refused beyond a limit, and neither colleagues nor other tenants wait for them (E15)', async () => {
  const others = await fixture.workspace();
  const theirs = await others.add([node.read('look', '/look'), node.send('tell', '/tell', { depends_on: ['look'] })]);
  const flood = await workspace.add([node.read('hold', '/hold')]);
  const start = (actor = workspace.analyst) =>
    fixture.call(actor, 'POST', workspace.runs, { playbook_id: flood, inputs: {} });
  // However long the flood takes here, it is all of one minute.
  const ends_at = new Date(Date.now() + 3_600_000);
  const pace = { tenant_id: workspace.tenant, user_id: workspace.analyst.id, used: 0, ends_at };
  await fixture.db.system((tx) => tx.insertInto('start_pace').values(pace).execute());
  const answers: Awaited<ReturnType<typeof start>>[] = [];
  for (let round = 0; round < 13; round++)
    answers.push(...(await Promise.all(Array.from({ length: 50 }, () => start()))));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(600);
  expect(answers.filter(({ body }) => body.code === 'RATE_LIMITED')).toHaveLength(50);
  expect((await start(workspace.admin)).status).toBe(202);

  // Nobody lets the flood's calls go, so it takes all it can get. The others' runs end long before it is through.
  const ofOthers = await Promise.all(Array.from({ length: 20 }, () => others.start(theirs)));
  for (const runId of ofOthers) await others.reaches(runId, 'success');
  expect(fixture.vendor.calls.filter((one) => one === 'POST /tell')).toHaveLength(20);
  expect(await endedRuns()).toBeLessThan(300);

  // None of those accepted is lost.
  await vi.waitFor(
    async () => {
      fixture.vendor.release();
      expect(await endedRuns()).toBe(601);
    },
    { timeout: 60_000, interval: 50 },
  );
  expect(fixture.vendor.calls.filter((one) => one === 'GET /hold')).toHaveLength(601);
}, 180_000);

async function endedRuns(): Promise<number> {
  const { rows } = await fixture.db.tenant(workspace.tenant, (tx) =>
    sql<{ ended: number }>`select count(*)::int as ended from engine.run where finished_at is not null`.execute(tx),
  );
  return rows[0]?.ended ?? 0;
}
