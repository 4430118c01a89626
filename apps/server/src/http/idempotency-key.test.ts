import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@airdeck/contracts/audit/actions';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRunsFixture, node, type RunsFixture, type RunsWorkspace } from '../modules/activity/runs-fixture.ts';
import { createAutomationRulesFixture } from '../modules/automation-rules/automation-rules-fixture.ts';
import { guessingRule } from '../modules/detection/detection-fixture.ts';
import { threeSteps } from '../modules/playbooks/playbooks-fixture.ts';
import { type Actor, fullPlan, type TestServer } from './test-server.ts';

/** Every route that takes an Idempotency-Key, by the contract: a new one has its row here, or the last test fails. */

const PARALLEL = 50;
const KEY = { 'idempotency-key': 'the same request' };

type Answer = { status: number; body: Record<string, unknown> };
type World = {
  tenant: string;
  database: TestServer['stores']['database'];
  actor: Actor;
  /** Another person of the same tenant. */
  colleague: () => Promise<Actor>;
  send: (
    actor: Actor,
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    payload?: object,
    headers?: object,
  ) => Promise<Answer>;
};
type Asked = {
  path: string;
  method?: 'POST' | 'PUT';
  body?: object;
  otherBody?: object;
  otherPath?: string;
  headers?: Record<string, string>;
  /** Where the list is of what was there before. */
  list?: string;
};
type Row = {
  /** What is there before, and what is asked for: the same, and something else. */
  ask: (world: World & { runs: RunsWorkspace }) => Promise<Asked>;
  /** The list that shows what was made, where there is one. */
  list?: string;
  /** What the audit log says of it. */
  audit: AuditAction;
  /** Where fewer are let in per minute. */
  parallel?: number;
  /** What the list holds, unless it is the first list of its answer. */
  itemsOf?: (body: Record<string, unknown>) => readonly unknown[];
  idOf?: (body: Record<string, unknown>) => unknown;
  /** So few of a tenant go on at once that others are told to come again. */
  shared?: true;
  /** How another request is refused, unless as a whole. */
  refused?: Answer;
};

let runs: RunsFixture;
let alerts: Awaited<ReturnType<typeof createAutomationRulesFixture>>;
beforeAll(async () => {
  [runs, alerts] = await Promise.all([createRunsFixture(), createAutomationRulesFixture()]);
});
afterAll(async () => {
  await Promise.all([runs?.close(), alerts?.close()]);
});

const runOf = (body: Record<string, unknown>) =>
  (body.summary as { workflow_uuid?: string } | undefined)?.workflow_uuid;
const actionOf = ({ details }: Record<string, unknown>) =>
  (details as { context?: { action_uuid?: string } } | undefined)?.context?.action_uuid;
const send = (path: string) => ({
  action_name: 'http_request.send',
  action_input: { path, json: { by: 'airdeck' } },
  connector_id: null,
});
const lastHour = { start: '2026-01-01T00:00:00.000Z', end: '2026-01-01T01:00:00.000Z' };
const schedule = {
  ...{ name: 'Failed sign-ins', search: { query: 'outcome:failure' }, format: 'csv', period: 'weekly' },
  ...{ at_minute: 390, time_zone: 'Europe/Lisbon', contact_ids: [], enabled: true },
};
const exported = { query: '', time_range: lastHour, name: 'Last hour', format: 'csv' };
const reading = [node.read('look', '/look')];
const contact = { name: 'Ann', email: 'ann@example.com', kind: 'technical', escalation_order: 1 };
const connector = {
  definition_id: 'http_request',
  name: 'Another service',
  config: { base_url: 'https://service.example.com' },
};

const ssoConnection = {
  ...{ kind: 'oidc', label: 'Own directory', issuer: 'https://issuer.example.com', client_id: 'airdeck' },
  ...{ client_secret: 'a secret of the issuer', domains: ['example.com'], enabled: true },
  join: { enabled: false, default_role: null, groups_claim: '', group_roles: [] },
};
/** Without an id, which would be recognised. */
const sigmaFile = (title: string) => ({
  name: `${title}.yml`,
  text: `title: ${title}\nlogsource:\n  product: windows\ndetection:\n  sel:\n    EventID: 1\n  condition: sel\n`,
});

