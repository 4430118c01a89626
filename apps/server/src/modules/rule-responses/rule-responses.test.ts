import { createConnectorRegistry } from '@airdeck/connectors/registry';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import { createExpressions } from '@airdeck/expression';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createActionCatalogue } from '../actions/action-catalogue.ts';
import { type ActivityFixture, createActivityFixture, promptOf, type Workspace } from '../activity/activity-fixture.ts';
import { createRunStarts } from '../activity/run-starts.ts';
import { createClockWatch } from '../cases/case-clock-watch.ts';
import { createCaseStory } from '../cases/case-story-service.ts';
import { silentNotices } from '../notifications/notifications-port.ts';
import { blockGuessingAddress } from '../playbooks/starter-playbooks.ts';
import { tenantSettings } from '../settings/settings-module.ts';
import { createRuleResponses } from './rule-responses-service.ts';

const ATTACKER = '203.0.113.9';
const inputs = { ip: '{{ group.src_ip }}', case_reference: '{{ case.reference }}' };

let fixture: ActivityFixture;
let workspace: Workspace;

beforeAll(async () => {
  fixture = await createActivityFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.sandbox.reset();
  workspace = await fixture.createWorkspace();
});

async function onlyCase() {
  const ids = await fixture.casesOf(workspace);
  expect(ids).toHaveLength(1);
  return await workspace.getCase(ids[0] ?? '');
}

const storyOf = ({ activity }: Awaited<ReturnType<typeof onlyCase>>) =>
  activity.map(({ kind, text }) => `${kind}: ${text}`);

const runsOf = async () => {
  const { body } = await fixture.call(workspace.analyst, 'GET', `${workspace.soar}/playbook_activity`);
  return body as unknown as unknown[];
};

describe('a case that a policy opens', () => {
  test('is answered by its playbook, and its story, response and times follow', async () => {
    const definitionId = await workspace.addPlaybook();
    const { guess } = await fixture.addDetection(workspace, { definitionId, inputs });
    await guess(ATTACKER);
    const opened = await onlyCase();
    const [response] = opened.alert_responses;
    expect(response).toMatchObject({ response_name: 'Block it', response_type: 'playbook' });
    const runId = response?.workflow_instance_id ?? '';

    const waiting = await workspace.runReaches(runId, 'waiting');
    expect(waiting.summary.trigger_info).toMatchObject({ trigger_type: 'event', case_id: opened.id });
    expect(waiting.playbook.inputs).toEqual({ ip: ATTACKER, case_reference: opened.reference });
    // Same transaction: whoever sees the run wait sees the case say so.
    expect((await onlyCase()).alert_responses[0]?.status).toBe('waiting');
    await fixture.call(
      workspace.analyst,
      'POST',
      `${workspace.soar}/playbook_activity/${runId}/prompt/${promptOf(waiting)}`,
      { option: 'block' },
    );
    await workspace.runReaches(runId, 'success');

    const done = await onlyCase();
    expect(done.alert_responses).toMatchObject([{ workflow_instance_id: runId, status: 'success' }]);
    expect(storyOf(done).filter((line) => !/^(opened|events_added)/.test(line))).toEqual([
      'run_started: Started Block a guessing address',
      'action_finished: Check IP address succeeded',
      `prompt_asked: Block ${ATTACKER} on the firewall?`,
      'prompt_answered: Answered: block',
      'action_finished: Block address succeeded',
      'run_finished: Block a guessing address finished',
    ]);
    expect(done.activity.find(({ kind }) => kind === 'prompt_answered')?.username).toBe(workspace.analyst.email);
    const { address_comment, automated_response_at } = await facts(done.id);
    expect(address_comment).toBe(opened.reference);
    expect(automated_response_at).toBeInstanceOf(Date);
    expect(await workspace.auditVerdict()).toMatchObject({ intact: true });
  });

  test('shows a playbook that begins with a question as waiting at once', async () => {
    const definitionId = await workspace.addPlaybook({
      ...blockGuessingAddress,
      actions: [{ id: 'ask', kind: 'prompt', message: 'Well?', options: [{ value: 'yes', label: 'Yes' }] }],
      outputs: {},
    });
    const { guess } = await fixture.addDetection(workspace, { definitionId, inputs });
    await guess(ATTACKER);
    const opened = await onlyCase();
    expect(opened.alert_responses).toMatchObject([{ status: 'waiting' }]);
    expect(storyOf(opened).slice(-2)).toEqual(['run_started: Started Block a guessing address', 'prompt_asked: Well?']);
  });

  test('can be answered by one action, named as people know it', async () => {
    const { guess } = await fixture.addDetection(workspace, {
      type: 'action',
      definitionId: 'fortigate.block_address',
      inputs: { address: '{{ group.src_ip }}' },
    });
    await guess(ATTACKER);
    const { id } = await onlyCase();
    const done = await workspace.caseReaches(id, 'success');
    expect(done.alert_responses).toMatchObject([{ response_type: 'action', status: 'success' }]);
    expect(storyOf(done)).toContain('run_started: Started Block address');
    expect(storyOf(done)).toContain('run_finished: Block address finished');
    expect(fixture.sandbox.state().fortigate.groups['AIRdeck-Blocked']).toEqual([`airdeck-${ATTACKER}`]);
  });

  test('gets its response once, however often it is asked for', async () => {
    const definitionId = await workspace.addPlaybook();
    const { guess } = await fixture.addDetection(workspace, { definitionId, inputs });
    await guess(ATTACKER);
    await guess(ATTACKER);
    const before = await onlyCase();
    const policyId = before.policy_id ?? '';
    const opened = { tenant: workspace.tenant, caseId: before.id, reference: before.reference, policyId };
    const event = { src_ip: ATTACKER } as StoredEvent;
    const again = { ...opened, policyName: '', severity: 'high', groupValues: { src_ip: ATTACKER }, event };
    await fixture.db.system((tx) => responses().onCaseOpened(tx, again));
    expect(await runsOf()).toHaveLength(1);
    const started = storyOf(await onlyCase()).filter((line) => line.startsWith('run_started'));
    expect(started).toHaveLength(1);
  });
});

