import { actionActivitySchema, playbookRunSchema } from '@airdeck/contracts/activity/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

const noticesOf = (tenant: string) =>
  fixture.db.system((tx) => tx.selectFrom('notification').selectAll().where('tenant_id', '=', tenant).execute());

describe('a dry run', () => {
  test('calls what reads and nothing else, shows what would have been sent, and goes on behind it', async () => {
    const id = await workspace.add([
      node.read('look', '/look'),
      node.send('tell', "{{ '/tell' + actions.look.output.body.path }}", { depends_on: ['look'] }),
      node.destroy('wipe', '/wipe', { depends_on: ['tell'] }),
      node.read('check', '/check', { depends_on: ['wipe'], when: 'actions.tell.output.status == 0' }),
    ]);
    const runId = await workspace.start(id, { dry_run: true });
    const run = await workspace.reaches(runId, 'success');
    expect(fixture.vendor.calls).toEqual(['GET /look', 'GET /check']);
    expect(run.summary).toMatchObject({ dry_run: true, playbook_id: id, retry_of: null, parent_run_id: null });
    expect(statusesOf(run)).toEqual({ look: 'success', tell: 'success', wipe: 'success', check: 'success' });
    expect(stepOf(run, 'look').not_called).toBeUndefined();
    for (const left of ['tell', 'wipe']) expect(stepOf(run, left).not_called).toBe(true);
    const tell = await workspace.action(runId, 'tell');
    expect(tell.details.action_input).toMatchObject({ path: '/tell/look' });
    expect(tell.details.action_output).toMatchObject({ dry_run: 'Not called in a dry run.' });
    expect(tell.details.context.dry_run).toBe(true);
  });

  test('is marked as one in the list of actions as on each of them', async () => {
    const playbook = await workspace.add([node.read('look', '/look'), node.send('tell', '/tell')]);
    const tried = await workspace.start(playbook, { dry_run: true });
    await workspace.reaches(tried, 'success');
    const done = await workspace.start(playbook);
    await workspace.reaches(done, 'success');
    const { body } = await fixture.call(workspace.analyst, 'GET', `${workspace.soar}/actions_activity`);
    const listed = actionActivitySchema.array().parse(body);
    const marks = listed.map(({ details: { context } }) => [context.workflow_instance_id, context.dry_run]);
    expect(marks).toEqual([
      [done, undefined],
      [done, undefined],
      [tried, true],
      [tried, true],
    ]);
  });

  test('needs no connector for what it does not call', async () => {
    const bare = await fixture.workspace({ connector: false });
    const runId = await bare.start(await bare.add([node.send('tell', '/tell')]), { dry_run: true });
    await bare.reaches(runId, 'success');
  });

  test('is audited as one, without actions that never happened', async () => {
    const runId = await workspace.start(await workspace.add([node.send('tell', '/tell')]), { dry_run: true });
    await workspace.reaches(runId, 'success');
    const records = await workspace.audit();
    expect(records.map(({ action }) => action).filter((action) => /^(run|action)\./.test(action))).toEqual([
      'run.start',
      'run.finish',
    ]);
    expect(records.find(({ action }) => action === 'run.start')?.data).toMatchObject({ dry_run: true });
  });

  test('asks its starter, who need not be an approver, tells nobody else, and takes one person', async () => {
    await workspace.setTwoPeople(true);
    const id = await workspace.add([
      node.ask('ask', { approvers: { role: 'Admin' } }),
      node.destroy('wipe', '/wipe', { depends_on: ['ask'] }),
    ]);
    const runId = await workspace.start(id, { dry_run: true });
    await workspace.reaches(runId, 'waiting');
    expect(await workspace.prompt(runId)).toMatchObject({ can_answer: true, second_approval: { required: false } });
    const bystander = await workspace.person('Analyst');
    expect(await workspace.answer(runId, bystander, 'delete')).toMatchObject({ status: 403 });
    expect((await workspace.answer(runId, workspace.analyst, 'delete')).status).toBe(200);
    await workspace.reaches(runId, 'success');
    expect(fixture.vendor.calls).toEqual([]);
    expect(await noticesOf(workspace.tenant)).toEqual([]);
    const events = await fixture.db.system((tx) =>
      tx.selectFrom('notification_event').selectAll().where('tenant_id', '=', workspace.tenant).execute(),
    );
    expect(events).toEqual([]);
  });

  test('of a definition that is not stored belongs to no playbook, and counts once for one key', async () => {
    const definition = {
      metadata: { name: 'Draft', description: '', author: '', updated_by: '' },
      inputs: { type: 'object' },
      actions: [node.read('look', '/look')],
      outputs: {},
      exec_options: { max_concurrent_actions: 4 },
    };
    const key = { 'idempotency-key': 'one trial' };
    const trial = (change = {}) =>
      fixture.call(
        workspace.analyst,
        'POST',
        `${workspace.soar}/playbooks/dry_run`,
        { inputs: {}, definition: { ...definition, ...change } },
        key,
      );
    const answers = [await trial(), await trial()];
    const [first, second] = answers.map(({ body }) => playbookRunSchema.parse(body).summary);
    expect(first).toMatchObject({ dry_run: true, playbook_id: null });
    expect(second?.workflow_uuid).toBe(first?.workflow_uuid);
    expect(await trial({ outputs: { a: 1 } })).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  test('of what the builder shows is refused where it would start its own playbook', async () => {
    const id = await workspace.add([node.read('look', '/look')], { inputs: { type: 'object' } });
    const definition = {
      ...{ metadata: { name: 'Loop' }, inputs: { type: 'object' }, exec_options: { max_concurrent_actions: 4 } },
      actions: [{ id: 'go', kind: 'playbook', playbook_id: id, inputs: {} }],
    };
    const trial = (more: object) =>
      fixture.call(workspace.analyst, 'POST', `${workspace.soar}/playbooks/dry_run`, {
        ...{ inputs: {}, definition },
        ...more,
      });
    const refused = await trial({ playbook_id: id });
    expect(refused).toMatchObject({ status: 409, body: { code: 'PLAYBOOK_INVALID' } });
    expect(refused.body.details).toMatchObject([{ path: 'actions.0.playbook_id' }]);
    expect(playbookRunSchema.parse((await trial({})).body).summary.playbook_id).toBeNull();
  });
});