const rows: Partial<Record<RouteId, Row>> = {
  'policies.create': {
    ask: async () => ({
      path: '/soar/rules',
      body: { rule: guessingRule() },
      otherBody: { rule: { ...guessingRule(), name: 'Another' } },
    }),
    audit: 'policy.create',
    list: '/soar/rules',
  },
  'playbooks.create': {
    ask: async () => ({
      path: '/soar/playbooks',
      body: { definition: threeSteps('One') },
      otherBody: { definition: threeSteps('Two') },
    }),
    audit: 'playbook.create',
    list: '/soar/playbooks',
    idOf: (body) => body.playbook_id,
  },
  'playbooks.duplicate': {
    ask: async (world) => ({
      path: `/soar/playbooks/${await world.runs.add(reading)}/duplicate`,
      body: { name: 'Copy' },
      otherBody: { name: 'Another copy' },
    }),
    audit: 'playbook.create',
    list: '/soar/playbooks',
  },
  'playbooks.dry-run': {
    ask: async (world) => ({
      path: `/soar/playbooks/${await world.runs.add(reading)}/dry_run`,
      body: { inputs: {} },
      otherBody: { inputs: { more: 1 } },
    }),
    audit: 'run.start',
    list: '/soar/playbook_activity',
    idOf: runOf,
  },
  'playbooks.dry-run-draft': {
    ask: async () => {
      const definition = { ...threeSteps(), inputs: { type: 'object' }, actions: reading, outputs: {} };
      return {
        path: '/soar/playbooks/dry_run',
        body: { inputs: {}, definition },
        otherBody: { inputs: {}, definition: { ...definition, outputs: { a: 1 } } },
      };
    },
    audit: 'run.start',
    list: '/soar/playbook_activity',
    idOf: runOf,
  },
  'playbook-activity.start': {
    ask: async (world) => {
      const playbook_id = await world.runs.add([node.send('send', '/send')]);
      return {
        path: '/soar/playbook_activity',
        body: { playbook_id, inputs: {} },
        otherBody: { playbook_id, inputs: { more: 1 } },
      };
    },
    audit: 'run.start',
    list: '/soar/playbook_activity',
    idOf: runOf,
  },
  'playbook-activity.retry': {
    ask: async (world) => {
      const run = await world.runs.start(await world.runs.add(reading));
      await world.runs.reaches(run, 'success');
      return {
        path: `/soar/playbook_activity/${run}/retry`,
        body: { from_action: 'look' },
        otherBody: {},
      };
    },
    audit: 'run.start',
    list: '/soar/playbook_activity',
    idOf: runOf,
  },
  'actions-activity.start': {
    ask: async () => ({ path: '/soar/actions_activity', body: send('/send'), otherBody: send('/other') }),
    audit: 'run.start',
    list: '/soar/actions_activity',
    idOf: actionOf,
  },
  'actions-activity.retry': {
    ask: async (world) => {
      const [path, otherPath] = [await cancelled(world, '/send'), await cancelled(world, '/other')];
      return { path, otherPath };
    },
    audit: 'run.start',
    list: '/soar/actions_activity',
    idOf: actionOf,
  },
  'actions.run-now': {
    ask: async () => ({ path: '/soar/synchronous_action', body: send('/send'), otherBody: send('/other') }),
    audit: 'run.start',
    list: '/soar/actions_activity',
    idOf: (body) => body.action_uuid,
    shared: true,
  },
  'connectors.put': {
    ask: async () => ({
      path: '/connectors',
      method: 'PUT',
      body: connector,
      otherBody: { ...connector, name: 'Yet another' },
    }),
    audit: 'connector.create',
    list: '/connectors',
  },
  'search-reports.export': {
    ask: async () => ({ path: '/search/export', body: exported, otherBody: { ...exported, name: 'Another' } }),
    audit: 'search_report.create',
    list: '/reports/air',
  },
  'search-reports.run-again': {
    ask: async (world) => {
      const again = async () => {
        const made = await world.send(world.actor, 'POST', at(world, '/search/export'), exported);
        expect(made.status, JSON.stringify(made.body)).toBe(202);
        return `/reports/air/${String(made.body.id)}/run_again`;
      };
      return { path: await again(), otherPath: await again() };
    },
    audit: 'search_report.create',
    list: '/reports/air',
  },
  'search-reports.create-schedule': {
    ask: async () => ({
      path: '/reports/air/schedules',
      body: schedule,
      otherBody: { ...schedule, at_minute: 1 },
    }),
    audit: 'search_report_schedule.create',
    list: '/reports/air/schedules',
  },
  'rule-responses.dry-run': {
    ask: async (world) => {
      const definition_id = await world.runs.add(reading);
      const { policyId, guess } = await world.runs.answerGuesses(definition_id, { names: [] });
      await guess('203.0.113.7');
      const case_id = await vi.waitFor(
        async () => {
          const { body } = await world.send(world.actor, 'GET', at(world, '/case'));
          const [found] = body.cases as { id: string }[];
          expect(found).toBeDefined();
          return found?.id;
        },
        { timeout: 30_000 },
      );
      const response = { rule_id: policyId, response_name: 'Mine', response_type: 'playbook', definition_id };
      return {
        path: '/soar/rule_responses/dry_run',
        body: { response: { ...response, inputs: {} }, case_id },
        otherBody: { response: { ...response, inputs: { more: 1 } }, case_id },
      };
    },
    audit: 'run.start',
    list: '/soar/playbook_activity',
    idOf: (body) => body.run_id,
  },
  'cases.create': {
    ask: async () => ({ path: '/case', body: { alert_name: 'One' }, otherBody: { alert_name: 'Two' } }),
    audit: 'case.create',
    list: '/case',
    itemsOf: ({ cases }) => cases as unknown[],
  },
  'cases.update': {
    ask: async (world) => {
      const path = `/case/${await opened(world)}`;
      return { path, list: path, body: { comment: 'Looking' }, otherBody: { comment: 'Still looking' } };
    },
    audit: 'case.update',
    list: '/case',
    itemsOf: ({ activity }) => activity as unknown[],
    idOf: ({ activity }) => (activity as { id: string }[] | undefined)?.at(-1)?.id,
  },
  'contacts.create': {
    ask: async () => ({ path: '/contacts', body: contact, otherBody: { ...contact, name: 'Another' } }),
    audit: 'contact.create',
    list: '/contacts',
  },
  'api-keys.create': {
    ask: async ({ tenant }) => {
      const expires_at = new Date(Date.now() + 3_600_000).toISOString();
      const body = { name: 'Shipper', tenant, role: 'Analyst', expires_at };
      return { path: '/me/api_keys', body, otherBody: { ...body, name: 'Another' } };
    },
    audit: 'api_key.create',
    list: '/me/api_keys',
  },
  'sources.create': {
    ask: async () => ({
      path: '/api/{tenant}/event/sources/new',
      body: { name: 'Shipper', kind: 'ndjson' },
      otherBody: { name: 'Another', kind: 'ndjson' },
    }),
    audit: 'source.create',
    list: '/api/{tenant}/event/sources',
  },
  'sso.create': {
    ask: async () => ({
      path: '/settings/sso',
      body: ssoConnection,
      otherBody: { ...ssoConnection, client_secret: 'another secret' },
    }),
    audit: 'sso_connection.create',
    list: '/settings/sso',
  },
  'contract.upload': {
    ask: async (world) => {
      const terms = { start_date: '2026-01-01', end_date: '2027-01-01', renewal_notice_date: '2026-10-01', seats: 25 };
      expect((await world.send(world.actor, 'PUT', at(world, '/contract'), terms)).status).toBe(200);
      return {
        path: '/contract/files?name=Terms.pdf',
        body: Buffer.from('%PDF-1.4\n%%EOF\n'),
        otherBody: Buffer.from('%PDF-1.4\n%more\n%%EOF\n'),
        headers: { 'content-type': 'application/pdf' },
      };
    },
    audit: 'contract.add_file',
    list: '/contract',
    itemsOf: ({ files }) => files as unknown[],
  },
  'policies.import': {
    ask: async () => ({
      path: '/soar/rules/import',
      body: { files: [sigmaFile('One')] },
      otherBody: { files: [sigmaFile('Two')] },
    }),
    audit: 'policy.import',
    list: '/soar/rules',
    idOf: ({ rules: imported }) => (imported as { policy_id: string | null }[] | undefined)?.[0]?.policy_id,
  },
  'openapi.upload': {
    ask: async () => ({
      path: '/openapi/documents',
      body: service('One'),
      otherBody: service('Two'),
      headers: { 'content-type': 'application/json' },
    }),
    audit: 'openapi.upload',
    parallel: 10,
  },
  'openapi.import': {
    ask: async (world) => {
      const [document_id, other] = [await uploaded(world, 'One'), await uploaded(world, 'Two')];
      const chosen = { operations: ['GET /hosts'], credential: { kind: 'none' } };
      return {
        path: '/openapi/integrations',
        body: { ...chosen, document_id },
        otherBody: { ...chosen, document_id: other },
      };
    },
    audit: 'integration.import',
    list: '/openapi/integrations',
    parallel: 10,
  },
  'executive-reports.create': {
    ask: async () => ({ path: '/reports', body: { month: monthBefore(1) }, otherBody: { month: monthBefore(2) } }),
    audit: 'executive_report.create',
    list: '/reports',
  },
  'notifications.webhook-secret': {
    ask: async () => ({ path: '/me/notification_webhook/secret' }),
    audit: 'webhook_secret.create',
    idOf: ({ secret }) => secret,
  },
  'users.invite': {
    ask: async () => {
      const [one, other] = [randomUUID(), randomUUID()];
      const body = { email: `${one}@example.com`, fullname: 'Kim', role: 'Analyst' };
      return { method: 'PUT', path: '/users', body, otherBody: { ...body, email: `${other}@example.com` } };
    },
    audit: 'invitation.send',
    list: '/users?show_all=true&limit=100',
    itemsOf: (body) => body as unknown as unknown[],
  },
  'customers.create': {
    ask: async ({ tenant, database }) => {
      await database.system((tx) =>
        tx.updateTable('tenant').set({ is_provider: true }).where('id', '=', tenant).execute(),
      );
      const admin = { email: `${randomUUID()}@example.com`, fullname: 'Kim' };
      const body = { name: 'Bakery', sku_info: { ...fullPlan }, admin };
      return { path: '/customers', body, otherBody: { ...body, name: 'Brewery' } };
    },
    audit: 'customer.create',
    list: '/customers',
  },
  'search.saved-create': {
    ask: async () => {
      const body = { name: 'Failed sign-ins', criteria: { query: 'failed' }, time_range: { preset: 'last_24h' } };
      return { path: '/search/saved', body, otherBody: { ...body, name: 'Another' } };
    },
    audit: 'saved_search.create',
    list: '/search/saved',
  },
  'rule-responses.create': {
    ask: async (world) => {
      const policy = await world.send(world.actor, 'POST', at(world, '/soar/rules'), { rule: guessingRule() });
      const definition_id = await world.runs.add(reading);
      const body = {
        ...{ rule_id: policy.body.id, response_name: 'Look', response_type: 'playbook', definition_id },
        ...{ inputs: {}, conditions: null, connector_id: null, enabled: true },
      };
      return { path: '/soar/rule_responses', body, otherBody: { ...body, response_name: 'Look again' } };
    },
    audit: 'rule_response.create',
    list: '/soar/rule_responses',
    idOf: ({ rule_id: rule, response_name: name }) => `${String(rule)}-${String(name).replaceAll(' ', '-')}`,
  },
  'cases.bulk': {
    ask: async (world) => {
      const cases = [await opened(world)];
      const playbook_id = await world.runs.add(reading);
      return {
        path: '/case/bulk',
        body: { cases, playbook: { playbook_id, inputs: {} } },
        otherBody: { cases, playbook: { playbook_id, inputs: { more: 1 } } },
      };
    },
    audit: 'run.start',
    list: '/soar/playbook_activity',
    idOf: ({ results }) => (results as { run_id: string | null }[] | undefined)?.[0]?.run_id,
    shared: true,
    // Of cases that are named case by case, so that what has begun before is told as well.
    refused: { status: 200, body: { results: [{ outcome: 'refused', run_id: null }] } },
  },
};

