import { synchronousActionResultSchema } from '@airdeck/contracts/actions/schema';
import { actionActivitySchema } from '@airdeck/contracts/activity/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ActivityFixture, createActivityFixture, type Workspace } from './activity-fixture.ts';

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

const post = (path: string, body?: object, headers = {}, actor = workspace.analyst) =>
  fixture.call(actor, 'POST', `${workspace.soar}/${path}`, body, headers);
const list = async (at = workspace) =>
  actionActivitySchema.array().parse((await fixture.call(at.analyst, 'GET', `${at.soar}/actions_activity`)).body);
const callsOf = (vendor: string) => fixture.sandbox.state().calls.filter((call) => call.vendor === vendor);
const lookup = { action_name: LOOKUP, action_input: { ip: '203.0.113.7' }, connector_id: null };
const block = { action_name: BLOCK, action_input: { address: '203.0.113.7' }, connector_id: null };

async function settles(id: string) {
  return await vi.waitFor(
    async () => {
      const { body } = await fixture.call(workspace.analyst, 'GET', `${workspace.soar}/actions_activity/${id}`);
      const action = actionActivitySchema.parse(body);
      expect(['success', 'error', 'cancelled']).toContain(action.summary.status);
      return action;
    },
    { timeout: 30_000 },
  );
}

describe('an action somebody waits for', () => {
  test('that reads answers with its output and leaves no run', async () => {
    const done = synchronousActionResultSchema.parse((await post('synchronous_action', lookup)).body);
    expect(done).toMatchObject({ action_name: LOOKUP, action_uuid: null, action_output: { ip: '203.0.113.7' } });
    expect(await list()).toEqual([]);
  });

  test('is for an Analyst; a reader is only given what the screens of log management read', async () => {
    const reader = await workspace.person('ReadOnly');
    const ask = (action_name: string) =>
      post('synchronous_action', { action_name, action_input: {}, connector_id: null }, {}, reader);
    expect(await post('synchronous_action', lookup, {}, reader)).toMatchObject({
      status: 403,
      body: { code: 'ROLE_TOO_LOW' },
    });
    for (const name of ['graylog.disable_event_definition', 'graylog.search_messages', 'no.such_action']) {
      expect(await ask(name), name).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
    }
    // Let in, and told that there is no Graylog here.
    for (const name of ['graylog.get_event_definitions', 'graylog.get_triggered_alerts']) {
      expect(await ask(name), name).toMatchObject({ status: 409, body: { code: 'CONNECTOR_UNAVAILABLE' } });
    }
    expect(fixture.sandbox.state().calls).toEqual([]);
  });

  test('that changes something is a run like any other, audited and listed', async () => {
    const done = synchronousActionResultSchema.parse((await post('synchronous_action', block)).body);
    expect(done.action_output).toMatchObject({ address: '203.0.113.7', changed: true });
    expect((await list()).map(({ details }) => details.context.action_uuid)).toEqual([done.action_uuid]);
    expect(await workspace.auditVerdict()).toMatchObject({ intact: true });
  });

  test.each([
    ['unauthorized', 502, 'ACTION_FAILED', 'VENDOR_CREDENTIALS_REFUSED'],
    ['rate_limited', 502, 'ACTION_FAILED', 'VENDOR_RATE_LIMITED'],
    ['html', 502, 'ACTION_FAILED', 'VENDOR_ANSWER_UNREADABLE'],
    ['redirect', 502, 'ACTION_FAILED', 'REDIRECT_REFUSED'],
  ] as const)('answers a vendor that is %s with %s', async (kind, status, code, vendorCode) => {
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind });
    const refused = await post('synchronous_action', lookup);
    expect(refused).toMatchObject({ status, body: { code, details: [{ path: 'code', message: vendorCode }] } });
    expect(JSON.stringify(refused.body)).not.toContain(fixture.keys.abuseipdb);
  });

  test('is refused before anything is called when it cannot run', async () => {
    const wrong = [
      [{ ...lookup, action_name: 'abuseipdb.nothing' }, 404, 'NOT_FOUND'],
      [{ ...lookup, action_input: { ip: 7 } }, 400, 'ACTION_INPUT_INVALID'],
      [{ ...lookup, connector_id: '018f0000-0000-7000-8000-000000000000' }, 404, 'NOT_FOUND'],
    ] as const;
    for (const [body, status, code] of wrong) {
      expect(await post('synchronous_action', body)).toMatchObject({ status, body: { code } });
    }
    const bare = await fixture.createWorkspace({ connectors: false });
    const none = await fixture.call(bare.analyst, 'POST', `${bare.soar}/synchronous_action`, lookup);
    expect(none).toMatchObject({ status: 409, body: { code: 'CONNECTOR_UNAVAILABLE' } });
    const reader = await workspace.person('ReadOnly');
    expect(await post('synchronous_action', lookup, {}, reader)).toMatchObject({ status: 403 });
    expect(fixture.sandbox.state().calls).toEqual([]);
  });

  test('takes no more at once than its share', async () => {
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'slow', delay_ms: 3_000, times: 40 });
    const answers = await Promise.all(Array.from({ length: 40 }, () => post('synchronous_action', lookup)));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 429]);
    expect(callsOf('abuseipdb').length).toBeLessThan(40);
    fixture.sandbox.reset();
    expect((await post('synchronous_action', lookup)).status).toBe(200);
  });
});

