import { type RawBuilder, sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { calledWithin } from '../../storage/test-waiting.ts';
import { createAutomationRulesFixture, DEFINITION } from './automation-rules-fixture.ts';

type Fixture = Awaited<ReturnType<typeof createAutomationRulesFixture>>;

let fixture: Fixture;
let workspace: Awaited<ReturnType<Fixture['createWorkspace']>>;

beforeAll(async () => {
  fixture = await createAutomationRulesFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  workspace = await fixture.createWorkspace();
});

const notificationsOf = (title: string) => fixture.graylog().notifications.filter((one) => one.title === title);

const auditOf = (like: string) =>
  fixture.db.tenant(workspace.tenant, async (tx) => {
    const rows = await tx
      .selectFrom('audit_record')
      .select('action')
      .where('action', 'like', like)
      .orderBy('sequence')
      .execute();
    return rows.map(({ action }) => action);
  });

const succeeded = () =>
  vi.waitFor(
    async () => {
      const runs = await workspace.runs();
      expect(runs.map(({ summary }) => summary.status)).toEqual(['success']);
      return runs;
    },
    { timeout: 30_000 },
  );

describe('a rule', () => {
  test('makes its notification in Graylog, attaches it, and takes both away with itself', async () => {
    const rule = await workspace.create();
    expect(rule).toMatchObject({
      enabled: true,
      event_definition: { title: DEFINITION },
      notification: { state: 'attached', reason: null },
      connector_name: 'Logs',
      problems: [],
    });
    const [notification, ...more] = notificationsOf(rule.notification.title);
    expect(more).toEqual([]);
    const url = `${fixture.server.composition.listeningAt()}/api/${workspace.tenant}/event/ingest/${rule.source_id}`;
    expect(notification?.config).toMatchObject({ url, basic_auth: { is_set: true } });
    expect(fixture.usedBy()).toContain(notification?.id);
    expect((await workspace.send('GET', `${workspace.path}?q=guesses+block`)).body).toMatchObject([{ id: rule.id }]);
    expect((await workspace.send('GET', `${workspace.path}?q=nothing`)).body).toEqual([]);

    expect((await workspace.send('DELETE', `${workspace.path}/${rule.id}`)).status).toBe(204);
    expect((await workspace.send('GET', `${workspace.path}/${rule.id}`)).status).toBe(404);
    expect(notificationsOf(rule.notification.title)).toEqual([]);
    expect(fixture.usedBy()).toHaveLength(1);
    expect(await auditOf('automation_rule.%')).toEqual(['automation_rule.create', 'automation_rule.delete']);
    expect(await auditOf('source.%')).toEqual(['source.create']);
  });

  test('is named where its playbook is used, and keeps it from being deleted', async () => {
    const { tenant, scope, send } = workspace;
    const playbook = await fixture.db.tenant(tenant, (tx) =>
      fixture.work.playbooks.create(
        tx,
        scope,
        {
          metadata: { name: 'Wait a moment', description: '', author: '', updated_by: '' },
          inputs: { type: 'object', properties: {} },
          actions: [{ id: 'wait', kind: 'delay', seconds: 1, depends_on: [] }],
          outputs: {},
          exec_options: { max_concurrent_actions: 1 },
        },
        { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null },
      ),
    );
    const at = `/api/tenants/${tenant}/soar/playbooks/${playbook}`;
    expect((await send('GET', at)).body).toMatchObject({ triggers: ['manual'] });
    const starts = { response_type: 'playbook', name: 'Wait', playbook_id: playbook, inputs: {} };
    const rule = await workspace.create({ actions: { responses: [starts] } });

    expect((await send('GET', at)).body).toMatchObject({ triggers: ['manual', 'automation'] });
    expect((await send('GET', `${at}/used_by`)).body).toEqual({
      policies: [],
      automations: [{ id: rule.id, name: rule.name, response_name: 'Wait', enabled: true }],
      playbooks: [],
    });
    expect(await send('DELETE', at)).toMatchObject({ status: 409, body: { code: 'PLAYBOOK_IN_USE' } });

    expect((await send('DELETE', `${workspace.path}/${rule.id}`)).status).toBe(204);
    expect((await send('DELETE', at)).status).toBe(204);
  });

  test.each(['4.3.0', '5.0.3', '6.1.4'])('brings alerts of Graylog %s too', async (version) => {
    await fixture.train('sandbox/version', { version });
    const rule = await workspace.create();
    expect(rule.notification).toMatchObject({ state: 'attached', reason: null });
    expect((await workspace.fire()).deliveries).toContainEqual(
      expect.objectContaining({ title: rule.notification.title, status: 202 }),
    );
    await succeeded();
  });

  test('shares its event source with the other rules of its Graylog', async () => {
    const [one, other] = [await workspace.create(), await workspace.create({ name: 'Another' })];
    expect(other.source_id).toBe(one.source_id);
    await workspace.fire();
    const answered = await Promise.all([one, other].map(({ id }) => workspace.get(id)));
    expect(answered.map((rule) => rule.triggered_count)).toEqual([1, 1]);
    expect(await auditOf('source.%')).toEqual(['source.create']);
  });

  test('is one, however often the same request comes, and none for an event definition that is not there', async () => {
    const headers = { 'idempotency-key': 'once' };
    const made = [];
    for (const _again of [1, 2]) {
      made.push((await workspace.send('POST', workspace.path, workspace.blocking(), { headers })).body.id);
    }
    expect(new Set(made).size).toBe(1);
    const other = await workspace.send('POST', workspace.path, workspace.blocking({ name: 'B' }), { headers });
    expect(other.status).toBe(422);
    const gone = workspace.blocking({ event_category_id: '665f0a3be4b0a1c2d3e4f501' });
    expect((await workspace.send('POST', workspace.path, gone)).status).toBe(404);
    expect((await workspace.send('GET', workspace.path)).body).toHaveLength(1);
  });

  const response = {
    response_type: 'action',
    name: 'Block',
    action_name: 'fortigate.block_address',
    inputs: { address: '198.51.100.1' },
  };
  const refusals: readonly [why: string, responses: object[], status: number][] = [
    ['an input is missing', [{ ...response, inputs: {} }], 400],
    ['a template does not compile', [{ ...response, inputs: { address: '{{ (( }}' } }], 400],
    ['two responses have one name', [response, response], 400],
    ['there is no response', [], 400],
    ['its action does not exist', [{ ...response, action_name: 'fortigate.gone' }], 404],
    ['its connector does not exist', [{ ...response, connector_id: v7() }], 404],
    ['its playbook does not exist', [{ response_type: 'playbook', name: 'P', playbook_id: v7(), inputs: {} }], 404],
    ['it destroys', [{ ...response, action_name: 'http_request.delete', inputs: { path: '/x' } }], 449],
  ];
  test('that could never work, or destroys without having been confirmed, is refused, and nothing is made', async () => {
    for (const [why, responses, status] of refusals) {
      const answer = await workspace.send('POST', workspace.path, workspace.blocking({ actions: { responses } }));
      expect(answer.status, `${why}: ${JSON.stringify(answer.body)}`).toBe(status);
    }
    expect(fixture.graylog().notifications).toHaveLength(2);
    expect(await auditOf('automation_rule.%')).toEqual([]);
  });

  test('belongs to its tenant alone', async () => {
    const rule = await workspace.create();
    const own = workspace;
    const other = await fixture.createWorkspace();
    for (const [method, at] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/repair'],
      ['GET', '/history'],
    ] as const) {
      const answer = await other.send(method, `${other.path}/${rule.id}${at}`, method === 'PATCH' ? {} : undefined);
      expect(answer.status, `${method} ${at}`).toBe(404);
    }
    expect((await other.send('GET', other.path)).body).toEqual([]);
    expect((await own.get(rule.id)).revision).toBe(1);
  });

  test('stays with whoever saved it last when somebody sends no change, but says when that is from an older state', async () => {
    const { id, revision } = await workspace.create();
    const owner = async () => {
      const { owner_user_id, updated_by, updated_at } = await fixture.db.system((tx) =>
        tx.selectFrom('automation_rule').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      );
      return { owner_user_id, updated_by, updated_at };
    };
    const before = await owner();
    const { tenant } = workspace;
    const admin = await fixture.server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    for (const nothing of [{}, { revision }]) {
      const answer = await workspace.send('PATCH', `${workspace.path}/${id}`, nothing, { actor: admin });
      expect(answer).toMatchObject({ status: 200, body: { revision } });
    }
    expect(await owner()).toEqual(before);
    expect(await auditOf('automation_rule.%')).toEqual(['automation_rule.create']);
    expect((await workspace.send('PATCH', `${workspace.path}/${id}`, { revision: revision + 1 })).status).toBe(409);
  });

  test('tells who saves an older state of it, and acts with the rights of who saved it last', async () => {
    const { id, revision } = await workspace.create();
    const changed = await workspace.send('PATCH', `${workspace.path}/${id}`, { enabled: false, revision });
    expect(changed.body).toMatchObject({ enabled: false, revision: revision + 1 });
    expect((await workspace.send('PATCH', `${workspace.path}/${id}`, { name: 'X', revision })).status).toBe(409);
    await workspace.fire();
    expect(await workspace.get(id)).toMatchObject({ triggered_count: 0 });
    await workspace.send('PATCH', `${workspace.path}/${id}`, { enabled: true, name: 'Renamed' });
    const { tenant } = workspace;
    const admin = await fixture.server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    await fixture.db.system((tx) =>
      tx.updateTable('membership').set({ role: 'ReadOnly' }).where('user_id', '=', workspace.analyst.id).execute(),
    );
    await workspace.fire();
    await vi.waitFor(
      async () => {
        const url = `${workspace.path}/${id}/history`;
        const { body } = await workspace.send('GET', url, undefined, { actor: admin });
        expect(body.entries).toMatchObject([{ outcome: 'started', status: 'error' }]);
      },
      { timeout: 30_000 },
    );
    const shown = await workspace.send('GET', `${workspace.path}/${id}`, undefined, { actor: admin });
    expect(shown.body.problems).toMatchObject([{ response_name: 'Block', code: 'OWNER_MAY_NOT' }]);
    expect(await auditOf('automation_rule.%')).toEqual([
      'automation_rule.create',
      'automation_rule.update',
      'automation_rule.update',
    ]);
  });
});