/** A description of a service with one operation. */
const service = (title: string) =>
  Buffer.from(
    JSON.stringify({
      ...{ openapi: '3.0.3', info: { title, version: '1' }, servers: [{ url: 'https://service.example' }] },
      paths: { '/hosts': { get: { operationId: 'list', responses: { 200: { description: 'ok' } } } } },
    }),
  );

async function uploaded(world: World, title: string): Promise<string> {
  const url = at(world, '/openapi/documents');
  const made = await world.send(world.actor, 'POST', url, service(title), { 'content-type': 'application/json' });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return String(made.body.id);
}

function monthBefore(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)).toISOString().slice(0, 7);
}

async function asking(where: World & { runs: RunsWorkspace }, more: object = {}) {
  const runId = await where.runs.start(await where.runs.add([node.ask('ask', more)]));
  await where.runs.reaches(runId, 'waiting');
  return { runId, path: await where.runs.promptPath(runId) };
}

/** An address of its own where it begins with `/api/` or `/me/`. */
const at = ({ tenant }: World, path: string) =>
  /^\/(api|me)\//.test(path) ? path.replace('{tenant}', tenant) : `/api/tenants/${tenant}${path}`;

async function opened(world: World): Promise<string> {
  const made = await world.send(world.actor, 'POST', at(world, '/case'), { alert_name: 'One' });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return String(made.body.id);
}

