import {
  connectionTestSchema,
  connectorHealthSchema,
  connectorSchema,
  connectorSummarySchema,
  connectorValidationSchema,
} from '@airdeck/contracts/connectors/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import { integrationDetailSchema, integrationSchema } from '@airdeck/contracts/integrations/schema';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Actor } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { type ActivityFixture, by, createActivityFixture, type Workspace } from '../activity/activity-fixture.ts';
import { connectorCalls } from './connector-calls-fixture.ts';
import { jobKindOf } from './connector-work.ts';

let fixture: ActivityFixture;
let workspace: Workspace;
let manager: Actor;

beforeAll(async () => {
  fixture = await createActivityFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  // What was connected before is tested in the background, and its calls are not to be counted here.
  await expect.poll(testsUnderWay).toBe(0);
  fixture.sandbox.reset();
  workspace = await fixture.createWorkspace({ connectors: false });
  manager = await workspace.person('SystemManager');
});

async function testsUnderWay(): Promise<number> {
  const { rows } = await fixture.server.stores.database.system((tx) =>
    sql<{ jobs: number }>`
      select count(*)::int as jobs from engine.job
      where kind = ${jobKindOf.test} and state in ('available', 'leased')`.execute(tx),
  );
  return rows[0]?.jobs ?? 0;
}

const { call, reputation, create, get, reaches } = connectorCalls(() => ({ fixture, workspace, manager }));

async function audited(): Promise<{ action: string; outcome: string; data: unknown }[]> {
  const admin = await workspace.person('Admin');
  const { body } = await call('GET', 'audit', undefined, { actor: admin });
  return (body.records as { action: string; outcome: string; data: unknown }[]).map(({ action, outcome, data }) => ({
    action,
    outcome,
    data,
  }));
}

describe('the catalogue', () => {
  test('lists visible integrations with their schemas and actions, for everybody signed in', async () => {
    const reader = await workspace.person('ReadOnly');
    const { body } = await call('GET', 'available_integrations', undefined, { actor: reader });
    const integrations = z.array(integrationSchema).parse(body);
    expect(integrations.every(({ visible }) => visible)).toBe(true);
    const found = integrations.find(({ id }) => id === 'abuseipdb');
    expect(found).toMatchObject({ vendor: 'AbuseIPDB', can_test_connection: true, can_fetch_events: false });
    expect(found?.actions).toContain('abuseipdb.check_ip');
    expect(integrations.map(({ id }) => id)).not.toContain('ingestion');
    const one = await call('GET', 'available_integrations/abuseipdb');
    const { setup, ...rest } = integrationDetailSchema.parse(one.body);
    expect(rest).toEqual(found);
    expect(setup.steps.length).toBeGreaterThan(0);
    const firewall = integrationDetailSchema.parse((await call('GET', 'available_integrations/fortigate')).body);
    expect(firewall.setup.steps[0]).toContain('REST API administrator');
    expect(firewall.setup.unconfirmed).not.toEqual([]);
    expect(await call('GET', 'available_integrations/nothing')).toMatchObject({ status: 404 });
  });
});