describe('a case that is late for a response', () => {
  test('is answered by what waits for that, once, with the rights of who set it up', async () => {
    const definitionId = await workspace.addPlaybook();
    const { guess } = await fixture.addDetection(workspace, { definitionId, inputs });
    await fixture.db.system((tx) =>
      tx
        .updateTable('rule_response')
        .set({ trigger: 'respond_breach', owner_user_id: workspace.analyst.id })
        .where('tenant_id', '=', workspace.tenant)
        .execute(),
    );
    await guess(ATTACKER);
    const opened = await onlyCase();
    expect(opened.alert_responses).toEqual([]);
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const late = { time_opened: ago(65), respond_by: ago(5), clock_next_at: ago(5) };
    await fixture.db.system((tx) => tx.updateTable('case_record').set(late).where('id', '=', opened.id).execute());
    await Promise.all([1, 2, 3].map(() => clockWatch().look()));
    await fixture.db.system((tx) =>
      tx
        .updateTable('case_record')
        .set({ clock_next_at: ago(1) })
        .where('id', '=', opened.id)
        .execute(),
    );
    await clockWatch().look();
    const answered = await onlyCase();
    const [run, ...others] = answered.alert_responses;
    expect(others).toEqual([]);
    expect(storyOf(answered)).toEqual(
      expect.arrayContaining(['sla_breach: Late for a response', 'run_started: Started Block a guessing address']),
    );
    const started = await workspace.getRun(run?.workflow_instance_id ?? '');
    expect(started.playbook.inputs).toEqual({ ip: ATTACKER, case_reference: opened.reference });
    expect(started.summary.trigger_info).toMatchObject({ trigger_type: 'event', case_id: opened.id });
    expect(await workspace.auditVerdict()).toMatchObject({ intact: true });
  });
});

test('an automation that has answered a case starts again for it when it is changed to answer another moment', async () => {
  const definitionId = await workspace.addPlaybook();
  const { guess } = await fixture.addDetection(workspace, { definitionId, inputs });
  await guess(ATTACKER);
  const opened = await onlyCase();
  expect(opened.alert_responses).toHaveLength(1);
  const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const late = { time_opened: ago(65), respond_by: ago(5), clock_next_at: ago(5) };
  await fixture.db.system(async (tx) => {
    const { tenant } = workspace;
    await tx.updateTable('rule_response').set({ trigger: 'respond_breach' }).where('tenant_id', '=', tenant).execute();
    await tx.updateTable('case_record').set(late).where('id', '=', opened.id).execute();
  });
  // What its first run tells may hold the case for a moment, and a look leaves out what is held.
  const runsAfterLook = async () => {
    await clockWatch().look();
    return (await runsOf()).length;
  };
  await expect.poll(runsAfterLook, { timeout: 10_000 }).toBe(2);
});