/** Where an action that ended without success is run again. */
async function cancelled(world: World, to: string): Promise<string> {
  const later = { ...send(to), time_scheduled: new Date(Date.now() + 3_600_000).toISOString() };
  const started = await world.send(world.actor, 'POST', at(world, '/soar/actions_activity'), later);
  const path = `/soar/actions_activity/${String(actionOf(started.body))}`;
  expect((await world.send(world.actor, 'POST', at(world, `${path}/cancel`))).status).toBe(202);
  return `${path}/retry`;
}

async function world(): Promise<World & { runs: RunsWorkspace }> {
  const workspace = await runs.workspace();
  const { tenant, admin: actor } = workspace;
  return {
    ...{
      tenant,
      actor,
      database: runs.server.stores.database,
      runs: workspace,
      colleague: () => workspace.person('Admin'),
    },
    send: (actor, method, path, payload, headers = {}) =>
      runs.call(actor, method, path, payload, headers as Record<string, string>),
  };
}

type Listed = { list: string | undefined; itemsOf?: Row['itemsOf'] };

async function counted(where: World, { list, itemsOf = firstList }: Listed): Promise<number> {
  if (list === undefined) return Number.NaN;
  const { status, body } = await where.send(where.actor, 'GET', at(where, list));
  expect(status).toBe(200);
  return itemsOf(body).length;
}

