import { playbookRunListSchema, promptSchema } from '@airdeck/contracts/activity/schema';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blockGuessingAddress } from '../playbooks/starter-playbooks.ts';
import {
  type ActivityFixture,
  createActivityFixture,
  promptOf,
  statusesOf,
  type Workspace,
} from './activity-fixture.ts';

let fixture: ActivityFixture;
let workspace: Workspace;
let playbookId: string;

beforeAll(async () => {
  fixture = await createActivityFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.sandbox.reset();
  workspace = await fixture.createWorkspace();
  playbookId = await workspace.addPlaybook();
});

const blocked = () => fixture.sandbox.state().fortigate.groups['AIRdeck-Blocked'];
const answerPath = (runId: string, promptId: string) =>
  `${workspace.soar}/playbook_activity/${runId}/prompt/${promptId}`;

async function waitingRun() {
  const runId = await workspace.start(playbookId);
  const run = await workspace.runReaches(runId, 'waiting');
  return { runId, promptId: promptOf(run), run };
}

describe('a playbook started by hand', () => {
  test('looks up, asks, and blocks over HTTP once somebody said so', async () => {
    const { runId, promptId, run } = await waitingRun();
    expect(statusesOf(run)).toEqual({ lookup: 'success', approve: 'waiting', block: 'pending' });
    expect(run.summary.trigger_info).toMatchObject({
      trigger_type: 'manual',
      username: workspace.analyst.email,
      case_id: null,
    });
    expect(blocked()).toEqual([]);

    const asked = await fixture.call(workspace.analyst, 'GET', answerPath(runId, promptId));
    expect(promptSchema.parse(asked.body)).toMatchObject({
      message: 'Block 203.0.113.7 on the firewall?',
      can_answer: true,
      answered: null,
    });
    const answer = { option: 'block', comment: 'Known scanner.' };
    const answered = await fixture.call(workspace.analyst, 'POST', answerPath(runId, promptId), answer);
    expect(answered.status).toBe(200);
    expect(promptSchema.parse(answered.body)).toMatchObject({
      can_answer: false,
      answered: { option: 'block', username: workspace.analyst.email, comment: 'Known scanner.' },
    });

    const done = await workspace.runReaches(runId, 'success');
    expect(done.playbook.outputs).toEqual({ blocked: true });
    expect(blocked()).toEqual(['airdeck-203.0.113.7']);
    const received = fixture.sandbox.state().calls.map(({ vendor, method, status }) => [vendor, method, status]);
    expect(received).toEqual([
      ['abuseipdb', 'GET', 200],
      ['fortigate', 'POST', 200],
      ['fortigate', 'POST', 200],
    ]);
    expect(await fixture.casesOf(workspace)).toEqual([]);
    expect(await workspace.auditVerdict()).toMatchObject({ intact: true });
  });

  test('for a case is among its responses, and not for one that does not exist', async () => {
    const { tenant, analyst, soar } = workspace;
    const opened = await fixture.call(analyst, 'POST', `/api/tenants/${tenant}/case`, { alert_name: 'By hand' });
    const case_id = String(opened.body.id);
    const body = { playbook_id: playbookId, inputs: { ip: '203.0.113.7' }, case_id };
    const started = await fixture.call(analyst, 'POST', `${soar}/playbook_activity`, body);
    expect(started.body).toMatchObject({ summary: { trigger_info: { trigger_type: 'manual', case_id } } });
    const found = await workspace.caseReaches(case_id, 'waiting');
    expect(found.alert_responses).toMatchObject([{ response_type: 'playbook' }]);
    const other = await fixture.createWorkspace({ connectors: false });
    const foreign = await fixture.call(other.analyst, 'POST', `/api/tenants/${other.tenant}/case`, {
      alert_name: 'Elsewhere',
    });
    for (const unknown of [v7(), String(foreign.body.id)]) {
      const refused = await fixture.call(analyst, 'POST', `${soar}/playbook_activity`, { ...body, case_id: unknown });
      expect(refused).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  test('skips what the answer makes needless', async () => {
    const { runId, promptId } = await waitingRun();
    await fixture.call(workspace.analyst, 'POST', answerPath(runId, promptId), { option: 'ignore' });
    const done = await workspace.runReaches(runId, 'success');
    expect(done.playbook.outputs).toEqual({ blocked: false });
    expect(done.summary.actions_summary.find((one) => one.workflow_action_id === 'block')?.skip_reason).not.toBeNull();
    expect(blocked()).toEqual([]);
  });

  test('still asks when the reputation service is down', async () => {
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'unauthorized' });
    const { run } = await waitingRun();
    expect(statusesOf(run)).toMatchObject({ lookup: 'error', approve: 'waiting' });
  });

  test('is refused with inputs that do not fit, before a run exists', async () => {
    const inputs = { ip: 7, extra: true };
    const refused = await fixture.call(workspace.analyst, 'POST', `${workspace.soar}/playbook_activity`, {
      playbook_id: playbookId,
      inputs,
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(refused.body.details).toEqual([
      { path: 'inputs.extra', message: 'is not known here', reason: 'VALUE_UNKNOWN', values: {} },
      { path: 'inputs.ip', message: 'must be string', reason: 'VALUE_NOT_TEXT', values: {} },
    ]);
    expect((await fixture.call(workspace.analyst, 'GET', `${workspace.soar}/playbook_activity`)).body).toEqual([]);
  });

  test("cannot be started by somebody who only reads, nor with another tenant's playbook", async () => {
    const body = { playbook_id: playbookId, inputs: { ip: '203.0.113.7' } };
    const reader = await workspace.person('ReadOnly');
    const refused = await fixture.call(reader, 'POST', `${workspace.soar}/playbook_activity`, body);
    expect(refused).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
    const other = await fixture.createWorkspace({ connectors: false });
    const foreign = await fixture.call(other.analyst, 'POST', `${other.soar}/playbook_activity`, body);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  test('stands in the list, found by name and status', async () => {
    const { runId } = await waitingRun();
    const list = async (query: string) => {
      const { body } = await fixture.call(workspace.analyst, 'GET', `${workspace.soar}/playbook_activity?${query}`);
      return playbookRunListSchema.parse(body).map(({ summary }) => summary.workflow_uuid);
    };
    expect(await list('')).toEqual([runId]);
    expect(await list('status=waiting,running&q=GUESSING')).toEqual([runId]);
    expect(await list('status=success')).toEqual([]);
    expect(await list('q=%25')).toEqual([]);
    expect(await list('skip=1')).toEqual([]);
  });
});

describe('a question', () => {
  test('cannot be answered by somebody who only reads', async () => {
    const { runId, promptId } = await waitingRun();
    const reader = await workspace.person('ReadOnly');
    const seen = await fixture.call(reader, 'GET', answerPath(runId, promptId));
    expect(seen).toMatchObject({ status: 200, body: { can_answer: false } });
    const refused = await fixture.call(reader, 'POST', answerPath(runId, promptId), { option: 'block' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
    expect(statusesOf(await workspace.getRun(runId))).toMatchObject({ approve: 'waiting' });
  });

  test('takes no answer from people who are not its approvers, and the attempt is audited', async () => {
    const boss = await workspace.person('Analyst');
    playbookId = await workspace.addPlaybook({
      ...blockGuessingAddress,
      actions: blockGuessingAddress.actions.map((action) =>
        action.kind === 'prompt' ? { ...action, approvers: { usernames: [boss.email] } } : action,
      ),
    });
    const { runId, promptId } = await waitingRun();
    const refused = await fixture.call(workspace.analyst, 'POST', answerPath(runId, promptId), { option: 'block' });
    expect(refused).toMatchObject({ status: 403, body: { code: 'PROMPT_NOT_APPROVER' } });
    const records = await fixture.db.tenant(workspace.tenant, (tx) =>
      tx.selectFrom('audit_record').selectAll().where('outcome', '=', 'refused').execute(),
    );
    expect(JSON.stringify(records)).toContain('PROMPT_NOT_APPROVER');
    expect((await fixture.call(boss, 'POST', answerPath(runId, promptId), { option: 'ignore' })).status).toBe(200);
  });

  test('takes one of its options, once', async () => {
    const { runId, promptId } = await waitingRun();
    const answer = (option: string) => fixture.call(workspace.analyst, 'POST', answerPath(runId, promptId), { option });
    expect(await answer('explode')).toMatchObject({ status: 400, body: { code: 'PROMPT_OPTION_UNKNOWN' } });
    const answers = await Promise.all([answer('block'), answer('ignore'), answer('block'), answer('ignore')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(answers.filter(({ body }) => body.code === 'PROMPT_ALREADY_ANSWERED')).toHaveLength(3);
    await workspace.runReaches(runId, 'success');
    expect(await answer('block')).toMatchObject({ status: 409, body: { code: 'PROMPT_ALREADY_ANSWERED' } });
  });

  test('of another tenant, of another run, or of none does not exist', async () => {
    const { runId, promptId } = await waitingRun();
    const second = await waitingRun();
    const other = await fixture.createWorkspace({ connectors: false });
    const paths = [
      `${other.soar}/playbook_activity/${runId}/prompt/${promptId}`,
      answerPath(second.runId, promptId),
      answerPath(runId, v7()),
    ];
    for (const path of paths) {
      const actor = path.startsWith(other.soar) ? other.analyst : workspace.analyst;
      expect(await fixture.call(actor, 'GET', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      const answered = await fixture.call(actor, 'POST', path, { option: 'block' });
      expect(answered).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(statusesOf(await workspace.getRun(runId))).toMatchObject({ approve: 'waiting' });
  });
});

describe('cancelling', () => {
  const cancel = (runId: string) =>
    fixture.call(workspace.analyst, 'POST', `${workspace.soar}/playbook_activity/${runId}/cancel`);

  test('ends a waiting run; its question is closed and nothing starts any more', async () => {
    const { runId, promptId } = await waitingRun();
    const cancelled = await cancel(runId);
    expect(cancelled.status).toBe(202);
    const run = await workspace.runReaches(runId, 'cancelled');
    expect(statusesOf(run)).toEqual({ lookup: 'success', approve: 'cancelled', block: 'cancelled' });
    const late = await fixture.call(workspace.analyst, 'POST', answerPath(runId, promptId), { option: 'block' });
    expect(late).toMatchObject({ status: 409, body: { code: 'PROMPT_CLOSED' } });
    expect(await cancel(runId)).toMatchObject({ status: 409, body: { code: 'RUN_FINISHED' } });
    expect(blocked()).toEqual([]);
    expect(await workspace.auditVerdict()).toMatchObject({ intact: true });
  });

  test('stops a run in mid-call, and no further action starts', async () => {
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'slow', delay_ms: 20_000 });
    const runId = await workspace.start(playbookId);
    await expect.poll(async () => statusesOf(await workspace.getRun(runId)).lookup).toBe('running');
    expect((await cancel(runId)).status).toBe(202);
    const run = await workspace.runReaches(runId, 'cancelled');
    expect(statusesOf(run)).toEqual({ lookup: 'cancelled', approve: 'cancelled', block: 'cancelled' });
    expect(await cancel(runId)).toMatchObject({ status: 409, body: { code: 'RUN_FINISHED' } });
  });

  test("is not for another tenant's people", async () => {
    const { runId } = await waitingRun();
    const other = await fixture.createWorkspace({ connectors: false });
    const foreign = await fixture.call(other.analyst, 'POST', `${other.soar}/playbook_activity/${runId}/cancel`);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});
