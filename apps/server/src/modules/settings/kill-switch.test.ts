import { actionActivitySchema } from '@airdeck/contracts/activity/schema';
import { connectorSchema } from '@airdeck/contracts/connectors/schema';
import { tenantSettingsSchema } from '@airdeck/contracts/settings/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import {
  type ActivityFixture,
  createActivityFixture,
  promptOf,
  statusesOf,
  type Workspace,
} from '../activity/activity-fixture.ts';
import { jobKindOf } from '../connectors/connector-work.ts';

const inputs = { ip: '{{ group.src_ip }}', case_reference: '{{ case.reference }}' };

let fixture: ActivityFixture;
let workspace: Workspace;
let admin: Actor;

beforeAll(async () => {
  fixture = await createActivityFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.sandbox.reset();
  workspace = await fixture.createWorkspace();
  admin = await workspace.person('Admin');
});

async function switchAutomation(enabled: boolean, { tenant } = workspace, who = admin) {
  const answer = await fixture.server.inject({
    method: 'PATCH',
    url: `/api/tenants/${tenant}/settings`,
    headers: { ...who.headers, 'content-type': 'application/json' },
    payload: JSON.stringify({ automation: { enabled } }),
  });
  expect(answer.statusCode).toBe(200);
  return tenantSettingsSchema.parse(answer.json());
}

const blocked = () => fixture.sandbox.state().fortigate.groups['AIRdeck-Blocked'];
const heldJobs = ({ tenant } = workspace) =>
  fixture.db.system(async (tx) => {
    const { rows } = await fixture.work.enginePool
      .client(tx)
      .query<{ id: string }>(`select id from engine.job where tenant_id = $1 and state = 'held'`, [tenant]);
    return rows.length;
  });

async function waitingRun(at = workspace) {
  const runId = await at.start(await at.addPlaybook());
  const run = await at.runReaches(runId, 'waiting');
  return { runId, promptId: promptOf(run) };
}

const answer = (runId: string, promptId: string) =>
  fixture.call(workspace.analyst, 'POST', `${workspace.soar}/playbook_activity/${runId}/prompt/${promptId}`, {
    option: 'block',
  });