function firstList(body: object): readonly unknown[] {
  return Array.isArray(body) ? body : (Object.values(body).find(Array.isArray) ?? []);
}

async function audited({ tenant, database }: World, action: AuditAction): Promise<number> {
  const found = await database.tenant(tenant, (tx) =>
    tx.selectFrom('audit_record').select('action').where('action', '=', action).where('outcome', '=', 'ok').execute(),
  );
  return found.length;
}

const reused: Answer = { status: 422, body: { code: 'IDEMPOTENCY_KEY_REUSED' } };

async function holds(
  where: World,
  asked: Asked,
  { idOf = (body) => body.id, shared, refused = reused, audit, parallel = PARALLEL, ...row }: Omit<Row, 'ask'>,
): Promise<void> {
  const shown = { itemsOf: row.itemsOf, list: asked.list ?? row.list };
  const before = await counted(where, shown);
  const auditedBefore = await audited(where, audit);
  const ask = ({ actor = where.actor, body = asked.body, path = asked.path } = {}) =>
    where.send(actor, asked.method ?? 'POST', at(where, path), body, { ...KEY, ...asked.headers });
  const first = await Promise.all(Array.from({ length: parallel }, () => ask()));
  const answers: Answer[] = [];
  for (const answer of first) answers.push(answer.status === 429 && shared ? await ask() : answer);
  const told = answers.map(({ status, body }) => `${status} ${String(idOf(body) ?? JSON.stringify(body))}`);
  expect([...new Set(told)]).toHaveLength(1);
  expect(told[0]).toMatch(/^20[0-2] [\w-]{36,}$/);
  expect(await counted(where, shown)).toBe(before + 1);

  const other = { body: asked.otherBody, path: asked.otherPath ?? asked.path };
  if (asked.otherBody ?? asked.otherPath) expect(await ask(other)).toMatchObject(refused);
  expect(await counted(where, shown)).toBe(before + 1);
  // What is told of a run is written by whoever works on it.
  await vi.waitFor(async () => expect(await audited(where, audit)).toBe(auditedBefore + 1), { timeout: 30_000 });

  const theirs = await ask({ ...other, actor: await where.colleague() });
  expect(theirs.status, JSON.stringify(theirs.body)).toBe(answers[0]?.status);
  expect(idOf(theirs.body)).toMatch(/^[\w-]{36,}$/);
  expect(idOf(theirs.body)).not.toBe(idOf(answers[0]?.body ?? {}));
}