describe('a connector', () => {
  test('is tried as soon as it is saved and shows that it works', async () => {
    const created = await create();
    expect(created).toMatchObject({ state: 'pending', default: true, enabled: true, last_successful_connection: null });
    await reaches(created.id, 'active');
    const now = await get(created.id);
    expect(now).toMatchObject({ test_connection_status: 'success', test_connection_message: 'The key works.' });
    expect(now).not.toHaveProperty('test_connection_told');
    expect(now.last_successful_connection).toBe(now.test_connection_time);
    expect(now.last_updated).toBe(created.last_updated);
    const health = connectorHealthSchema.parse((await call('GET', `connectors/${created.id}/health`)).body);
    expect(health.tests).toMatchObject([{ kind: 'test', by: 'schedule', status: 'success', code: null }]);
    expect(health.schedule.test.next_at).not.toBeNull();
    expect(health.schedule.events.next_at).toBeNull();
  });

  test('with a wrong key shows why it does not work, and waits long before it knocks again', async () => {
    const wrong = { ...reputation().config, api_key: 'wrong-key' };
    const created = await create(reputation({ config: wrong }));
    await reaches(created.id, 'error');
    const { test_connection_message: message, test_connection_told: told } = await get(created.id);
    expect(message).toContain('refused the credentials');
    const ours = { reason: 'VENDOR_CREDENTIALS_REFUSED', values: { vendor: 'AbuseIPDB' } };
    expect(told).toMatchObject(ours);
    const health = connectorHealthSchema.parse((await call('GET', `connectors/${created.id}/health`)).body);
    expect(health.tests[0]).toMatchObject({ status: 'error', code: 'VENDOR_CREDENTIALS_REFUSED', ...ours });
    expect(health.failing_since).not.toBeNull();
    expect(Date.parse(health.schedule.test.next_at ?? '')).toBeGreaterThan(Date.now() + 20 * 60_000);
    await call('PATCH', `connectors/${created.id}`, { config: { api_key: fixture.keys.abuseipdb } });
    await reaches(created.id, 'active');
  });

  test('shows its secret to nobody: only that and when it was set', async () => {
    const created = await create();
    expect(created.config).toEqual({
      base_url: `${fixture.sandbox.url}/abuseipdb`,
      api_key: { $secret: true, set_at: expect.any(String) },
    });
    const listed = await call('GET', 'connectors');
    const [summary] = z.array(connectorSummarySchema).parse(listed.body);
    expect(summary).toMatchObject({ id: created.id, actions: ['abuseipdb.check_ip'], events_24h: 0 });
    expect(listed.text).not.toContain('config');
  });

  test('keeps its secret when the mask comes back, replaces it when another one does', async () => {
    const created = await create();
    const same = await call('PUT', 'connectors', {
      ...reputation({ name: 'Renamed' }),
      id: created.id,
      config: created.config,
      last_updated: created.last_updated,
    });
    const renamed = connectorSchema.parse(same.body);
    expect(renamed).toMatchObject({ name: 'Renamed', config: created.config });
    const tested = await call('POST', `connectors/${created.id}/test`);
    expect(connectionTestSchema.parse(tested.body).status).toBe('success');
    const rotated = await call('PATCH', `connectors/${created.id}`, { config: { api_key: 'another-key' } });
    expect(rotated.status).toBe(200);
    const again = await call('POST', `connectors/${created.id}/test`);
    expect(connectionTestSchema.parse(again.body)).toMatchObject({ status: 'error' });
  });

  test('cannot send a kept secret to another host: it must be entered again, and the attempt is audited', async () => {
    const created = await create();
    const config = { ...created.config, base_url: 'https://attacker.example' };
    for (const attempt of [
      () => call('PATCH', `connectors/${created.id}`, { config: { base_url: 'https://attacker.example' } }),
      () => call('PUT', 'connectors', { ...reputation(), id: created.id, config, last_updated: created.last_updated }),
    ]) {
      const refused = await attempt();
      expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(refused.body.message).toContain('must be entered again');
      expect(refused.body.details).toContainEqual({
        path: 'config.api_key',
        message: expect.stringContaining('is not sent anywhere else'),
        reason: 'CONNECTOR_SECRET_MOVED',
        values: { host: expect.any(String) },
      });
    }
    const validation = await call('POST', 'validate_connector_configuration', {
      definition_id: 'abuseipdb',
      connector_id: created.id,
      config,
    });
    expect(connectorValidationSchema.parse(validation.body)).toMatchObject({
      valid: false,
      test: { status: 'skipped' },
    });
    expect((await get(created.id)).config).toEqual(created.config);
    expect((await audited()).filter(({ outcome }) => outcome === 'refused')).toHaveLength(3);
  });

  test.each([
    ['a field the integration does not know', { colour: 'red' }, 'config.colour'],
    ['another scheme', { base_url: 'ftp://vendor.example' }, 'config.base_url'],
    ['a port beyond 65535', { base_url: 'https://192.0.2.1:99999' }, 'config.base_url'],
    ['an IPv6 address of nine groups', { base_url: 'https://[1:2:3:4:5:6:7:8:9]' }, 'config.base_url'],
    ['credentials in the address', { base_url: 'https://user:pw@vendor.example' }, 'config.base_url'],
    ['a key of a megabyte', { api_key: 'x'.repeat(900_000) }, 'config.api_key'],
    ['a number for a key', { api_key: 7 }, 'config.api_key'],
    ['no key', { api_key: '' }, 'config.api_key'],
    ['a mask with nothing behind it', { api_key: { $secret: true } }, 'config.api_key'],
  ])('is refused with %s, naming the field', async (_what, wrong, path) => {
    const refused = await call('PUT', 'connectors', reputation({ config: { ...reputation().config, ...wrong } }));
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(refused.body.details.map((detail: { path: string }) => detail.path)).toContain(path);
    expect(refused.text).not.toContain(fixture.keys.abuseipdb);
    expect((await call('GET', 'connectors')).body).toEqual([]);
  });

  test.each([
    ['tenant of somebody else', { tenant: '018f0000-0000-7000-8000-000000000000' }, 'TENANT_MISMATCH'],
    ['events it does not offer', { events_enabled: true }, 'VALIDATION_FAILED'],
    ['integration that is not there', { definition_id: 'nothing' }, 'NOT_FOUND'],
  ])('takes no %s from a client', async (_what, more, code) => {
    expect((await call('PUT', 'connectors', reputation(more))).body).toMatchObject({ code });
    expect((await call('GET', 'connectors')).body).toEqual([]);
  });

  test.each([
    ['state', { state: 'active' }],
    ['test result', { test_connection_status: 'success' }],
    ['last connection', { last_successful_connection: '2026-01-01T00:00:00.000Z' }],
  ])('believes no %s of a client', async (_what, claim) => {
    const { state, test_connection_status, last_successful_connection } = await create(reputation(claim));
    expect({ state, test_connection_status, last_successful_connection }).toEqual({
      ...{ state: 'pending', test_connection_status: null, last_successful_connection: null },
    });
  });

  test('can be sent back as it was read, and what the product says of it is not taken from there', async () => {
    const { id } = await create();
    await reaches(id, 'active');
    const read = await get(id);
    const answer = await call('PUT', 'connectors', { ...read, name: 'Renamed' });
    expect(answer, answer.text).toMatchObject({ status: 200 });
    const claims = { state: 'error', events_24h: 99, actions: ['nothing'], test_connection_message: 'A lie.' };
    const { last_updated } = connectorSchema.parse(answer.body);
    expect((await call('PUT', 'connectors', { ...read, ...claims, last_updated })).status).toBe(200);
    await reaches(id, 'active');
    const { events_24h, actions, test_connection_message } = await get(id);
    expect({ events_24h, actions, test_connection_message }).toEqual({
      events_24h: read.events_24h,
      actions: read.actions,
      test_connection_message: read.test_connection_message,
    });
  });

  test('keeps the first of two changes made from the same reading', async () => {
    const created = await create();
    const change = (name: string, last_updated?: string) =>
      call('PUT', 'connectors', { ...reputation({ name }), config: created.config, id: created.id, last_updated });
    expect((await change('No version')).body).toMatchObject({ code: 'CONFLICT' });
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => change(`Name ${n}`, created.last_updated)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    const stale = await call('PATCH', `connectors/${created.id}`, { name: 'x', last_updated: created.last_updated });
    expect(stale.body).toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'body.last_updated', reason: 'FIELD_DIFFERENT_NOW' }],
    });
  });

  test('is created once by twenty equal calls with one key, and a key is not used for another', async () => {
    const headers = { 'idempotency-key': 'set-up-1' };
    const made = await Promise.all(Array.from({ length: 20 }, () => create(reputation(), headers)));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await call('GET', 'connectors')).body).toHaveLength(1);
    const others = [
      { name: 'Other' },
      { enabled: false },
      { default: false },
      { config: { ...reputation().config, api_key: 'another-key' } },
      { config: { ...reputation().config, base_url: 'https://abuse.example' } },
      { config: { base_url: reputation().config.base_url } },
    ];
    for (const more of others) {
      const other = await call('PUT', 'connectors', reputation(more), { headers });
      expect(other, JSON.stringify(more)).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    }
    expect(await get(made[0]?.id ?? '')).toMatchObject({ name: 'Reputation', enabled: true, default: true });
    // What was refused changed nothing, and the first request is still answered.
    expect((await create(reputation(), headers)).id).toBe(made[0]?.id);
    expect((await audited()).filter(({ action }) => action.startsWith('connector.'))).toHaveLength(1);
  });

  test.each([
    ['a line break', 'key\r\nx-injected: 1'],
    ['a control character', 'key\u0001'],
    ['letters beyond Latin', 'пароль-€'],
    ['a null', 'key\u0000'],
  ])(
    'saved with a secret no header can carry (%s) fails at once and says so, whether asked to read or to act',
    async (_what, secret) => {
      // Saving refuses such a secret now; some may be stored already.
      const save = (definitionId: string, config: JsonObject) => {
        const { stores, composition } = fixture.server;
        const scope = trustedTenantScope(workspace.tenant);
        return stores.database.tenant(workspace.tenant, (tx) =>
          composition.work.connectors.create(tx, scope, { definitionId, name: definitionId, config }, by),
        );
      };
      const reading = await save('abuseipdb', { ...reputation().config, api_key: secret });
      const acting = await save('fortigate', { base_url: `${fixture.sandbox.url}/fortigate`, api_token: secret });
      const run = (action_name: string, action_input: object, connector_id: string) =>
        call('POST', 'soar/synchronous_action', { action_name, action_input, connector_id });
      const answers = await Promise.all([
        run('abuseipdb.check_ip', { ip: '203.0.113.9' }, reading),
        run('fortigate.block_address', { address: '203.0.113.9' }, acting),
      ]);
      for (const answer of answers) {
        expect(answer, answer.text).toMatchObject({ status: 502, body: { code: 'ACTION_FAILED' } });
        expect(answer.text).not.toContain(JSON.stringify(secret).slice(1, -1));
      }
      const received = JSON.stringify(fixture.sandbox.state().calls);
      expect(received).not.toContain('x-injected');
    },
  );

  test('has a name of its own, and one of an integration is the default', async () => {
    const first = await create();
    expect((await call('PUT', 'connectors', reputation({ name: 'REPUTATION' }))).body).toMatchObject({
      code: 'CONFLICT',
      details: [{ path: 'name', message: 'There is already a connector named "REPUTATION".' }],
    });
    const second = await create(reputation({ name: 'Second', default: true }));
    expect(second.default).toBe(true);
    expect((await get(first.id)).default).toBe(false);
    const without = await call('PATCH', `connectors/${second.id}`, { default: false });
    expect(without.body).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path: 'default' }] });
    await call('DELETE', `connectors/${second.id}`);
    await call('DELETE', `connectors/${second.id}`, undefined, { headers: { 'x-air-confirm': 'true' } });
    expect((await get(first.id)).default).toBe(true);
  });

  test('does nothing while it is paused, and goes on when it is resumed', async () => {
    const { id } = await create();
    await reaches(id, 'active');
    const paused = connectorSchema.parse((await call('POST', `connectors/${id}/pause`)).body);
    expect(paused).toMatchObject({ state: 'paused', enabled: false });
    const health = connectorHealthSchema.parse((await call('GET', `connectors/${id}/health`)).body);
    expect(health.schedule.test.next_at).toBeNull();
    const run = await workspace.act('abuseipdb.check_ip', { ip: '203.0.113.9' });
    expect(run.details.error_info?.code).toBe('CONNECTOR_UNAVAILABLE');
    // Renaming it does not wake it.
    await call('PATCH', `connectors/${id}`, { name: 'Asleep' });
    expect(await get(id)).toMatchObject({ state: 'paused', name: 'Asleep' });
    await call('POST', `connectors/${id}/resume`);
    await reaches(id, 'active');
    const actions = (await audited()).map(({ action }) => action);
    expect(actions).toEqual(
      expect.arrayContaining(['connector.create', 'connector.pause', 'connector.update', 'connector.resume']),
    );
  });

  test('is deleted only after the question, which names what uses it', async () => {
    const { id } = await create();
    const playbook = {
      ...(await import('../playbooks/starter-playbooks.ts')).blockGuessingAddress,
    };
    const actions = playbook.actions.map((action) =>
      action.kind === 'action' ? { ...action, connector_id: id } : action,
    );
    await workspace.addPlaybook({ ...playbook, actions });
    const asked = await call('DELETE', `connectors/${id}`);
    expect(asked).toMatchObject({
      status: 449,
      body: { confirm: { title: 'Delete Reputation?', action_label: 'Delete' } },
    });
    expect(asked.body.confirm.text).toContain(playbook.metadata.name);
    expect((await get(id)).id).toBe(id);
    const gone = await call('DELETE', `connectors/${id}`, undefined, { headers: { 'x-air-confirm': 'true' } });
    expect(gone.status).toBe(204);
    expect(await call('GET', `connectors/${id}`)).toMatchObject({ status: 404 });
  });

  test('of another tenant is not found, whatever is done with it', async () => {
    const { id } = await create();
    workspace = await fixture.createWorkspace({ connectors: false });
    manager = await workspace.person('SystemManager');
    for (const [method, path, body] of [
      ['GET', `connectors/${id}`],
      ['GET', `connectors/${id}/health`],
      ['PATCH', `connectors/${id}`, { name: 'Mine' }],
      ['PUT', 'connectors', { ...reputation(), id, last_updated: new Date().toISOString() }],
      ['DELETE', `connectors/${id}`],
      ['POST', `connectors/${id}/test`],
      ['POST', `connectors/${id}/pause`],
      ['POST', 'validate_connector_configuration', { definition_id: 'abuseipdb', config: {}, connector_id: id }],
    ] as const) {
      expect(await call(method, path, body), `${method} ${path}`).toMatchObject({ status: 404 });
    }
    expect((await call('GET', 'connectors')).body).toEqual([]);
  });
});