describe('a rule that destroys', () => {
  const wipe = { response_type: 'action', name: 'Wipe', action_name: 'http_request.delete', inputs: { path: '/x' } };
  const wiping = { actions: { responses: [wipe] } };
  const confirmed = { headers: { 'x-air-confirm': 'true' } };
  const change = (id: string, body: object, more: object = {}) =>
    workspace.send('PATCH', `${workspace.path}/${id}`, body, more);

  test('is confirmed for itself and its event definition, and for no other of that name', async () => {
    const [one, other] = [
      await workspace.create({ ...wiping, enabled: false }),
      await workspace.create({ ...wiping, enabled: false }),
    ];
    expect((await change(one.id, { enabled: true })).status).toBe(449);
    expect((await change(other.id, { enabled: true }, confirmed)).status).toBe(449);
    expect((await change(one.id, { enabled: true }, confirmed)).status).toBe(200);
    expect(await workspace.get(other.id)).toMatchObject({ enabled: false });

    const make = (title: string, more: object = {}) => {
      const body = workspace.blocking({ ...wiping, event_category_id: fixture.definition(title).id });
      return workspace.send('POST', workspace.path, body, more);
    };
    expect((await make(DEFINITION)).status).toBe(449);
    expect((await make('New member of Domain Admins', confirmed)).status).toBe(449);
    expect((await make(DEFINITION, confirmed)).status).toBe(201);
  });

  test('is asked about with everything it would destroy', async () => {
    const both = [wipe, { ...wipe, name: 'Wipe the rest', inputs: { path: '/y' } }];
    const body = workspace.blocking({ actions: { responses: both } });
    const { confirm } = (await workspace.send('POST', workspace.path, body)).body;
    expect(confirm.text).toContain('“/x”');
    expect(confirm.text).toContain('“/y”');
  });

  /** Somebody else's change, which ends once the call waits for it. */
  async function whileChanged<T>(id: string, set: RawBuilder<unknown>, call: () => Promise<T>): Promise<T> {
    const { answer } = await fixture.db.tenant(workspace.tenant, async (tx) => {
      await sql`update automation_rule set ${set}, updated_by = 'Ben', revision = revision + 1 where id = ${id}`.execute(
        tx,
      );
      return await calledWithin(tx, call);
    });
    return await answer;
  }
  const given = sql`responses = ${JSON.stringify([wipe])}::jsonb`;

  const meanwhile: readonly [what: string, before: object, set: RawBuilder<unknown>, body: object][] = [
    ['given to a rule that is switched on', { enabled: false }, given, { enabled: true }],
    ['given to one that was on when it is to be on', {}, sql`${given}, enabled = false`, { enabled: true }],
    ['given to one that was off and is switched on', { enabled: false }, sql`enabled = true`, wiping],
  ];
  test.each(meanwhile)('is not at work unasked where the wipe is %s', async (_what, before, set, body) => {
    const { id } = await workspace.create(before);
    expect(await whileChanged(id, set, () => change(id, body))).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', message: expect.stringContaining('Ben changed this rule') },
    });
    const { enabled, actions, updated_by } = await workspace.get(id);
    expect(enabled && actions.responses.some(({ name }) => name === 'Wipe')).toBe(false);
    expect(updated_by).toBe('Ben');
    expect((await change(id, body)).status).toBe(449);
  });

  test('can be switched off and renamed without a look at what it does by now', async () => {
    const { id } = await workspace.create();
    expect((await whileChanged(id, given, () => change(id, { enabled: false }))).status).toBe(200);
    expect((await whileChanged(id, given, () => change(id, { name: 'Renamed' }))).status).toBe(200);
    expect(await workspace.get(id)).toMatchObject({ name: 'Renamed', enabled: false });
  });
});