describe('a key that says it is the same request', () => {
  const keyed = { 'idempotency-key': 'block-once' };

  test('makes fifty parallel starts one effect', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('actions_activity', block, keyed)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const ids = answers.map(({ body }) => actionActivitySchema.parse(body).details.context.action_uuid);
    expect(new Set(ids).size).toBe(1);
    await settles(ids[0] ?? '');
    expect(await list()).toHaveLength(1);
    const created = callsOf('fortigate').filter(
      ({ method, path }) => method === 'POST' && /\/address(\?|$)/.test(path),
    );
    expect(created).toHaveLength(1);
  });

  test('is refused with another body, and is another key for another person and tenant', async () => {
    expect((await post('actions_activity', block, keyed)).status).toBe(202);
    const other = { ...block, action_input: { address: '203.0.113.8' } };
    expect(await post('actions_activity', other, keyed)).toMatchObject({
      status: 422,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const colleague = await workspace.person('Analyst');
    expect((await post('actions_activity', other, keyed, colleague)).status).toBe(202);
    const elsewhere = await fixture.createWorkspace();
    const there = await fixture.call(elsewhere.analyst, 'POST', `${elsewhere.soar}/actions_activity`, other, keyed);
    expect(there.status).toBe(202);
    expect(await list()).toHaveLength(2);
  });

  test.each([
    ['actions_activity', 'in the background'],
    ['synchronous_action', 'and waited for'],
  ])('at %s is answered as before although what it asked for is gone by now', async (path) => {
    const { db } = fixture;
    const { tenant } = workspace;
    const firewall = await db.tenant(tenant, (tx) =>
      tx.selectFrom('connector').select('id').where('definition_id', '=', 'fortigate').executeTakeFirstOrThrow(),
    );
    const asked = { ...block, connector_id: firewall.id };
    const first = await post(path, asked, keyed);
    expect(first.status).toBeLessThan(300);
    await vi.waitFor(async () => expect((await list())[0]?.summary.status).toBe('success'), { timeout: 30_000 });
    await db.tenant(tenant, (tx) => tx.deleteFrom('connector').where('id', '=', firewall.id).execute());
    expect(await post(path, asked, { 'idempotency-key': 'another' })).toMatchObject({ status: 404 });
    const again = await post(path, asked, keyed);
    expect(again.status).toBe(first.status);
    expect(await list()).toHaveLength(1);
    expect(await post(path, { ...asked, connector_id: null }, keyed)).toMatchObject({ status: 422 });
  });

  test.each(['', 'x'.repeat(201)])('must be a key', async (key) => {
    expect(await post('actions_activity', block, { 'idempotency-key': key })).toMatchObject({ status: 400 });
  });
});

describe('an action for later', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  test('waits, is seen while it waits, and can be cancelled', async () => {
    const time_scheduled = inAnHour();
    const started = actionActivitySchema.parse((await post('actions_activity', { ...lookup, time_scheduled })).body);
    expect(started).toMatchObject({ summary: { status: 'pending' }, details: { context: { time_scheduled } } });
    expect(await list()).toMatchObject([{ summary: { status: 'pending' } }]);
    expect(fixture.sandbox.state().calls).toEqual([]);
    const id = started.details.context.action_uuid;
    const cancelled = await post(`actions_activity/${id}/cancel`);
    expect(cancelled).toMatchObject({ status: 202, body: { summary: { status: 'cancelled' } } });
    expect(await post(`actions_activity/${id}/cancel`)).toMatchObject({ status: 409, body: { code: 'RUN_FINISHED' } });
  });

  test('runs at its time', async () => {
    const time_scheduled = new Date(Date.now() + 700).toISOString();
    const { body } = await post('actions_activity', { ...lookup, time_scheduled });
    const started = actionActivitySchema.parse(body);
    expect(started.summary.status).toBe('pending');
    const done = await settles(started.details.context.action_uuid);
    expect(done).toMatchObject({ summary: { status: 'success' }, details: { context: { time_scheduled } } });
    expect(Date.parse(done.summary.time_updated)).toBeGreaterThanOrEqual(Date.parse(time_scheduled));
  });

  test('asked for again under its key once its time has come is the one that was started', async () => {
    const time_scheduled = new Date(Date.now() + 300).toISOString();
    const ask = async () =>
      await post('actions_activity', { ...lookup, time_scheduled }, { 'idempotency-key': 'asked twice' });
    const first = actionActivitySchema.parse((await ask()).body);
    await settles(first.details.context.action_uuid);
    const again = actionActivitySchema.parse((await ask()).body);
    expect(again.details.context.action_uuid).toBe(first.details.context.action_uuid);
    expect(callsOf('abuseipdb')).toHaveLength(1);
  });

  test('is not taken for a time years away', async () => {
    const time_scheduled = new Date(Date.now() + 400 * 24 * 3_600_000).toISOString();
    expect(await post('actions_activity', { ...lookup, time_scheduled })).toMatchObject({ status: 400 });
  });
});