describe('with automation switched off', () => {
  test('a run takes no further action, says so, and goes on when it is switched on again', async () => {
    const { runId, promptId } = await waitingRun();
    expect((await workspace.getRun(runId)).summary.on_hold).toBeUndefined();
    expect((await switchAutomation(false)).automation).toMatchObject({ enabled: false, changed_by: admin.email });
    expect((await answer(runId, promptId)).status).toBe(200);
    await expect.poll(() => heldJobs()).toBe(1);
    const held = await workspace.getRun(runId);
    expect(held.summary).toMatchObject({ status: 'running', on_hold: true });
    expect(statusesOf(held)).toMatchObject({ approve: 'success', block: 'pending' });
    expect(blocked()).toEqual([]);

    expect((await switchAutomation(true)).automation.enabled).toBe(true);
    const done = await workspace.runReaches(runId, 'success');
    expect(done.summary.on_hold).toBeUndefined();
    expect(blocked()).toEqual(['airdeck-203.0.113.7']);
  });

  test('a run that waits can be cancelled by a person and does nothing later', async () => {
    const { runId, promptId } = await waitingRun();
    await switchAutomation(false);
    await answer(runId, promptId);
    await expect.poll(() => heldJobs()).toBe(1);
    const cancelled = await fixture.call(
      workspace.analyst,
      'POST',
      `${workspace.soar}/playbook_activity/${runId}/cancel`,
    );
    expect(cancelled.status).toBe(202);
    await workspace.runReaches(runId, 'cancelled');
    await switchAutomation(true);
    expect(await heldJobs()).toBe(0);
    expect(blocked()).toEqual([]);
  });

  test('policies still open cases, whose responses do not start, not even later', async () => {
    const definitionId = await workspace.addPlaybook();
    const { guess } = await fixture.addDetection(workspace, { definitionId, inputs });
    await switchAutomation(false);
    await guess('203.0.113.9');
    const [caseId = ''] = await fixture.casesOf(workspace);
    const opened = await workspace.getCase(caseId);
    expect(opened.alert_responses).toEqual([]);
    expect(opened.activity.map(({ text }) => text)).toContain(
      'Block it could not start: Automation is switched off for this tenant.',
    );
    await switchAutomation(true);
    expect((await workspace.getCase(caseId)).alert_responses).toEqual([]);
  });

  test('a person still runs single actions, which say that they ran nevertheless, but starts no playbook', async () => {
    await switchAutomation(false);
    const done = await workspace.act('fortigate.block_address', { address: '203.0.113.50' });
    expect(done.summary.status).toBe('success');
    expect(done.details.context).toMatchObject({ automation_off: true });
    const records = await fixture.db.tenant(workspace.tenant, (tx) =>
      tx.selectFrom('audit_record').select('data').where('action', '=', 'run.start').execute(),
    );
    expect(records.map(({ data }) => data)).toEqual([{ name: 'fortigate.block_address', automation: 'off' }]);

    const playbook_id = await workspace.addPlaybook();
    const body = { playbook_id, inputs: { ip: '203.0.113.7' } };
    const refused = await fixture.call(workspace.analyst, 'POST', `${workspace.soar}/playbook_activity`, body);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(refused.body.message).toContain('Automation is switched off');
  });

  test('connectors go on being tested and read, and what they bring starts nothing', async () => {
    const { runId, promptId } = await waitingRun();
    await switchAutomation(false);
    await answer(runId, promptId);
    await expect.poll(() => heldJobs()).toBe(1);
    const { url, keys } = fixture.sandbox;
    const made = await fixture.server.inject({
      method: 'PUT',
      url: `/api/tenants/${workspace.tenant}/connectors`,
      headers: { ...admin.headers, 'content-type': 'application/json' },
      payload: JSON.stringify({
        definition_id: 'okta',
        name: 'Okta',
        config: { base_url: `${url}/okta`, api_token: keys.okta },
        events_enabled: true,
      }),
    });
    const { id } = connectorSchema.parse(made.json());
    const okta = async () => {
      const path = `/api/tenants/${workspace.tenant}/connectors/${id}`;
      return connectorSchema.parse((await fixture.server.inject({ url: path, headers: admin.headers })).json());
    };
    await vi.waitFor(async () => expect((await okta()).state).toBe('active'), { timeout: 30_000 });
    // As the schedule does it when the time has come.
    const { engine, enginePool } = fixture.work;
    await fixture.db.system((tx) =>
      engine.enqueueJob(enginePool.client(tx), {
        ...{ tenantId: workspace.tenant, kind: jobKindOf.events, dedupKey: id, payload: { connector_id: id } },
      }),
    );
    const readLog = () => fixture.sandbox.state().calls.filter(({ path }) => path.startsWith('/api/v1/logs'));
    await vi.waitFor(() => expect(readLog().length).toBeGreaterThan(0), { timeout: 30_000 });
    expect(await heldJobs()).toBe(1);
    expect(blocked()).toEqual([]);
    expect((await workspace.getRun(runId)).summary).toMatchObject({ status: 'running', on_hold: true });
  });

  test('other tenants go on', async () => {
    const other = await fixture.createWorkspace();
    await switchAutomation(false);
    const { runId, promptId } = await waitingRun(other);
    await fixture.call(other.analyst, 'POST', `${other.soar}/playbook_activity/${runId}/prompt/${promptId}`, {
      option: 'block',
    });
    await other.runReaches(runId, 'success');
  });

  test('who switched is audited, once for each change', async () => {
    await switchAutomation(false);
    await switchAutomation(false);
    await switchAutomation(true);
    const records = await fixture.db.tenant(workspace.tenant, (tx) =>
      tx
        .selectFrom('audit_record')
        .select(['action', 'actor_name'])
        .where('action', 'like', 'automation.%')
        .orderBy('sequence')
        .execute(),
    );
    expect(records).toEqual([
      { action: 'automation.disable', actor_name: admin.email },
      { action: 'automation.enable', actor_name: admin.email },
    ]);
    expect(await workspace.auditVerdict()).toMatchObject({ intact: true });
  });
});

test('an action that answers a case by itself waits too', async () => {
  const { guess } = await fixture.addDetection(workspace, {
    type: 'action',
    definitionId: 'fortigate.block_address',
    inputs: { address: '{{ group.src_ip }}' },
  });
  // Switched off between the opening of the case and the action: as if the setting were read a moment too early.
  await fixture.db.system((tx) => fixture.work.engine.hold(fixture.work.enginePool.client(tx), workspace.tenant));
  await guess('203.0.113.9');
  await expect.poll(() => heldJobs()).toBe(1);
  expect(blocked()).toEqual([]);
  await switchAutomation(false);
  const { body } = await fixture.call(workspace.analyst, 'GET', `${workspace.soar}/actions_activity`);
  const [action] = (body as unknown as unknown[]).map((one) => actionActivitySchema.parse(one));
  expect(action?.details.context.on_hold).toBe(true);
  await switchAutomation(true);
  await expect.poll(() => blocked()).toEqual(['airdeck-203.0.113.9']);
});