describe('an alert', () => {
  test('starts what its rule says, once, however often it comes, and the run names the rule', async () => {
    const rule = await workspace.create();
    const { event_id: id, deliveries } = await workspace.fire({ id: '01JALERT1' });
    expect(deliveries).toContainEqual(expect.objectContaining({ title: rule.notification.title, status: 202 }));
    const [run] = await succeeded();
    expect(run?.details.action_input).toEqual({ address: '203.0.113.9', comment: `${DEFINITION} 1` });
    expect(fixture.sandbox.state().fortigate.groups['AIRdeck-Blocked']).toContain('airdeck-203.0.113.9');
    await workspace.fire({ id });
    await workspace.fire({ id, message: 'Written down otherwise' });
    expect(await workspace.runs()).toHaveLength(1);
    expect(await workspace.get(rule.id)).toMatchObject({ triggered_count: 1 });
    const entries = await workspace.history(rule.id);
    expect(entries).toMatchObject([
      { alert_id: id, alert_title: DEFINITION, response_name: 'Block', outcome: 'started', status: 'success' },
    ]);
    expect(run).toMatchObject({ details: { context: { action_uuid: entries[0]?.action_uuid } } });
    const kept = await fixture.db.tenant(workspace.tenant, (tx) =>
      fixture.work.enginePool.client(tx).query<{ trigger: object }>('select trigger from engine.run'),
    );
    expect(kept.rows.map(({ trigger }) => trigger)).toMatchObject([
      { trigger_type: 'event', automation_rule: { id: rule.id, name: rule.name }, acts_as: workspace.analyst.id },
    ]);
  });

  test('comes again after its delivery was forgotten, and still starts nothing a second time', async () => {
    const rule = await workspace.create();
    await workspace.fire({ id: '01JALERT2' });
    await fixture.db.system((tx) => tx.deleteFrom('ingest_batch').where('tenant_id', '=', workspace.tenant).execute());
    const { deliveries } = await workspace.fire({ id: '01JALERT2' });
    expect(deliveries).toContainEqual(expect.objectContaining({ title: rule.notification.title, status: 202 }));
    expect(await workspace.runs()).toHaveLength(1);
    expect(await workspace.get(rule.id)).toMatchObject({ triggered_count: 1 });
  });

  test('is not taken from whoever has not the token, wherever they put another one', async () => {
    const rule = await workspace.create();
    const url = `${fixture.server.composition.listeningAt()}/api/${workspace.tenant}/event/ingest/${rule.source_id}`;
    const token = `src_${'x'.repeat(43)}`;
    const basic = `Basic ${Buffer.from(`airdeck:${token}`).toString('base64')}`;
    const attempts: [string, object][] = [
      [url, {}],
      [`${url}?token=${token}`, {}],
      [`${url}?token=a&token=b`, {}],
      [url, { authorization: basic }],
      [url, { authorization: 'Basic !' }],
    ];
    for (const [address, headers] of attempts) {
      const { status } = await fetch(address, { method: 'POST', headers: { ...headers }, body: '{}' });
      expect(status === 401 || status === 400, `${address} ${status}`).toBe(true);
    }
    expect(await workspace.get(rule.id)).toMatchObject({ triggered_count: 0 });
  });

  test('whatever it holds does not keep others out: odd ids, and more at once than anybody raises', async () => {
    const rule = await workspace.create({ enabled: false });
    const { url, token } = await fixture.doorOf(workspace);
    const { id: event_definition_id } = fixture.definition();
    await workspace.send('PATCH', `${workspace.path}/${rule.id}`, { enabled: true });
    const alert = (id: unknown) => ({
      event_definition_id,
      event: { id, timestamp: new Date().toISOString(), fields: { src_ip: '192.0.2.1' } },
      backlog: [],
    });
    const ids = ['a\0b', 'x'.repeat(5000), 7, '', '\ud800', ...Array.from({ length: 55 }, (_, n) => `n-${n}`)];
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(ids.map(alert)) });
    expect(status).toBe(202);
    expect(await workspace.get(rule.id)).toMatchObject({ triggered_count: 57 });
    const { body } = await workspace.send('GET', `${workspace.path}/${rule.id}/history?limit=100`);
    expect(body.total).toBe(57);
    const outcomes = await fixture.db.tenant(workspace.tenant, (tx) =>
      tx.selectFrom('automation_rule_alert').select('outcome').execute(),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'failed')).toHaveLength(7);
  });

  test('is kept and answered by nothing while automation is switched off, and the history says so', async () => {
    const rule = await workspace.create();
    await fixture.db.system((tx) => {
      const off = { automation_enabled: false, updated_at: new Date() };
      return tx
        .insertInto('tenant_settings')
        .values({ tenant_id: workspace.tenant, ...off })
        .execute();
    });
    await workspace.fire();
    expect(await workspace.runs()).toEqual([]);
    expect(await workspace.history(rule.id)).toMatchObject([
      { outcome: 'failed', run_id: null, problem: 'Automation is switched off for this tenant.' },
    ]);
  });

  test('whose inputs cannot be filled in starts the responses after it all the same', async () => {
    const { actions } = workspace.blocking();
    const responses = [
      { ...actions.responses[0], name: 'A', inputs: { address: '{{ alert.fields.absent }}' } },
      ...actions.responses,
    ];
    const rule = await workspace.create({ actions: { responses } });
    await workspace.fire();
    const entries = await workspace.history(rule.id);
    expect(entries).toMatchObject([
      { response_name: 'A', outcome: 'failed', problem: expect.stringContaining('could not be filled in') },
      { response_name: 'Block', outcome: 'started' },
    ]);
  });

  test('of another event definition is none of its business', async () => {
    const rule = await workspace.create();
    await fixture.atGraylog(
      'PUT',
      `/events/definitions/${fixture.definition('Port scan from outside').id}?schedule=true`,
      {
        ...fixture.definition('Port scan from outside'),
        notifications: fixture.definition().notifications,
      },
    );
    await workspace.fire({ event_definition_title: 'Port scan from outside' });
    expect(await workspace.get(rule.id)).toMatchObject({ triggered_count: 0, last_triggered_at: null });
  });
});