describe('running once more', () => {
  test('repeats what failed, as a new run with the same input', async () => {
    fixture.sandbox.disturb({ vendor: 'abuseipdb', kind: 'unavailable' });
    const failed = await workspace.act(LOOKUP, { ip: '203.0.113.9' });
    expect(failed.summary.status).toBe('error');
    const again = await post(`actions_activity/${failed.details.context.action_uuid}/retry`);
    expect(again.status).toBe(202);
    const { details } = actionActivitySchema.parse(again.body);
    expect(details.context.action_uuid).not.toBe(failed.details.context.action_uuid);
    expect(await settles(details.context.action_uuid)).toMatchObject({
      summary: { status: 'success' },
      details: { action_input: { ip: '203.0.113.9' } },
    });
    const refused = await post(`actions_activity/${details.context.action_uuid}/retry`);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  test('of an action of a playbook or of another tenant is refused', async () => {
    const runId = await workspace.start(await workspace.addPlaybook());
    await workspace.runReaches(runId, 'waiting');
    const id = (await list())[0]?.details.context.action_uuid;
    for (const verb of ['retry', 'cancel']) {
      expect(await post(`actions_activity/${id}/${verb}`)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      const other = await fixture.createWorkspace({ connectors: false });
      const foreign = await fixture.call(other.analyst, 'POST', `${other.soar}/actions_activity/${id}/${verb}`);
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });
});
