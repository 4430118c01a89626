import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { actionDefinitionSchema } from '@airdeck/contracts/actions/schema';
import { integrationDetailSchema, integrationSchema } from '@airdeck/contracts/integrations/schema';
import {
  type ImportedIntegration,
  importedIntegrationSchema,
  openapiDocumentSchema,
} from '@airdeck/contracts/openapi/schema';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { calledWithin } from '../../storage/test-waiting.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { starterPolicies } from '../policies/starter-policies.ts';
import { lockIntegrations } from './openapi-import-repository.ts';

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
const SECRET = 'planted-key-of-the-inventory';

const inventory = {
  openapi: '3.0.3',
  info: { title: 'Inventory', version: '7', description: 'Knows every host.' },
  servers: [{ url: 'https://inventory.example/v1' }],
  security: [{ key: [] }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  paths: {
    '/hosts/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getHost',
        summary: 'Look up a host',
        responses: { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } },
      },
      delete: { operationId: 'deleteHost', responses: { 204: { description: 'gone' } } },
    },
    '/hosts': {
      post: {
        operationId: 'addHost',
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
            },
          },
        },
        responses: { 201: { description: 'ok' } },
      },
    },
  },
};

let service: Server;
let seen: { method: string; url: string; key: string | undefined }[] = [];
let base: string;
let server: TestServer;
let tenant: string;
let manager: Actor;