describe('validating', () => {
  const validate = async (body: object) =>
    connectorValidationSchema.parse((await call('POST', 'validate_connector_configuration', body)).body);

  test('tests without saving anything', async () => {
    const { definition_id, config } = reputation();
    const good = await validate({ definition_id, config });
    expect(good).toMatchObject({ valid: true, errors: [], test: { status: 'success', message: 'The key works.' } });
    const bad = await validate({ definition_id, config: { ...config, api_key: 'wrong-key' } });
    expect(bad).toMatchObject({ valid: true, test: { status: 'error' } });
    expect(JSON.stringify(bad)).not.toContain('wrong-key');
    expect((await call('GET', 'connectors')).body).toEqual([]);
  });

  test('while somebody types calls nobody', async () => {
    const { definition_id, config } = reputation();
    expect(await validate({ definition_id, config, test: false })).toMatchObject({
      valid: true,
      test: { status: 'skipped' },
    });
    expect(await validate({ definition_id, config: {} })).toMatchObject({
      valid: false,
      errors: [{ path: 'config.api_key', message: 'is missing' }],
    });
    expect(fixture.sandbox.state().calls).toEqual([]);
  });

  test('refuses a secret no header can carry before it is tried, and so does saving', async () => {
    const whole = reputation();
    for (const api_key of ['key-1\n', 'key-1\r\nX-Other: 1', ' key-1', 'schlüssel-ключ']) {
      const config = { ...whole.config, api_key };
      const problem = { path: 'config.api_key', message: expect.stringContaining('no request can carry') };
      expect(await validate({ definition_id: whole.definition_id, config })).toMatchObject({
        ...{ valid: false, errors: [problem], test: { status: 'skipped' } },
      });
      const saved = await call('PUT', 'connectors', { ...whole, config });
      expect(saved).toMatchObject({ status: 400, body: { details: [problem] } });
      expect(JSON.stringify(saved.body)).not.toContain('key-1');
    }
    expect(fixture.sandbox.state().calls).toEqual([]);
  });

  test('reaches no forbidden address', async () => {
    const { definition_id, config } = reputation();
    for (const base_url of [
      'http://127.0.0.1:1',
      'http://169.254.169.254',
      'http://[::ffff:10.0.0.1]',
      'http://2130706433',
    ]) {
      const { test: result } = await validate({ definition_id, config: { ...config, base_url } });
      expect(result).toMatchObject({ status: 'error' });
      expect(result.message).not.toContain(fixture.keys.abuseipdb);
    }
  });

  test('is bounded by the minute, because every test calls an address the caller chose', async () => {
    const { definition_id, config } = reputation();
    const statuses: number[] = [];
    for (let n = 0; n < 70; n++) {
      statuses.push((await call('POST', 'validate_connector_configuration', { definition_id, config })).status);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60);
    expect(statuses.at(-1)).toBe(429);
  });
});
