import type { RuleResponse, RuleResponseDryRun } from '@airdeck/contracts/rule-responses/schema';
import {
  ruleResponseDryRunResultSchema,
  ruleResponseHistorySchema,
  ruleResponseListSchema,
  ruleResponseSchema,
} from '@airdeck/contracts/rule-responses/schema';
import { type RawBuilder, sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { calledWithin } from '../../storage/test-waiting.ts';
import { type ActivityFixture, by, createActivityFixture, type Workspace } from '../activity/activity-fixture.ts';
import { lockResponses } from './rule-responses-repository.ts';

const ATTACKER = '203.0.113.9';

let fixture: ActivityFixture;
let workspace: Workspace;
let path: string;
/** The policy of the workspace; its own response is taken away. */
let ruleId: string;
let guess: (address: string) => Promise<void>;

beforeAll(async () => {
  fixture = await createActivityFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  fixture.sandbox.reset();
  workspace = await fixture.createWorkspace();
  path = `${workspace.soar}/rule_responses`;
  ({ guess } = await fixture.addDetection(workspace, { definitionId: v7(), inputs: {} }));
  const [first] = await list();
  ruleId = first?.rule_id ?? '';
  expect((await send(workspace.analyst, 'DELETE', `${path}/${ruleId}?response_name=Block%20it`)).status).toBe(204);
});

async function send(
  actor: Actor,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  headers = {},
) {
  const answer = await fixture.server.inject({
    method,
    url,
    headers: { ...actor.headers, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}

async function list(query = ''): Promise<RuleResponse[]> {
  const { status, body } = await send(workspace.analyst, 'GET', `${path}?${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return ruleResponseListSchema.parse(body).responses;
}

const blocking = (more: object = {}) => ({
  rule_id: ruleId,
  response_name: 'Block',
  response_type: 'action',
  definition_id: 'fortigate.block_address',
  inputs: { address: '{{ group.src_ip }}', comment: '{{ case.reference }}' },
  ...more,
});

async function create(more: object = {}): Promise<RuleResponse> {
  const { status, body } = await send(workspace.analyst, 'POST', path, blocking(more));
  expect(status, JSON.stringify(body)).toBe(201);
  return ruleResponseSchema.parse(body);
}

async function historyOf(name: string) {
  const { body } = await send(
    workspace.analyst,
    'GET',
    `${path}/${ruleId}/history?response_name=${encodeURIComponent(name)}`,
  );
  return ruleResponseHistorySchema.parse(body).entries;
}

async function openedCase(address = ATTACKER) {
  await guess(address);
  const [id = ''] = await fixture.casesOf(workspace);
  return await workspace.getCase(id);
}

const blocked = () => fixture.sandbox.state().fortigate.groups['AIRdeck-Blocked'] ?? [];

describe('an automation somebody sets up', () => {
  test('answers the next case of its policy, and its history tells of it', async () => {
    const made = await create();
    expect(made).toMatchObject({ position: 0, enabled: true, problems: [], last: null, revision: 1 });
    expect(made).toMatchObject({ rule_name: 'SSH password guessing', definition_name: 'Block address' });
    const { id } = await openedCase();
    await workspace.caseReaches(id, 'success');
    expect(blocked()).toContain(`airdeck-${ATTACKER}`);
    const [entry, ...others] = await historyOf('Block');
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ case_id: id, outcome: 'started', status: 'success', problem: null });
    const activity = `/api/tenants/${workspace.tenant}/soar/actions_activity`;
    const run = await send(workspace.analyst, 'GET', `${activity}/${entry?.action_uuid}`);
    expect(run.body).toMatchObject({ details: { action_name: 'fortigate.block_address', context: { case_id: id } } });
    const [shown] = await list('q=block+guessing');
    expect(shown).toMatchObject({ figures: { succeeded: 1, failed: 0, active: 0, skipped: 0 }, last: { case_id: id } });
    expect(await list('q=block+nothing')).toEqual([]);
    const records = await fixture.db.tenant(workspace.tenant, (tx) =>
      tx
        .selectFrom('audit_record')
        .select('action')
        .where('action', 'like', 'rule_response.%')
        .orderBy('sequence')
        .execute(),
    );
    expect(records.map(({ action }) => action)).toEqual([
      'rule_response.create',
      'rule_response.delete',
      'rule_response.create',
    ]);
    expect(await workspace.auditVerdict()).toMatchObject({ intact: true });
  });

  test('is not for who may only read, and not for another tenant', async () => {
    await create();
    const reader = await workspace.person('ReadOnly');
    expect((await send(reader, 'GET', path)).status).toBe(200);
    for (const [method, url, body] of [
      ['POST', path, blocking({ response_name: 'Mine' })],
      ['PUT', `${path}/${ruleId}`, { ...blocking(), rule_id: undefined }],
      ['PATCH', `${path}/${ruleId}?response_name=Block`, { enabled: false }],
      ['DELETE', `${path}/${ruleId}?response_name=Block`, undefined],
      ['PUT', `${path}/${ruleId}/order`, { response_names: ['Block'] }],
      ['POST', `${path}/dry_run`, { response: blocking(), case_id: v7() }],
    ] as const) {
      expect((await send(reader, method, url, body)).status, `${method} ${url}`).toBe(403);
    }
    const other = await fixture.createWorkspace();
    const theirs = `${other.soar}/rule_responses`;
    expect((await send(other.analyst, 'POST', theirs, blocking())).status).toBe(404);
    expect((await send(other.analyst, 'DELETE', `${theirs}/${ruleId}?response_name=Block`)).status).toBe(404);
    expect((await send(other.analyst, 'GET', `${theirs}/${ruleId}/history?response_name=Block`)).status).toBe(404);
    expect((await send(other.analyst, 'GET', theirs)).body.total).toBe(0);
    expect((await list()).length).toBe(1);
  });

  test.each([
    ['an input is missing', { inputs: {} }, 'body.inputs.address'],
    ['an input is none of the action', { inputs: { address: 'x', more: 1 } }, 'body.inputs.more'],
    ['a template does not compile', { inputs: { address: '{{ (( }}' } }, 'body.inputs.address'],
    ['the condition does not compile', { conditions: 'case.severity ==' }, 'body.conditions'],
  ])('is refused where %s', async (_why, more, at) => {
    const { status, body } = await send(workspace.analyst, 'POST', path, blocking(more));
    expect(status).toBe(400);
    expect(body.details.map((one: { path: string }) => one.path)).toContain(at);
    expect(await list()).toEqual([]);
  });

  test.each([
    ['policy', { rule_id: v7() }],
    ['action', { definition_id: 'fortigate.gone' }],
    ['playbook', { response_type: 'playbook', definition_id: v7() }],
    ['connector', { connector_id: v7() }],
  ])('is refused where its %s does not exist', async (_what, more) => {
    expect((await send(workspace.analyst, 'POST', path, blocking(more))).status).toBe(404);
  });

  test('that destroys something is asked about before it is saved, and again when it is switched on', async () => {
    const wanted = blocking({ definition_id: 'http_request.delete', inputs: { path: '/{{ group.src_ip }}' } });
    const asked = await send(workspace.analyst, 'POST', path, wanted);
    expect(asked.status).toBe(449);
    expect(asked.body.confirm.text).toContain('nobody is asked then');
    expect(await list()).toEqual([]);
    const made = await send(workspace.analyst, 'POST', path, wanted, { 'x-air-confirm': 'true' });
    expect(made.status).toBe(201);
    const one = `${path}/${ruleId}?response_name=Block`;
    expect((await send(workspace.analyst, 'PATCH', one, { enabled: false })).status).toBe(200);
    expect((await send(workspace.analyst, 'PATCH', one, { enabled: true })).status).toBe(449);
    expect((await list())[0]?.enabled).toBe(false);
  });

  test('saved by two people at once keeps one, and tells the others what is different', async () => {
    const made = await create();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        send(workspace.analyst, 'PUT', `${path}/${ruleId}`, {
          response_name: 'Block',
          response_type: 'action',
          definition_id: 'fortigate.block_address',
          inputs: { address: '{{ group.src_ip }}', comment: `${n}` },
          revision: made.revision,
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(19);
    expect(refused[0]?.body.details).toMatchObject([{ path: 'body.inputs' }]);
    expect((await list())[0]?.revision).toBe(2);
  });
});

/** The change ends once the call waits for it. */
async function whileChanged<T>(change: RawBuilder<unknown>, call: () => Promise<T>): Promise<T> {
  const { answer } = await fixture.db.tenant(workspace.tenant, async (tx) => {
    await lockResponses(tx, workspace.scope);
    await sql`update rule_response set ${change}`.execute(tx);
    return await calledWithin(tx, call);
  });
  return await answer;
}

describe('an automation that is replaced without saying when and whether it starts', () => {
  const replaced =
    (more: object = {}) =>
    () => {
      const { rule_id: _policy, ...body } = blocking({ inputs: { address: '198.51.100.7' }, ...more });
      return send(workspace.analyst, 'PUT', `${path}/${ruleId}`, body);
    };

  test('stays off, and starts when it did', async () => {
    await create({ enabled: false, trigger: 'resolve_breach' });
    expect(await replaced()()).toMatchObject({ status: 200, body: { enabled: false, trigger: 'resolve_breach' } });
    expect(await list()).toMatchObject([{ enabled: false, trigger: 'resolve_breach', revision: 2 }]);
    expect((await replaced({ enabled: true, trigger: 'case_opened' })()).body).toMatchObject({
      enabled: true,
      trigger: 'case_opened',
    });
  });

  test.each([
    ['off', true],
    ['on', false],
  ])('is left alone when somebody switches it %s meanwhile: nobody was asked about that', async (_how, enabled) => {
    await create({ enabled });
    const switched = sql`enabled = not enabled, revision = revision + 1`;
    expect(await whileChanged(switched, replaced())).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await list()).toMatchObject([{ enabled: !enabled, inputs: { comment: '{{ case.reference }}' } }]);
  });
});

describe('an automation that somebody changes while it is switched', () => {
  const switched = (enabled: boolean) => () =>
    send(workspace.analyst, 'PATCH', `${path}/${ruleId}?response_name=Block`, { enabled });
  const destroying = sql`definition_id = 'http_request.delete', inputs = '{"path":"/"}', updated_by = 'Ben'`;

  test.each([
    ['changed', sql`${destroying}, revision = revision + 1`],
    ['made anew under its name', destroying],
  ])('is not switched on as it was %s: nobody was asked about that', async (_how, change) => {
    await create({ enabled: false });
    expect(await whileChanged(change, switched(true))).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', message: expect.stringContaining('Ben changed this automation') },
    });
    expect(await list()).toMatchObject([{ enabled: false, definition_id: 'http_request.delete', updated_by: 'Ben' }]);
    expect((await switched(true)()).status).toBe(449);
  });

  test('is switched off, whatever it does by now', async () => {
    await create();
    expect(await whileChanged(destroying, switched(false))).toMatchObject({ status: 200, body: { enabled: false } });
  });
});

describe('a condition', () => {
  test('that does not hold keeps its automation from starting, silently', async () => {
    await create({ conditions: "case.severity == 'none'" });
    const { alert_responses, activity } = await openedCase();
    expect(alert_responses).toEqual([]);
    expect(activity.map(({ kind }) => kind)).toEqual(['opened']);
    expect(await historyOf('Block')).toMatchObject([{ outcome: 'skipped', run_id: null, status: null, problem: null }]);
    expect((await list())[0]?.figures).toMatchObject({ skipped: 1, failed: 0 });
  });

  test('that cannot be decided fails its automation alone: those after it still start', async () => {
    await create({ response_name: 'A', conditions: "event.fields.nothing.there == 'x'" });
    await create({ response_name: 'B', conditions: 'event.message' });
    await create({ response_name: 'C', conditions: `event.src_ip == '${ATTACKER}'` });
    const opened = await openedCase();
    expect(opened.alert_responses).toMatchObject([{ response_name: 'C' }]);
    const told = opened.activity.filter(({ kind }) => kind === 'run_finished').map(({ text }) => text);
    expect(told).toEqual([
      expect.stringContaining('A could not start: Its condition could not be decided'),
      expect.stringContaining('B could not start: Its condition could not be decided'),
    ]);
    expect((await historyOf('A'))[0]).toMatchObject({ outcome: 'failed', run_id: null });
    expect((await list()).map(({ figures }) => [figures.failed, figures.succeeded + figures.active])).toEqual([
      [1, 0],
      [1, 0],
      [0, 1],
    ]);
  });
});

test('automations of a policy start in the order people gave them', async () => {
  for (const name of ['A', 'B', 'C']) await create({ response_name: name, inputs: { address: '198.51.100.1' } });
  const order = (response_names: string[]) =>
    send(workspace.analyst, 'PUT', `${path}/${ruleId}/order`, { response_names });
  expect((await order(['C', 'A'])).status).toBe(409);
  expect((await order(['C', 'A', 'A'])).status).toBe(409);
  expect((await order(['C', 'A', 'X'])).status).toBe(409);
  expect((await order(['C', 'A', 'B'])).body.responses.map((one: RuleResponse) => one.response_name)).toEqual([
    'C',
    'A',
    'B',
  ]);
  await openedCase();
  const started = await fixture.db.tenant(workspace.tenant, (tx) =>
    sql<{ response_name: string }>`select response_name from rule_response_outcome order by run_id`.execute(tx),
  );
  expect(started.rows.map(({ response_name: name }) => name)).toEqual(['C', 'A', 'B']);
});

test('a policy takes a hundred automations and no more; every one of them is asked about a case', async () => {
  await fixture.db.tenant(workspace.tenant, async (tx) => {
    for (let n = 0; n < 100; n++) {
      const one = { connector_id: null, enabled: true, created_by: 'Test', owner_user_id: null };
      const conditions = n === 57 ? "case.severity != ''" : "case.severity == ''";
      const { work } = fixture;
      const response = { ...blocking(), response_type: 'action' as const, response_name: `R${n}`, conditions, ...one };
      await work.addRuleResponse(tx, workspace.scope, response, by);
    }
  });
  expect((await send(workspace.analyst, 'POST', path, blocking())).status).toBe(409);
  const first = await send(workspace.analyst, 'GET', path);
  expect(first.body).toMatchObject({ total: 100 });
  expect(first.body.responses).toHaveLength(10);
  expect((await list('page=11')).length).toBe(0);
  const { alert_responses } = await openedCase();
  expect(alert_responses).toMatchObject([{ response_name: 'R57' }]);
  const outcomes = await fixture.db.tenant(workspace.tenant, (tx) =>
    sql<{ outcome: string; n: number }>`
      select outcome, count(*)::int as n from rule_response_outcome group by 1 order by 1`.execute(tx),
  );
  expect(outcomes.rows).toEqual([
    { outcome: 'skipped', n: 99 },
    { outcome: 'started', n: 1 },
  ]);
});

describe('a dry run on a past case', () => {
  async function tryOut(response: object, case_id: string): Promise<RuleResponseDryRun> {
    const { status, body } = await send(workspace.analyst, 'POST', `${path}/dry_run`, { response, case_id });
    expect(status, JSON.stringify(body)).toBe(200);
    return ruleResponseDryRunResultSchema.parse(body);
  }

  test('says what an action would get, and has no effect', async () => {
    // Runs of other tests may still block theirs.
    const address = '203.0.113.77';
    const { id, reference } = await openedCase(address);
    const before = await workspace.getCase(id);
    const result = await tryOut(blocking({ conditions: "event.integration == 'sshd'" }), id);
    expect(result).toMatchObject({
      condition: { holds: true, problem: null },
      inputs: { address, comment: reference },
      problems: [],
      run_id: null,
    });
    expect(result.context).toMatchObject({ group: { src_ip: address } });
    const missing = await tryOut(blocking({ inputs: {}, conditions: 'event.fields.a.b == 1' }), id);
    expect(missing.condition).toMatchObject({ holds: null, problem: expect.stringContaining('could not be decided') });
    expect(missing.problems).toEqual([
      { path: 'inputs.address', message: 'is missing', reason: 'VALUE_MISSING', values: {} },
    ]);
    expect(await workspace.getCase(id)).toEqual(before);
    expect(blocked()).not.toContain(`airdeck-${address}`);
    expect(await list()).toEqual([]);
  });

  test('of a playbook is its dry run, and none where the condition does not hold', async () => {
    const definition_id = await workspace.addPlaybook();
    const { id } = await openedCase();
    const response = blocking({ response_type: 'playbook', definition_id, inputs: { ip: '{{ group.src_ip }}' } });
    const { run_id: runId } = await tryOut(response, id);
    const run = await workspace.runReaches(runId ?? '', 'waiting');
    expect(run.summary).toMatchObject({ dry_run: true, trigger_info: { case_id: null } });
    expect((await workspace.getCase(id)).alert_responses).toEqual([]);
    expect((await tryOut({ ...response, conditions: 'false' }, id)).run_id).toBeNull();
  });

  test('finds no case of another tenant', async () => {
    const other = await fixture.createWorkspace();
    const { id } = await openedCase();
    const body = { response: blocking(), case_id: id };
    expect((await send(other.analyst, 'POST', `${other.soar}/rule_responses/dry_run`, body)).status).toBe(404);
  });
});

describe('an automation that would not work says so', () => {
  const codes = async () => (await list()).map(({ problems }) => problems.map(({ code }) => code));

  test('when its policy, its playbook or its connector is gone', async () => {
    const playbookId = await workspace.addPlaybook();
    await create({ response_name: 'A', response_type: 'playbook', definition_id: playbookId, inputs: { ip: 'x' } });
    const connector = await fixture.db.tenant(workspace.tenant, (tx) =>
      tx.selectFrom('connector').select('id').where('definition_id', '=', 'fortigate').executeTakeFirstOrThrow(),
    );
    await create({ response_name: 'B', connector_id: connector.id });
    expect(await codes()).toEqual([[], []]);
    await fixture.db.tenant(workspace.tenant, async (tx) => {
      await tx.deleteFrom('playbook').where('id', '=', playbookId).execute();
      await tx.deleteFrom('connector').where('id', '=', connector.id).execute();
      await tx.deleteFrom('policy').where('id', '=', ruleId).execute();
    });
    expect(await codes()).toEqual([
      ['POLICY_GONE', 'PLAYBOOK_GONE'],
      ['POLICY_GONE', 'CONNECTOR_GONE'],
    ]);
    expect((await list())[0]).toMatchObject({ rule: null, rule_name: 'SSH password guessing' });
    expect((await send(workspace.analyst, 'DELETE', `${path}/${ruleId}?response_name=A`)).status).toBe(204);
  });

  test('when who saved it last may not run actions any more', async () => {
    await create();
    await fixture.db.system((tx) =>
      tx.updateTable('membership').set({ role: 'ReadOnly' }).where('user_id', '=', workspace.analyst.id).execute(),
    );
    const reader = await send(workspace.analyst, 'GET', path);
    expect(reader.body.responses[0].problems).toMatchObject([
      { code: 'OWNER_MAY_NOT', reason: 'AUTOMATION_OWNER_MAY_NOT', values: { who: expect.any(String) } },
    ]);
  });
});
