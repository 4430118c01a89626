/** Runs of several parts: actions for each item of a list, playbooks that start playbooks. */
import { caseDetailSchema } from '@airdeck/contracts/cases/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
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

describe('an action for each item of a list', () => {
  const each = (more: object = {}) =>
    workspace.add([node.send('tell', "{{ '/tell/' + item }}", { for_each: 'inputs.names', ...more })], {
      inputs: { type: 'object', properties: { names: { type: 'array' } } },
    });

  test('is one action with counts, and its items can be read', async () => {
    fixture.vendor.fails.add('/tell/b');
    const runId = await workspace.start(await each({ on_error: 'continue' }), { inputs: { names: ['a', 'b', 'c'] } });
    const run = await workspace.reaches(runId, 'success');
    expect(run.summary.actions_summary).toHaveLength(1);
    expect(stepOf(run, 'tell').items).toEqual({ total: 3, ended: 3, failed: 1 });
    // A vendor that broke in the middle may have done it.
    expect(stepOf(run, 'tell')).toMatchObject({ status: 'success', outcome_unknown: true });
    const listed = await workspace.list();
    expect(listed[0]?.summary.actions_summary).toHaveLength(1);
    const whole = await workspace.action(runId, 'tell');
    expect(whole.details.items).toEqual([
      { index: 0, status: 'success' },
      { index: 1, status: 'error' },
      { index: 2, status: 'success' },
    ]);
    expect(whole.details.action_output).toEqual([
      expect.objectContaining({ status: 200 }),
      null,
      expect.objectContaining({ status: 200 }),
    ]);
    const third = await workspace.action(runId, 'tell', '?item=2');
    expect(third.details.action_input).toMatchObject({ path: '/tell/c' });
    expect(third.details.items).toBeUndefined();
    expect((await workspace.action(runId, 'tell', '?item=1')).details.error_info).not.toBeNull();
    const path = `${workspace.runs}/${runId}/actions/${stepOf(run, 'tell').action_uuid}`;
    for (const [query, status] of [
      ['item=3', 404],
      ['item=-1', 400],
      ['item=1000', 400],
      ['item=x', 400],
    ] as const) {
      expect((await fixture.call(workspace.analyst, 'GET', `${path}?${query}`)).status, query).toBe(status);
    }
  });

  test('of a long list is told to the case one by one at first, and then as a whole', async () => {
    fixture.vendor.fails.add('/tell/101');
    const names = Array.from({ length: 102 }, (_, index) => String(index));
    const { guess } = await workspace.answerGuesses(await each({ on_error: 'continue' }), { inputs: { names } });
    await guess('203.0.113.9');
    const [entry] = await workspace.history();
    const runId = entry?.run_id ?? '';
    const run = await workspace.reaches(runId, 'success');
    const { body } = await fixture.call(workspace.analyst, 'GET', `${workspace.path}/case/${entry?.case_id}`);
    const told = caseDetailSchema.parse(body).activity.filter(({ kind }) => kind === 'action_finished');
    expect(told).toHaveLength(101);
    expect(told.at(-1)).toMatchObject({
      text: 'Send succeeded for 101 of 102 items',
      data: { run_id: runId, action_uuid: stepOf(run, 'tell').action_uuid, status: 'success' },
    });
  });

  test('of none is done', async () => {
    const runId = await workspace.start(await each(), { inputs: { names: [] } });
    const run = await workspace.reaches(runId, 'success');
    expect(stepOf(run, 'tell').items).toEqual({ total: 0, ended: 0, failed: 0 });
  });

  test('is cancelled with what is under way', async () => {
    const id = await workspace.add([node.read('hold', '/hold', { for_each: '[1, 2, 3, 4, 5, 6, 7, 8, 9]' })]);
    const runId = await workspace.start(id);
    await vi.waitFor(() => expect(fixture.vendor.held()).toBe(4), { timeout: 30_000 });
    expect(statusesOf(await workspace.get(runId))).toEqual({ hold: 'running' });
    await fixture.call(workspace.analyst, 'POST', `${workspace.runs}/${runId}/cancel`);
    const run = await workspace.reaches(runId, 'cancelled');
    expect(stepOf(run, 'hold')).toMatchObject({ status: 'cancelled', items: { total: 9 } });
    expect(fixture.vendor.calls).toHaveLength(4);
  });
});