test('an answer to a question that is sent again is told of itself, another one that it comes too late', async () => {
  const where = await world();
  const { runId, path } = await asking(where);
  const answer = (option: string, headers: object, actor = where.actor) =>
    where.send(actor, 'POST', path, { option }, headers);
  const told = await Promise.all(Array.from({ length: PARALLEL }, () => answer('keep', KEY)));
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(told.map(({ body }) => JSON.stringify(body.answered)))).toHaveLength(1);
  await where.runs.reaches(runId, 'success');
  expect(await answer('keep', KEY)).toEqual(told[0]);
  expect(await answer('delete', KEY)).toMatchObject(reused);
  const late = { status: 409, body: { code: 'PROMPT_ALREADY_ANSWERED' } };
  expect(await answer('keep', {})).toMatchObject(late);
  expect(await answer('keep', KEY, await where.colleague())).toMatchObject(late);
  expect(await audited(where, 'prompt.answer')).toBe(1);
});

test('who may not answer is not told so for ever by the same key', async () => {
  const where = await world();
  const colleague = await where.colleague();
  const { path } = await asking(where, { approvers: { usernames: [colleague.email] } });
  const refused = { status: 403, body: { code: 'PROMPT_NOT_APPROVER' } };
  expect(await where.send(where.actor, 'POST', path, { option: 'keep' }, KEY)).toMatchObject(refused);
  expect(await audited(where, 'prompt.answer')).toBe(0);
  expect(await where.send(where.actor, 'POST', path, { option: 'delete' }, KEY)).toMatchObject(refused);
});

describe(`of ${PARALLEL} equal requests at once with one key, one acts and all are told of it; another body or person`, () => {
  test.each(Object.keys(rows) as RouteId[])('%s', { timeout: 120_000 }, async (id) => {
    const row = rows[id];
    if (row === undefined) throw new Error(`${id} has no row.`);
    const where = await world();
    await holds(where, await row.ask(where), row);
  });

  test('automation-rules.create', { timeout: 120_000 }, async () => {
    const { tenant, analyst, path, send: call, blocking } = await alerts.createWorkspace();
    const where: World = {
      ...{ tenant, actor: analyst, database: alerts.server.stores.database },
      colleague: () => alerts.server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } }),
      send: (actor, method, url, payload, headers) =>
        call(method as 'GET' | 'POST', url, payload, { actor, headers }) as Promise<Answer>,
    };
    const relative = path.replace(`/api/tenants/${tenant}`, '');
    const asked = { path: relative, body: blocking(), otherBody: blocking({ name: 'Another' }) };
    await holds(where, asked, { list: relative, audit: 'automation_rule.create' });
  });
});

test('a key of one tenant is another one in the next, also of the same person', async () => {
  const [one, two] = [await world(), await world()];
  const both = await runs.server.createActor({
    home: one.tenant,
    roles: { [one.tenant]: 'Admin', [two.tenant]: 'Admin' },
  });
  const made = async (where: World, name: string) =>
    (await where.send(both, 'POST', at(where, '/soar/rules'), { rule: { ...guessingRule(), name } }, KEY)).status;
  expect([await made(one, 'One'), await made(two, 'Two')]).toEqual([201, 201]);
  const started = async (where: World, path: string) =>
    (await where.send(both, 'POST', at(where, '/soar/actions_activity'), send(path), KEY)).status;
  expect([await started(one, '/one'), await started(two, '/two')]).toEqual([202, 202]);
});

test('a key longer than 200 characters is refused before anything is done', async () => {
  const where = await world();
  const headers = { 'idempotency-key': 'k'.repeat(201) };
  const answer = await where.send(where.actor, 'POST', at(where, '/soar/rules'), { rule: guessingRule() }, headers);
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'Idempotency-Key' }] } });
  expect(await counted(where, { list: '/soar/rules' })).toBe(0);
  // Also where the key is not kept.
  const read = await where.send(where.actor, 'POST', at(where, '/notifications/read'), {}, headers);
  expect(read).toMatchObject({ status: 400, body: { details: [{ path: 'Idempotency-Key' }] } });
});

/** The key of a delivery is the source's, not a person's. */
const askedElsewhere = { 'sources.ingest': 'modules/ingestion/exactly-once.test.ts' };

test('every route whose contract refuses a used key is asked above', () => {
  const taking = (Object.keys(routeTable) as RouteId[]).filter((id) =>
    (routeTable[id] as { errors?: readonly string[] }).errors?.includes('IDEMPOTENCY_KEY_REUSED'),
  );
  const asked = [...Object.keys(rows), 'automation-rules.create', 'prompts.answer', ...Object.keys(askedElsewhere)];
  expect(taking.sort()).toEqual(asked.sort());
});
