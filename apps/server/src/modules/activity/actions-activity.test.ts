import { createRegistry } from '@airdeck/connector-kit/registry';
import { fortigate } from '@airdeck/connectors/fortigate/fortigate';
import { actionActivitySchema } from '@airdeck/contracts/activity/schema';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Confirm, confirmationHeaders } from '../../http/confirmation.ts';
import type { TenantContext } from '../../http/handlers.ts';
import { createRefusalLog } from '../../http/refusal-log.ts';
import { createActionCatalogue } from '../actions/action-catalogue.ts';
import { caseExists } from '../cases/case-exists.ts';
import { caseReferences } from '../cases/case-references.ts';
import { createConfirmations } from '../confirmations/confirmations-module.ts';
import { createKeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import { playbookRunNotes } from '../playbooks/playbook-runs-repository.ts';
import { blockGuessingAddress } from '../playbooks/starter-playbooks.ts';
import { tenantSettings } from '../settings/settings-module.ts';
import { type ActivityFixture, by, createActivityFixture, type Workspace } from './activity-fixture.ts';
import { createActivityModule } from './activity-module.ts';

const LOOKUP = 'abuseipdb.check_ip';
const BLOCK = 'fortigate.block_address';

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

const post = (body: object, actor = workspace.analyst) =>
  fixture.call(actor, 'POST', `${workspace.soar}/actions_activity`, body);

async function list(query = '', of = workspace) {
  const { status, body } = await fixture.call(of.analyst, 'GET', `${of.soar}/actions_activity?${query}`);
  expect(status).toBe(200);
  return actionActivitySchema.array().parse(body);
}

describe('one action run by hand', () => {
  test('really happens, and says who ran it as what', async () => {
    const done = await workspace.act(BLOCK, { address: '203.0.113.20' });
    expect(done.summary).toMatchObject({ status: 'success', type: 'manual', workflow_instance_id: null });
    expect(done.details).toMatchObject({
      action_input: { address: '203.0.113.20' },
      action_output: { object: 'airdeck-203.0.113.20', changed: true },
      error_info: null,
      context: { adhoc: true, attempt_count: 1, tenant_id: workspace.tenant, workflow_instance_id: null },
    });
    expect(fixture.sandbox.state().fortigate.groups['AIRdeck-Blocked']).toEqual(['airdeck-203.0.113.20']);
    expect(await workspace.auditVerdict()).toMatchObject({ intact: true });
  });

  test('is refused with every path when its input does not fit', async () => {
    const refused = await post({ action_name: BLOCK, action_input: { comment: 5, colour: 'red' } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'ACTION_INPUT_INVALID' } });
    expect((refused.body.details as { path: string }[]).map(({ path }) => path).sort()).toEqual([
      'action_input.address',
      'action_input.colour',
      'action_input.comment',
    ]);
    expect(await list()).toEqual([]);
  });

  test('is not found when there is no such action', async () => {
    for (const action_name of ['fortigate.explode', '__proto__', 'constructor']) {
      expect(await post({ action_name, action_input: {} })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });

  test('needs the role of an analyst', async () => {
    const reader = await workspace.person('ReadOnly');
    const refused = await post({ action_name: BLOCK, action_input: { address: '203.0.113.1' } }, reader);
    expect(refused).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
  });

  test('without a connector ends in an error that says so', async () => {
    const bare = await fixture.createWorkspace({ connectors: false });
    const done = await bare.act(LOOKUP, { ip: '203.0.113.20' });
    expect(done.summary.status).toBe('error');
    expect(done.details.error_info).toEqual({
      code: 'CONNECTOR_UNAVAILABLE',
      message: 'No working AbuseIPDB connector is configured.',
      retryable: false,
    });
  });

  test("cannot use another tenant's connector", async () => {
    const other = await fixture.createWorkspace();
    const foreign = await fixture.db.tenant(other.tenant, (tx) =>
      tx.selectFrom('connector').select('id').where('definition_id', '=', 'abuseipdb').executeTakeFirstOrThrow(),
    );
    for (const connector_id of [foreign.id, v7()]) {
      const body = { action_name: LOOKUP, action_input: { ip: '203.0.113.20' }, connector_id };
      const refused = await fixture.call(workspace.analyst, 'POST', `${workspace.soar}/actions_activity`, body);
      expect(refused).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(fixture.sandbox.state().calls).toEqual([]);
  });

  test('for a case is among its responses and in its story, under the name of who ran it', async () => {
    const { tenant, analyst } = workspace;
    const opened = await fixture.call(analyst, 'POST', `/api/tenants/${tenant}/case`, { alert_name: 'By hand' });
    const case_id = String(opened.body.id);
    const done = await workspace.act(LOOKUP, { ip: '203.0.113.20' }, { case_id });
    expect(done.details.context.case_id).toBe(case_id);
    const found = await workspace.caseReaches(case_id, 'success');
    expect(found.alert_responses).toMatchObject([{ response_name: 'Check IP address', response_type: 'action' }]);
    expect(
      found.activity
        .filter(({ kind }) => /^run_|^action_/.test(kind))
        .map(({ username, text }) => `${username}: ${text}`),
    ).toEqual([
      `${analyst.email}: Started Check IP address`,
      'system: Check IP address succeeded',
      'system: Check IP address finished',
    ]);
    // Done by hand it contains nothing by itself.
    expect(found.activity.some(({ kind }) => kind === 'status_changed')).toBe(false);
  });

  test("cannot be for another tenant's case, nor for one that is not there", async () => {
    const other = await fixture.createWorkspace();
    const path = `/api/tenants/${other.tenant}/case`;
    const { id } = (await fixture.call(other.analyst, 'POST', path, { alert_name: 'Theirs' })).body;
    for (const case_id of [String(id), v7()]) {
      const refused = await post({ action_name: LOOKUP, action_input: { ip: '203.0.113.20' }, case_id });
      expect(refused).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect(await list()).toEqual([]);
    expect((await fixture.call(other.analyst, 'GET', `${path}/${id}`)).body.alert_responses).toEqual([]);
  });

  test('acts with the rights its starter has when it acts', async () => {
    const boss = await workspace.person('Admin');
    const playbookId = await workspace.addPlaybook();
    const runId = await workspace.start(playbookId);
    const waiting = await workspace.runReaches(runId, 'waiting');
    await fixture.db.system((tx) =>
      fixture.server.composition.tenants.addMembership(
        tx,
        { tenant: workspace.tenant, user: workspace.analyst.id, role: 'ReadOnly' },
        by,
      ),
    );
    const prompt = waiting.summary.actions_summary.find(({ prompt_id }) => prompt_id)?.prompt_id;
    const path = `${workspace.soar}/playbook_activity/${runId}/prompt/${prompt}`;
    expect((await fixture.call(boss, 'POST', path, { option: 'block' })).status).toBe(200);
    const failed = await workspace.runReaches(runId, 'error');
    expect(failed.summary.error_info).toEqual({
      code: 'STARTER_NOT_AUTHORISED',
      message: 'Action "block" failed: The person this run acts for may no longer run actions here.',
      retryable: false,
    });
    expect(fixture.sandbox.state().fortigate.addresses).toEqual([]);
    const { status } = await fixture.call(boss, 'GET', `${workspace.soar}/playbook_activity`);
    expect(status).toBe(200);
  });
});

describe("a vendor's refusal has one shape", () => {
  test.each([
    ['unauthorized', 'VENDOR_CREDENTIALS_REFUSED', false],
    ['forbidden', 'VENDOR_PERMISSION_MISSING', false],
    ['rate_limited', 'VENDOR_RATE_LIMITED', true],
    ['unavailable', 'VENDOR_UNAVAILABLE', true],
    ['html', 'VENDOR_ANSWER_UNREADABLE', false],
    ['cut_json', 'VENDOR_ANSWER_UNREADABLE', false],
    ['redirect', 'REDIRECT_REFUSED', false],
  ] as const)('%s → %s', async (kind, code, retryable) => {
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind });
    const done = await workspace.act(LOOKUP, { ip: '203.0.113.20' });
    expect(done.summary.status).toBe('error');
    expect(done.details.error_info).toMatchObject({ code, retryable });
    expect(JSON.stringify(done)).not.toContain('<');
    expect(JSON.stringify(done)).not.toContain(fixture.keys.abuseipdb);
  });

  test('and in a playbook what may pass is tried again, what may not is not', async () => {
    const [lookup] = blockGuessingAddress.actions;
    if (lookup?.kind !== 'action') throw new Error('The playbook begins with a lookup.');
    const once = { ...lookup, retry: { max_attempts: 3, backoff_s: 0.1 }, on_error: 'fail' as const };
    const playbookId = await workspace.addPlaybook({ ...blockGuessingAddress, actions: [once], outputs: {} });
    const attempts = async () => (await list('type=playbook'))[0]?.details.context.attempt_count;

    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'unavailable', times: 2 });
    await workspace.runReaches(await workspace.start(playbookId), 'success');
    expect(await attempts()).toBe(3);
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'unauthorized', times: 2 });
    await workspace.runReaches(await workspace.start(playbookId), 'error');
    expect(await attempts()).toBe(1);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    await workspace.act(LOOKUP, { ip: '203.0.113.20' });
    await workspace.act(BLOCK, { address: '203.0.113.20' });
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'html' });
    await workspace.act(LOOKUP, { ip: '203.0.113.21' });
    const runId = await workspace.start(await workspace.addPlaybook());
    await workspace.runReaches(runId, 'waiting');
  });
  const shown = async (query: string) =>
    (await list(query)).map(({ summary }) => `${summary.type} ${summary.action_name} ${summary.status}`);

  test('shows newest first, of playbooks and by hand, filtered by type, status and name', async () => {
    const byHand = [`manual ${LOOKUP} error`, `manual ${BLOCK} success`, `manual ${LOOKUP} success`];
    const ofPlaybook = [`workflow ${LOOKUP} success`];
    expect(await shown('')).toEqual([...ofPlaybook, ...byHand]);
    expect(await shown('type=playbook')).toEqual(ofPlaybook);
    expect(await shown('type=workflow')).toEqual(ofPlaybook);
    expect(await shown('type=standalone')).toEqual(byHand);
    expect(await shown('type=adhoc')).toEqual(byHand);
    expect(await shown('status=error')).toEqual([`manual ${LOOKUP} error`]);
    expect(await shown('status=error,pending')).toEqual([`manual ${LOOKUP} error`]);
    expect(await shown('q=BLOCK')).toEqual([`manual ${BLOCK} success`]);
    expect(await shown('q=_')).toHaveLength(4);
    expect(await shown('q=%25')).toEqual([]);
  });

  test('finds an action by the name people see, by its id read as words, and by nothing else', async () => {
    const lookups = [`workflow ${LOOKUP} success`, `manual ${LOOKUP} error`, `manual ${LOOKUP} success`];
    expect(await shown('q=check%20IP')).toEqual(lookups);
    expect(await shown('q=abuseipdb%20check')).toEqual(lookups);
    expect(await shown('q=check%20IP&status=error')).toEqual([`manual ${LOOKUP} error`]);
    expect(await shown('q=block%20ADDRESS')).toEqual([`manual ${BLOCK} success`]);
    expect(await shown('q=nothing%20like%20it')).toEqual([]);
  });

  test('holds the runs of exactly one action when its id is named', async () => {
    expect(await shown(`action=${BLOCK}`)).toEqual([`manual ${BLOCK} success`]);
    expect(await shown('action=block')).toEqual([]);
  });

  test('is paged from 1 until a page is empty', async () => {
    const pages = [await shown('page=1&limit=3'), await shown('page=2&limit=3'), await shown('page=3&limit=3')];
    expect(pages.map((page) => page.length)).toEqual([3, 1, 0]);
    expect(pages.flat()).toEqual(await shown(''));
    const zero = await fixture.call(workspace.analyst, 'GET', `${workspace.soar}/actions_activity?page=0`);
    expect(zero).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  test('holds nothing of another tenant, and neither does the detail', async () => {
    const other = await fixture.createWorkspace({ connectors: false });
    expect(await list('', other)).toEqual([]);
    const id = (await list())[0]?.details.context.action_uuid;
    const foreign = await fixture.call(other.analyst, 'GET', `${other.soar}/actions_activity/${id}`);
    expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

describe('an action that destroys', () => {
  const wipe = {
    ...fortigate.actions[0],
    action_id: 'fortigate.wipe',
    friendly_name: 'Wipe everything',
    effect: 'destroys',
    idempotent: false,
    input_schema: { type: 'object', additionalProperties: false },
  } as (typeof fortigate.actions)[number];

  /** The module as composed, on a registry that has such an action: the shipped ones have none yet. */
  function startWith(headers: Record<string, string>, input = {}) {
    const { db, work, server } = fixture;
    const actions = createActionCatalogue(createRegistry([{ ...fortigate, actions: [wipe] }]));
    const { tenantName } = server.composition.tenants;
    const now = () => new Date();
    const { handlers } = createActivityModule({
      ...work,
      playbookRuns: playbookRunNotes,
      changes: server.composition.changes,
      links: { read: async () => undefined },
      roleOf: async () => 'Analyst',
      playbooks: work.playbooks,
      db,
      traitsOf: actions.traits,
      actions,
      audit: server.composition.audit,
      settings: tenantSettings,
      keyedAnswers: createKeyedAnswers({ db, secret: 'for tests', now }),
      tenantName,
      ...{ caseExists, caseReferences },
      runsKeptDays: 400,
      ids: v7,
      now,
    });
    const { id: userId, email: username } = workspace.analyst;
    const caller = { userId, username, fullname: username, homeTenant: workspace.tenant, via: 'session' as const };
    const refusals = createRefusalLog({ db, audit: server.composition.audit, now, log: pino({ level: 'silent' }) });
    const confirmations = createConfirmations({ db, refusals, now });
    const asked = { caller, tenant: workspace.tenant, routeId: 'actions-activity.start', requestId: 'r' };
    const confirm: Confirm = (question) =>
      confirmations.confirm({ ...asked, headers: confirmationHeaders(headers), question });
    const raw = { request: { headers } };
    const context = { caller, scope: workspace.scope, role: 'Analyst', requestId: 'r', raw, confirm };
    const body = { action_name: 'fortigate.wipe', action_input: input };
    const params = { tenant: workspace.tenant };
    return handlers['actions-activity.start']({ params, body, query: undefined }, context as unknown as TenantContext);
  }

  const confirmed = { 'x-air-confirm': 'true' };

  test('does not start before the question was asked, whatever the header says', async () => {
    for (const headers of [confirmed, {}, { 'x-air-confirm': 'yes' }] as Record<string, string>[]) {
      // Each asks anew: a header without a question before it confirms nothing.
      await fixture.db.system((tx) => tx.deleteFrom('confirmation').execute());
      await expect(startWith(headers)).rejects.toMatchObject({
        code: 'CONFIRMATION_REQUIRED',
        status: 449,
        confirm: { title: 'Run Wipe everything?', action_label: 'Run' },
      });
    }
    expect(await list()).toEqual([]);
  });

  test('starts with it', async () => {
    await startWith({}).catch(() => undefined);
    const started = await startWith(confirmed);
    expect(started).toMatchObject({ summary: { action_name: 'fortigate.wipe' } });
    expect(await list()).toHaveLength(1);
  });
});