describe('a playbook that starts another', () => {
  test('waits for it, shows it, and goes on with what it put out', async () => {
    const child = await workspace.add([node.read('look', '/look')], {
      metadata: { name: 'Look', description: '', author: 'Test', updated_by: 'Test' },
      outputs: { seen: '{{ actions.look.output.body.path }}' },
    });
    const parent = await workspace.add([
      node.play('first', child),
      node.send('tell', '{{ actions.first.output.seen }}', { depends_on: ['first'] }),
    ]);
    const runId = await workspace.start(parent);
    const run = await workspace.reaches(runId, 'success');
    const { child_run_id: childId, kind } = stepOf(run, 'first');
    expect(kind).toBe('playbook');
    const inner = await workspace.get(childId ?? '');
    expect(inner.summary).toMatchObject({
      parent_run_id: runId,
      playbook_id: child,
      status: 'success',
      workflow_name: 'Look',
      trigger_info: { trigger_type: 'workflow', username: workspace.analyst.email },
    });
    expect(fixture.vendor.calls).toEqual(['GET /look', 'POST /look']);
    expect((await workspace.list(`playbook_id=${child}`)).map(({ summary }) => summary.workflow_uuid)).toEqual([
      childId,
    ]);
  });

  test('fails with its reason, and its starter is told once', async () => {
    fixture.vendor.fails.add('/look');
    const child = await workspace.add([node.read('look', '/look')]);
    const runId = await workspace.start(await workspace.add([node.play('first', child)]));
    const run = await workspace.reaches(runId, 'error');
    expect(run.summary.error_info?.code).toBe('VENDOR_UNAVAILABLE');
    // Told once the event is gone: each is one or the other.
    const told = await vi.waitFor(
      async () => {
        const [waiting, rows] = await fixture.db.system(async (tx) => [
          await tx.selectFrom('notification_event').select('link').where('tenant_id', '=', workspace.tenant).execute(),
          await tx
            .selectFrom('notification')
            .select(['link', 'user_id'])
            .where('tenant_id', '=', workspace.tenant)
            .execute(),
        ]);
        expect(waiting).toEqual([]);
        expect(rows).not.toEqual([]);
        return rows;
      },
      { timeout: 30_000 },
    );
    expect(told).toEqual([{ link: `/activity/playbooks/${runId}`, user_id: workspace.analyst.id }]);
  });

  test('that is gone, or takes other inputs, ends with that reason', async () => {
    const child = await workspace.add([node.read('look', '/look')], {
      inputs: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    });
    const misfit = await workspace.start(await workspace.add([node.play('first', child, { inputs: { name: 7 } })]));
    expect((await workspace.reaches(misfit, 'error')).summary.error_info).toMatchObject({
      code: 'PLAYBOOK_INPUT_INVALID',
      message: expect.stringContaining('inputs.name must be string'),
    });
    const other = await fixture.workspace();
    const foreign = await other.add([node.read('look', '/look')]);
    const gone = await workspace.start(await workspace.add([node.play('first', foreign)]));
    expect((await workspace.reaches(gone, 'error')).summary.error_info?.code).toBe('PLAYBOOK_UNKNOWN');
    expect(fixture.vendor.calls).toEqual([]);
  });

  test('ends with it when it is cancelled, and is tried as it is tried', async () => {
    const child = await workspace.add([node.read('hold', '/hold'), node.send('tell', '/tell')]);
    const parent = await workspace.add([node.play('first', child)]);
    const runId = await workspace.start(parent, { dry_run: true });
    await vi.waitFor(() => expect(fixture.vendor.held()).toBe(1), { timeout: 30_000 });
    const childId = stepOf(await workspace.get(runId), 'first').child_run_id ?? '';
    expect((await workspace.get(childId)).summary.dry_run).toBe(true);
    await fixture.call(workspace.analyst, 'POST', `${workspace.runs}/${runId}/cancel`);
    await workspace.reaches(runId, 'cancelled');
    await workspace.reaches(childId, 'cancelled');
    expect(fixture.vendor.calls).toEqual(['GET /hold']);
  });
});