describe('a response that cannot start does not keep the case from opening, and the story says why', () => {
  test.each([
    ['its playbook is gone', { definitionId: v7(), inputs }, 'Its playbook no longer exists.'],
    [
      'its action is gone',
      { type: 'action' as const, definitionId: 'fortigate.gone', inputs: {} },
      'This action does not exist.',
    ],
    [
      'its input does not fit the action',
      { type: 'action' as const, definitionId: 'fortigate.block_address', inputs: {} },
      'action_input.address is missing',
    ],
  ])('%s', async (_why, response, reason) => {
    const { guess } = await fixture.addDetection(workspace, response);
    await guess(ATTACKER);
    const opened = await onlyCase();
    expect(opened.alert_responses).toEqual([]);
    expect(storyOf(opened).join('\n')).toContain('run_finished: Block it could not start: ');
    expect(storyOf(opened).join('\n')).toContain(reason);
  });

  test.each([
    ['its inputs do not render', { ip: '{{ group.nothing.there }}' }, 'Its inputs could not be filled in'],
    ['its inputs do not compile', { ip: '{{ ((( }}' }, 'Its inputs could not be filled in'],
    ['its inputs do not fit the playbook', { address: 'x' }, 'inputs.ip is missing'],
  ])('%s', async (_why, wrong, reason) => {
    const definitionId = await workspace.addPlaybook();
    const { guess } = await fixture.addDetection(workspace, { definitionId, inputs: wrong });
    await guess(ATTACKER);
    const opened = await onlyCase();
    expect(storyOf(opened).join('\n')).toContain(reason);
    expect(await runsOf()).toEqual([]);
  });

  test('its playbook is one the engine refuses', async () => {
    const definitionId = await workspace.addPlaybook({
      ...blockGuessingAddress,
      actions: blockGuessingAddress.actions.map((action) => ({ ...action, depends_on: ['nowhere'] })),
    });
    const { guess } = await fixture.addDetection(workspace, { definitionId, inputs });
    await guess(ATTACKER);
    expect(storyOf(await onlyCase()).join('\n')).toContain('Block it could not start: The definition has problems.');
  });
});

test('text of an event is data: an expression inside it is never evaluated', async () => {
  const definitionId = await workspace.addPlaybook();
  const { guess } = await fixture.addDetection(workspace, {
    definitionId,
    inputs: { ip: '{{ group.src_ip }}', case_reference: '{{ event.message }} {{ 1 + 1 }}' },
  });
  await guess(ATTACKER);
  const runId = (await onlyCase()).alert_responses[0]?.workflow_instance_id ?? '';
  const run = await workspace.runReaches(runId, 'waiting');
  expect(run.playbook.inputs.case_reference).toMatch(/Failed password for root .* 2$/);
});

/** The same rules on the same stores and engine, to be asked a second time for one case. */
function responses() {
  const { server, work } = fixture;
  const { changes } = server.composition;
  const catalogue = createActionCatalogue(createConnectorRegistry());
  const startRun = createRunStarts({ ...work, traitsOf: catalogue.traits, actions: catalogue });
  return createRuleResponses({
    startRun,
    playbooks: work.playbooks,
    expressions: createExpressions(),
    now: () => new Date(),
    brake: { of: () => () => Promise.resolve(true) },
    settings: tenantSettings,
    story: createCaseStory({ now: () => new Date(), ids: v7, changes }),
    log: { warn: () => undefined },
  });
}

/** As every worker looks at clocks. */
function clockWatch() {
  return createClockWatch({
    ...fixture.server.composition,
    ...{ db: fixture.db, now: () => new Date(), ids: v7, notices: silentNotices, responses: responses() },
    mail: { queue: () => Promise.resolve() },
    escalationContacts: () => Promise.resolve(new Map()),
    tenantName: () => Promise.resolve('Example Ltd'),
    address: () => 'https://air.example.com',
  });
}

async function facts(caseId: string) {
  const row = await fixture.db.system((tx) =>
    sql<{ automated_response_at: Date | null }>`
      select automated_response_at from case_record where id = ${caseId}
    `.execute(tx),
  );
  return {
    automated_response_at: row.rows[0]?.automated_response_at,
    address_comment: fixture.sandbox.state().fortigate.addresses[0]?.comment,
  };
}