beforeAll(async () => {
  service = createServer((request, response) => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', key: request.headers['x-key']?.toString() });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: '42', echoed: request.headers['x-key'] }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  const { port } = service.address() as AddressInfo;
  base = `http://127.0.0.1:${port}/v1`;
  server = await createTestServer({ sandbox: { host: '127.0.0.1', port } });
});
afterAll(async () => {
  await server?.close();
  service.closeAllConnections();
  service.close();
});
beforeEach(async () => {
  seen = [];
  tenant = await server.createTenant();
  manager = await server.createActor({ home: tenant, roles: { [tenant]: 'SystemManager' } });
});

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Call = { actor?: Actor; of?: string; headers?: Record<string, string> };

async function call(
  method: Method,
  path: string,
  payload?: object | string | Buffer,
  { actor = manager, of = tenant, headers = {} }: Call = {},
) {
  const answer = await server.inject({
    method,
    url: `/api/tenants/${of}/${path}`,
    headers: { ...actor.headers, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, text: answer.body, body: answer.body === '' ? undefined : answer.json() };
}

const upload = (document: object | string = inventory, more: Call = {}) =>
  call('POST', 'openapi/documents', Buffer.from(typeof document === 'string' ? document : JSON.stringify(document)), {
    ...more,
    headers: { 'content-type': 'application/yaml' },
  });

async function uploaded(document: object = inventory) {
  const answer = await upload(document);
  expect(answer.status, answer.text).toBe(201);
  return openapiDocumentSchema.parse(answer.body);
}

async function imported(operations = ['GET /hosts/{id}', 'POST /hosts'], more = {}): Promise<ImportedIntegration> {
  const { id: document_id } = await uploaded();
  const answer = await call('POST', 'openapi/integrations', { document_id, operations, ...more });
  expect(answer.status, answer.text).toBe(201);
  return importedIntegrationSchema.parse(answer.body);
}

async function connect({ definition_id }: ImportedIntegration, config = {}): Promise<string> {
  const answer = await call('PUT', 'connectors', {
    definition_id,
    name: 'Our inventory',
    config: { base_url: base, key_secret: SECRET, ...config },
  });
  expect(answer.status, answer.text).toBe(200);
  return String((answer.body as { id: string }).id);
}

const run = (action: string, input: object, more: Call = {}) =>
  call('POST', 'soar/synchronous_action', { action_name: action, action_input: input }, more);

const auditOf = (of = tenant) =>
  server.stores.database.tenant(of, (tx) =>
    tx
      .selectFrom('audit_record')
      .select(['action', 'outcome', 'data'])
      .where('target_kind', '=', 'integration')
      .orderBy('sequence')
      .execute(),
  );

describe('a description of an API', () => {
  it('becomes an integration whose actions run with the credentials of a connector', async () => {
    const document = await uploaded();
    expect(document.operations.map(({ key }) => key)).toEqual(['GET /hosts/{id}', 'DELETE /hosts/{id}', 'POST /hosts']);
    const integration = await imported();
    expect(integration).toMatchObject({ name: 'Inventory', version: 1, description: 'Knows every host.' });
    await connect(integration);
    const [look = ''] = integration.actions;
    const answer = await run(look, { id: '4/2' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body).toMatchObject({ action_output: { status: 200, body: { id: '42', echoed: '[secret]' } } });
    expect(seen).toContainEqual({ method: 'GET', url: '/v1/hosts/4%2F2', key: SECRET });
    expect(await auditOf()).toMatchObject([
      { action: 'openapi.upload' },
      { action: 'openapi.upload' },
      { action: 'integration.import', data: { name: 'Inventory', version: 1, actions: 2 } },
    ]);
  });

  it('with texts that no store takes becomes an integration without them', async () => {
    const odd = {
      ...inventory,
      info: { title: `${'x'.repeat(78)}\u{1f600}\u{1f600}`, version: '1\0' },
      paths: {
        '/odd': {
          post: {
            operationId: 'odd',
            requestBody: {
              content: {
                'application/json': { schema: { type: 'object', properties: { 'a\0b': { enum: ['\ud800', 'x'] } } } },
              },
            },
            responses: {},
          },
        },
      },
    };
    const { id: document_id } = await uploaded(odd);
    const answer = await call('POST', 'openapi/integrations', { document_id, operations: ['POST /odd'] });
    expect(answer.status, answer.text).toBe(201);
    const integration = importedIntegrationSchema.parse(answer.body);
    expect(integration.name).toBe(`${'x'.repeat(78)}…`);
    await connect(integration);
    const ran = await run(integration.actions[0] ?? '', { body: { 'a\ufffdb': '\ufffd' } });
    expect(ran.status, ran.text).toBe(200);
  });

  it('in YAML with a NUL as it is, is imported all the same', async () => {
    const paths =
      'paths: { /odd: { get: { tags: ["\0"], parameters: [{ name: q, in: query, schema: { enum: ["a\0b"] } }] } } }';
    const kept = await upload(`openapi: 3.1.0\ninfo: { title: Odd, version: "1" }\n${paths}\n`);
    expect(kept.status, kept.text).toBe(201);
    const document_id = (kept.body as { id: string }).id;
    const answer = await call('POST', 'openapi/integrations', { document_id, operations: ['GET /odd'] });
    expect(answer.status, answer.text).toBe(201);
  });

  it('tells about itself what somebody has to know before importing', async () => {
    expect(await uploaded()).toMatchObject({
      title: 'Inventory',
      description: 'Knows every host.',
      api_version: '7',
      servers: ['https://inventory.example/v1'],
      base_url: 'https://inventory.example/v1',
      credentials: ['X-Key (header)'],
      warnings: [],
      operations: [{ effect: 'reads' }, { effect: 'destroys' }, { effect: 'changes' }],
    });
    const bare = { openapi: '3.0.3', info: {}, servers: [{ url: '/v1' }], paths: { '/a': { get: {} } } };
    expect(await uploaded(bare)).toMatchObject({
      title: '',
      servers: ['/v1'],
      base_url: null,
      credentials: [],
      warnings: [
        'The address in the document is not complete: enter the one you use.',
        'The document describes no credentials that can be used: choose how to sign in.',
      ],
    });
  });

  it('takes another address and other credentials than the document names', async () => {
    const credential = { kind: 'key', place: 'header', name: 'X-Key' };
    const integration = await imported(['GET /hosts/{id}'], { base_url: `${base}/`, credential });
    const detail = integrationDetailSchema.parse(
      (await call('GET', `available_integrations/${integration.definition_id}`)).body,
    );
    expect(detail).toMatchObject({ imported: true, setup: { steps: [], unconfirmed: [], url: null } });
    expect(detail.setup.notes).toEqual([expect.stringContaining('OpenAPI'), expect.stringContaining('30 seconds')]);
    expect(detail.config_schema).toMatchObject({
      required: ['base_url', 'credential_secret'],
      properties: { base_url: { default: base }, credential_secret: { secret: true, title: 'X-Key (header)' } },
    });
    await connect(integration, { key_secret: undefined, credential_secret: SECRET });
    expect((await run(integration.actions[0] ?? '', { id: '1' })).status).toBe(200);
    expect(seen).toContainEqual({ method: 'GET', url: '/v1/hosts/1', key: SECRET });
  });

  it.each([
    [{ base_url: 'https://user:word@inventory.example' }, 'body.base_url'],
    [{ base_url: 'file:///etc/passwd' }, 'body.base_url'],
    [{ base_url: 'https://inventory.example/?to=x' }, 'body.base_url'],
    [{ base_url: 'https://{tenant}.inventory.example' }, 'body.base_url'],
    // Nothing that is called so is listed.
    [{ name: ' SIEM ' }, 'body.name'],
    [{ credential: { kind: 'key', place: 'header', name: 'Host' } }, 'body.credential.name'],
    [{ credential: { kind: 'key', place: 'header', name: 'Transfer-Encoding' } }, 'body.credential.name'],
    [{ credential: { kind: 'key', place: 'header', name: 'X\r\nHost: a' } }, 'credential'],
    [{ credential: { kind: 'key', place: 'cookie', name: 'session' } }, 'credential'],
    [{ credential: { kind: 'token' } }, 'credential'],
  ])('is not imported with %j', async (more, path) => {
    const { id: document_id } = await uploaded();
    const answer = await call('POST', 'openapi/integrations', { document_id, operations: ['POST /hosts'], ...more });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining(path) });
    expect((await call('GET', 'openapi/integrations')).body).toEqual([]);
  });

  it('is shown among what can be connected and done, like any other', async () => {
    const { definition_id, actions } = await imported();
    const integrations = z.array(integrationSchema).parse((await call('GET', 'available_integrations')).body);
    expect(integrations.find(({ id }) => id === definition_id)).toMatchObject({ name: 'Inventory', actions });
    expect(integrations.length).toBeGreaterThan(10);
    const catalogue = z.array(actionDefinitionSchema).parse((await call('GET', 'soar/available_actions')).body);
    expect(catalogue.filter((action) => action.definition_id === definition_id)).toHaveLength(2);
    expect((await call('GET', `soar/available_actions/${actions[0]}`)).body).toMatchObject({ effect: 'reads' });
  });

  it('runs in the background as a run like any other, named as the document names it', async () => {
    const integration = await imported(['GET /hosts/{id}']);
    await connect(integration);
    const [look = ''] = integration.actions;
    const started = await call('POST', 'soar/actions_activity', { action_name: look, action_input: { id: '1' } });
    expect(started.status, started.text).toBeLessThan(300);
    await expect.poll(() => seen.filter(({ url }) => url === '/v1/hosts/1').length).toBe(1);
  });

  it('refuses an input that its schema does not allow before anything is called', async () => {
    const integration = await imported(['POST /hosts']);
    await connect(integration);
    const before = seen.length;
    const [add = ''] = integration.actions;
    expect(await run(add, {})).toMatchObject({ status: 400, body: { code: 'ACTION_INPUT_INVALID' } });
    expect(seen.filter(({ method }) => method === 'POST').length).toBe(0);
    expect(seen.length).toBeLessThanOrEqual(before + 1);
  });

  it.each([
    ['nothing', '', 400],
    ['no OpenAPI', '{"a":1}', 400],
    ['half a document', '{"openapi":"3.0.0"', 400],
    ['a YAML tag', '!!js/function "x"', 400],
    ['too much', `{"openapi":"3.0.0","x":"${'x'.repeat(5 * 1_048_576)}"}`, 413],
  ])('is refused when it is %s, and nothing is kept', async (_what, text, status) => {
    const answer = await upload(text);
    expect(answer.status, answer.text.slice(0, 300)).toBe(status);
    expect(await auditOf()).toEqual([]);
  });

  it('is asked for operations it has, each once', async () => {
    const { id: document_id } = await uploaded();
    for (const operations of [[], ['GET /other'], ['POST /hosts', 'POST /hosts']]) {
      expect((await call('POST', 'openapi/integrations', { document_id, operations })).status).toBe(400);
    }
    expect((await call('GET', 'openapi/integrations')).body).toEqual([]);
  });

  it('is not kept when its operations are too large together', async () => {
    const fields = Array.from({ length: 150 }, (_, index) => [`field${index}${'x'.repeat(150)}`, { type: 'string' }]);
    const Big = { type: 'object', properties: Object.fromEntries(fields) as object };
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Big' } } };
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const document = await uploaded({
      openapi: '3.0.3',
      info: { title: 'Big', version: '1' },
      components: { schemas: { Big } },
      paths: Object.fromEntries(
        numbers.map((n) => [`/big${n}`, { post: { requestBody: { content }, responses: {} } }]),
      ),
    });
    const operations = numbers.map((n) => `POST /big${n}`);
    const all = await call('POST', 'openapi/integrations', { document_id: document.id, operations });
    expect(all).toMatchObject({ status: 400, text: expect.stringContaining('Choose fewer') });
    const one = await call('POST', 'openapi/integrations', { document_id: document.id, operations: ['POST /big7'] });
    expect(one.status, one.text).toBe(201);
  });

  it('imported again makes a new version, unless somebody else was faster', async () => {
    const first = await imported(['GET /hosts/{id}']);
    const replaces = { id: first.id, version: 1 };
    const second = await imported(['POST /hosts'], { replaces });
    expect(second).toMatchObject({ id: first.id, definition_id: first.definition_id, version: 2 });
    expect(second.actions).not.toEqual(first.actions);
    const { id: document_id } = await uploaded();
    const late = await call('POST', 'openapi/integrations', { document_id, operations: ['POST /hosts'], replaces });
    expect(late).toMatchObject({ status: 409 });
    expect(await run(first.actions[0] ?? '', { id: '1' })).toMatchObject({ status: 404 });
  });

  it('imported again with another credential, its connectors ask for that one and forget the one before', async () => {
    const basic = { credential: { kind: 'basic' } };
    const first = await imported(['GET /hosts/{id}'], basic);
    const before = { key_secret: undefined, credential_username: 'ann', credential_secret: SECRET };
    const id = await connect(first, before);
    const path = `connectors/${id}`;
    await imported(['GET /hosts/{id}'], { replaces: { id: first.id, version: 1 } });
    const [look = ''] = first.actions;
    expect(await run(look, { id: '1' })).toMatchObject({ status: 502 });

    const shown = await call('GET', path);
    expect(shown.body).toMatchObject({ config: { base_url: base } });
    expect(shown.text).not.toContain('credential_');
    // What is missing is asked for, and nothing else is in the way.
    const renamed = await call('PATCH', path, { name: 'Hosts' });
    expect(renamed).toMatchObject({ status: 400, body: { details: [{ path: 'config.key_secret' }] } });
    expect(renamed.body).toMatchObject({ details: { length: 1 } });
    const tried = { definition_id: first.definition_id, connector_id: id, test: false };
    const config = { ...(shown.body as { config: object }).config, key_secret: SECRET };
    const validated = await call('POST', 'validate_connector_configuration', { ...tried, config });
    expect(validated.body).toMatchObject({ valid: true, errors: [] });

    const saved = await call('PATCH', path, { config: { key_secret: SECRET } });
    expect(saved.status, saved.text).toBe(200);
    expect((saved.body as { config: object }).config).toEqual({
      base_url: base,
      key_secret: { $secret: true, set_at: expect.any(String) },
    });
    const fields = await server.stores.database.tenant(tenant, (tx) =>
      tx.selectFrom('connector_secret').select('field').where('connector_id', '=', id).execute(),
    );
    expect(fields).toEqual([{ field: 'key_secret' }]);
    expect((await call('PATCH', path, { name: 'Hosts' })).status).toBe(200);
    expect((await run(look, { id: '1' })).status).toBe(200);
    expect(seen).toContainEqual({ method: 'GET', url: '/v1/hosts/1', key: SECRET });
  });

  it('imported again as it is, keeps the ids of its actions and their operations', async () => {
    const operations = ['GET /hosts/{id}', 'POST /hosts'];
    const first = await imported(operations);
    expect(first.operations).toEqual(operations);
    const second = await imported(operations, { replaces: { id: first.id, version: 1 } });
    expect(second).toMatchObject({ actions: first.actions, operations });
  });

  it('never gives the id of an action to another operation, in whatever version it comes back', async () => {
    const paths = Object.fromEntries(
      ['/a', '/b', '/c'].map((path) => [path, { get: { operationId: '42', responses: {} } }]),
    );
    const { id: document_id } = await uploaded({ ...inventory, paths });
    const make = async (operations: string[], replaces?: object) => {
      const answer = await call('POST', 'openapi/integrations', { document_id, operations, replaces });
      expect(answer.status, answer.text).toBe(201);
      const { id, actions, version } = importedIntegrationSchema.parse(answer.body);
      return { replaces: { id, version }, verbs: actions.map((action) => action.split('.')[1]) };
    };
    const first = await make(['GET /a', 'GET /b']);
    expect(first.verbs).toEqual(['call', 'call_2']);
    const second = await make(['GET /b'], first.replaces);
    expect(second.verbs).toEqual(['call_2']);
    const third = await make(['GET /b', 'GET /c'], second.replaces);
    expect(third.verbs).toEqual(['call_2', 'call_3']);
    expect((await make(['GET /a', 'GET /c'], third.replaces)).verbs).toEqual(['call', 'call_3']);
  });

  it('has a name no other one has, also when five are imported at once', async () => {
    const { id: document_id } = await uploaded();
    const tries = await Promise.all(
      Array.from({ length: 5 }, () =>
        call('POST', 'openapi/integrations', { document_id, operations: ['POST /hosts'] }),
      ),
    );
    expect(tries.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 4 }, () => 409)]);
  });
});

describe('another tenant', () => {
  it('neither sees, connects, runs, replaces nor deletes an integration that is not its own', async () => {
    const integration = await imported();
    await connect(integration);
    const other = await server.createTenant();
    const actor = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    const there = { actor, of: other };
    const { id, definition_id, actions } = integration;
    const list = (await call('GET', 'available_integrations', undefined, there)).text;
    const catalogue = (await call('GET', 'soar/available_actions', undefined, there)).text;
    expect(`${list}${catalogue}`).not.toContain(definition_id);
    expect((await call('GET', 'openapi/integrations', undefined, there)).body).toEqual([]);
    const calls = seen.length;
    const tries = await Promise.all([
      call('GET', `available_integrations/${definition_id}`, undefined, there),
      call('GET', `soar/available_actions/${actions[0]}`, undefined, there),
      run(actions[0] ?? '', { id: '1' }, there),
      call('POST', 'soar/actions_activity', { action_name: actions[0], action_input: { id: '1' } }, there),
      call('PUT', 'connectors', { definition_id, name: 'X', config: { base_url: base, key_secret: 'x' } }, there),
      call('POST', 'validate_connector_configuration', { definition_id, config: { base_url: base } }, there),
      call('DELETE', `openapi/integrations/${id}`, undefined, there),
    ]);
    expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 404));
    const document = openapiDocumentSchema.parse((await upload(inventory, there)).body);
    const body = { document_id: document.id, operations: ['POST /hosts'], replaces: { id, version: 1 } };
    expect(await call('POST', 'openapi/integrations', body, there)).toMatchObject({ status: 404 });
    // Its document is not to be used from here either.
    const mine = { document_id: document.id, operations: ['POST /hosts'] };
    expect(await call('POST', 'openapi/integrations', mine)).toMatchObject({ status: 404 });
    expect(seen.length).toBe(calls);
    expect((await call('GET', 'openapi/integrations')).body).toHaveLength(1);
  });
});

describe('people below System Manager', () => {
  it.each(['Analyst', 'ReadOnly'] as const)('such as a %s import and delete nothing', async (role) => {
    const { id } = await imported();
    const actor = await server.createActor({ home: tenant, roles: { [tenant]: role } });
    const tries = await Promise.all([
      upload(inventory, { actor }),
      call('GET', 'openapi/integrations', undefined, { actor }),
      call('POST', 'openapi/integrations', { document_id: id, operations: ['x'] }, { actor }),
      call('DELETE', `openapi/integrations/${id}`, undefined, { actor }),
    ]);
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });
});

describe('an imported integration', () => {
  const confirmed = { headers: { 'x-air-confirm': 'true' } };

  it('is not deleted while a connector, a playbook or a response uses it', async () => {
    const integration = await imported();
    const connector = await connect(integration);
    const path = `openapi/integrations/${integration.id}`;
    const kept = await call('DELETE', path);
    expect(kept).toMatchObject({ status: 409, text: expect.stringContaining('Our inventory') });
    expect(JSON.parse(kept.text)).toMatchObject({
      reason: 'INTEGRATION_USED',
      values: { uses: [{ reason: 'USED_BY_CONNECTOR', values: { name: 'Our inventory' } }] },
    });
    await server.stores.database.tenant(tenant, (tx) =>
      tx.deleteFrom('connector').where('id', '=', connector).execute(),
    );
    const { work } = server.composition;
    const [rule] = starterPolicies;
    if (rule === undefined) throw new Error('There is no starter policy.');
    await server.stores.database.tenant(tenant, async (tx) => {
      const response = {
        rule_id: await work.policies.create(tx, trustedTenantScope(tenant), { rule }, by),
        response_name: 'Note the host',
        response_type: 'action' as const,
        definition_id: integration.actions[0] ?? '',
        connector_id: null,
        inputs: {},
        enabled: true,
        created_by: 'Test',
        owner_user_id: null,
      };
      await work.addRuleResponse(tx, trustedTenantScope(tenant), response, by);
    });
    expect(await call('DELETE', path)).toMatchObject({ status: 409, text: expect.stringContaining('Note the host') });
    await server.stores.database.tenant(tenant, async (tx) => {
      await tx.deleteFrom('rule_response').where('tenant_id', '=', tenant).execute();
      const definition = { metadata: { name: 'Look around' }, actions: [{ id: 'a', action: integration.actions[0] }] };
      await tx
        .insertInto('playbook')
        .values({ id: integration.id, tenant_id: tenant, definition: JSON.stringify(definition) })
        .execute();
    });
    expect(await call('DELETE', path)).toMatchObject({ status: 409, text: expect.stringContaining('Look around') });
    expect((await call('GET', 'openapi/integrations')).body).toHaveLength(1);
  });

  describe('some of whose actions are used', () => {
    const both = ['GET /hosts/{id}', 'POST /hosts'];

    async function usedIntegration() {
      const integration = await imported(both);
      const [look = ''] = integration.actions;
      const { work } = server.composition;
      const scope = trustedTenantScope(tenant);
      const [rule] = starterPolicies;
      if (rule === undefined) throw new Error('There is no starter policy.');
      await server.stores.database.tenant(tenant, async (tx) => {
        const definition = { metadata: { name: 'Look around' }, actions: [{ id: 'a', action: look }] };
        await tx
          .insertInto('playbook')
          .values({ id: integration.id, tenant_id: tenant, definition: JSON.stringify(definition) })
          .execute();
        const response = {
          rule_id: await work.policies.create(tx, scope, { rule }, by),
          ...{ response_name: 'Note the host', response_type: 'action' as const, definition_id: look },
          ...{ connector_id: null, inputs: {}, enabled: true, created_by: 'Test', owner_user_id: null },
        };
        await work.addRuleResponse(tx, scope, response, by);
        const at = new Date();
        const alert = { name: 'Look', response_type: 'action', action_name: look, inputs: {} };
        await tx
          .insertInto('automation_rule')
          .values({
            ...{ id: integration.id, tenant_id: tenant, name: 'Look at alerts', connector_id: integration.id },
            ...{ definition_id: 'd', definition_title: 'D', responses: JSON.stringify([alert]), enabled: true },
            ...{ source_id: null, notification_state: 'missing', request_hash: null, created_at: at, updated_at: at },
            ...{ created_by: 'Test', updated_by: 'Test', owner_user_id: manager.id },
          })
          .execute();
      });
      const { id: document_id } = await uploaded();
      return { integration, body: { document_id, replaces: { id: integration.id, version: 1 } } };
    }

    const again = (body: object, more: Call = {}) => call('POST', 'openapi/integrations', body, more);

    it('is imported without them after the question, which names what uses them, and once', async () => {
      const { integration, body } = await usedIntegration();
      const without = { ...body, operations: ['POST /hosts'] };
      const key = { 'idempotency-key': 'again-1' };
      const asked = await again(without, { headers: key });
      expect(asked).toMatchObject({
        status: 449,
        body: {
          confirm: {
            title: 'Import Inventory without actions that are used?',
            action_label: 'Import',
            told: {
              text: [
                {
                  reason: 'ASK_INTEGRATION_REPLACE_TEXT',
                  values: {
                    uses: [
                      { reason: 'USED_BY_PLAYBOOK', values: { name: 'Look around' } },
                      { reason: 'USED_BY_RESPONSE', values: { name: 'Note the host' } },
                      { reason: 'USED_BY_AUTOMATION', values: { name: 'Look at alerts' } },
                    ],
                  },
                },
              ],
            },
          },
        },
      });
      expect((await call('GET', 'openapi/integrations')).body).toMatchObject([{ version: 1, operations: both }]);
      const headers = { ...key, ...confirmed.headers };
      const done = await again(without, { headers });
      expect(done).toMatchObject({ status: 201, body: { version: 2, operations: ['POST /hosts'] } });
      // Its answer was lost: it is given again, and nobody is asked again.
      expect(await again(without, { headers })).toEqual(done);
      expect((await call('GET', 'openapi/integrations')).body).toMatchObject([{ id: integration.id, version: 2 }]);
    });

    it('is asked about anew for other operations, and for another use', async () => {
      const { integration, body } = await usedIntegration();
      await again({ ...body, operations: ['POST /hosts'] });
      const other = { ...body, operations: ['DELETE /hosts/{id}'] };
      expect((await again(other, confirmed)).status).toBe(449);
      await server.stores.database.tenant(tenant, (tx) =>
        tx.updateTable('automation_rule').set({ name: 'Renamed' }).where('id', '=', integration.id).execute(),
      );
      expect((await again(other, confirmed)).status).toBe(449);
      expect((await again(other, confirmed)).status).toBe(201);
    });

    it('is imported without a question where these stay', async () => {
      const { body } = await usedIntegration();
      const more = await again({ ...body, operations: ['GET /hosts/{id}', 'DELETE /hosts/{id}'] });
      expect(more.status, more.text).toBe(201);
    });
  });

  it('is deleted after a question, with its actions', async () => {
    const integration = await imported();
    const path = `openapi/integrations/${integration.id}`;
    const asked = await call('DELETE', path);
    expect(asked).toMatchObject({ status: 449 });
    expect(await call('DELETE', path, undefined, confirmed)).toMatchObject({ status: 204 });
    expect(await call('DELETE', path, undefined, confirmed)).toMatchObject({ status: 404 });
    expect((await call('GET', 'available_integrations')).text).not.toContain(integration.definition_id);
    expect(await run(integration.actions[0] ?? '', { id: '1' })).toMatchObject({ status: 404 });
    expect((await auditOf()).at(-1)).toMatchObject({ action: 'integration.delete', outcome: 'ok' });
  });

  it('is not deleted in another version than the one that was asked about', async () => {
    const { id } = await imported();
    const path = `openapi/integrations/${id}`;
    await call('DELETE', path);
    const { answer } = await server.stores.database.tenant(tenant, async (tx) => {
      await lockIntegrations(tx, trustedTenantScope(tenant));
      await tx.updateTable('own_integration').set({ version: 2 }).where('id', '=', id).execute();
      return await calledWithin(tx, () => call('DELETE', path, undefined, confirmed));
    });
    expect(await answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await auditOf()).map(({ action }) => action)).not.toContain('integration.delete');
  });
});
