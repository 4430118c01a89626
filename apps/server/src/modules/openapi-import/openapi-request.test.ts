import type { SeenRequest, VendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import { failureOf, startVendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compileIntegration } from './openapi-connector.ts';
import { readDocument } from './openapi-document.ts';
import { makeIntegration } from './openapi-integration.ts';
import { listOperations } from './openapi-operations.ts';

const read = (value: JsonObject) => readDocument(Buffer.from(JSON.stringify(value)));

let server: VendorServer;
let answer: (request: SeenRequest) => { status?: number; json?: unknown; text?: string };
beforeAll(async () => {
  server = await startVendorServer((request) => answer(request));
});
afterAll(() => server.close());
beforeEach(() => {
  server.seen.splice(0);
  answer = () => ({ json: {} });
});

const onlyAction = (document: JsonObject) => {
  const parsed = read(document);
  const integration = makeIntegration(
    parsed,
    listOperations(parsed).map(({ key }) => key),
  );
  const [action] = compileIntegration('own', integration).actions;
  if (action === undefined) throw new Error('Nothing was imported.');
  return action;
};
const sent = async (document: JsonObject, input: JsonObject) => {
  const output = await onlyAction(document).run(server.context({ config: { base_url: server.url }, input }));
  return { output, ...server.seen.at(-1) };
};

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const users = (method: string, schema: JsonObject, type = 'application/json'): JsonObject => ({
  openapi: '3.0.3',
  paths: {
    '/users/{id}': {
      [method]: { parameters: [id], requestBody: { content: { [type]: { schema } } }, responses: {} },
    },
  },
});
const blocked = (parts: { root?: JsonObject; operation?: JsonObject; schema?: JsonObject }): JsonObject => ({
  swagger: '2.0',
  ...parts.root,
  paths: {
    '/block': {
      post: {
        parameters: [{ in: 'body', name: 'body', required: true, schema: parts.schema ?? { type: 'string' } }],
        responses: {},
        ...parts.operation,
      },
    },
  },
});

describe('the body of an imported operation', () => {
  const user = {
    type: 'object',
    properties: {
      email: { type: 'string' },
      status: { type: 'string', default: 'active' },
      assignee: { type: 'string', nullable: true },
      profile: { type: 'object', properties: { locale: { type: 'string', default: 'en' } } },
    },
  };

  it.each(['patch', 'put', 'post'])('of a %s has no field that nobody gave, whatever its default', async (method) => {
    const { body } = await sent(users(method, user), { id: 'ann', email: 'ann@example.com' });
    expect(body).toBe('{"email":"ann@example.com"}');
  });

  it('keeps a null that somebody gave: it takes the value away', async () => {
    const { body } = await sent(users('patch', user), { id: 'ann', assignee: null });
    expect(body).toBe('{"assignee":null}');
  });

  it('of a PATCH offers no defaults, or a form filled in by them would activate a suspended account', () => {
    const { email: _email, ...offered } = onlyAction(users('patch', user)).input_schema.properties as JsonObject;
    expect(JSON.stringify(offered)).not.toContain('default');
    expect(JSON.stringify(onlyAction(users('post', user)).input_schema)).toContain('"default":"active"');
  });

  it('of a PATCH as a form has no field that nobody gave', async () => {
    const form = users('patch', user, 'application/x-www-form-urlencoded');
    expect((await sent(form, { id: 'ann', email: 'a' })).body).toBe('email=a');
  });

  it('that is one input goes out as it was given, or not at all', async () => {
    const list = users('put', { type: 'array', nullable: true, items: { type: 'string' } });
    expect((await sent(list, { id: 'ann', body: ['a', null] })).body).toBe('["a",null]');
    expect((await sent(list, { id: 'ann', body: null })).body).toBe('null');
    const none = await sent(list, { id: 'ann' });
    expect(none.body).toBe('');
    expect(none.headers).not.toHaveProperty('content-type');
  });

  it('still checks the address in a field', async () => {
    const document = users('put', { type: 'object', properties: { host: { type: 'string', format: 'ipv4' } } });
    expect(await failureOf(sent(document, { id: 'ann', host: '203.0.113' }))).toMatchObject({
      code: 'VENDOR_REJECTED',
    });
    expect(server.seen).toEqual([]);
  });
});

describe('what only the service may set', () => {
  const schemas = { Stamp: { type: 'string', readOnly: true } };
  const account: JsonObject = {
    type: 'object',
    required: ['id', 'name', 'made_at', 'owner'],
    properties: {
      id: { type: 'string', readOnly: true },
      name: { type: 'string' },
      made_at: { $ref: '#/components/schemas/Stamp' },
      changed_at: { allOf: [{ $ref: '#/components/schemas/Stamp' }] },
      // Beside a reference: OpenAPI 3.1 counts it, and whoever wrote it before meant the same.
      seen_at: { $ref: '#/components/schemas/Text', readOnly: true },
      owner: {
        type: 'object',
        required: ['id', 'mail'],
        properties: { id: { type: 'integer', readOnly: true }, mail: { type: 'string', readOnly: false } },
      },
      keys: { type: 'array', items: { type: 'object', properties: { id: { readOnly: true }, text: {} } } },
    },
  };
  const owner = { type: 'object', properties: { mail: { type: 'string' } }, required: ['mail'] };
  const keys = { type: 'array', items: { type: 'object', properties: { text: {} } } };
  const body = { required: true, content: { 'application/json': { schema: account } } };
  const document = (operation: JsonObject): JsonObject => ({
    openapi: '3.0.3',
    paths: { '/accounts': { post: { responses: {}, ...operation } } },
    components: { schemas: { ...schemas, Text: { type: 'string' } } },
  });

  it('is no input, not even where it is required or inside another', () => {
    expect(onlyAction(document({ requestBody: body })).input_schema).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { name: { type: 'string' }, owner, keys },
      required: ['name', 'owner'],
    });
  });

  it('is no input in a form', () => {
    const form = { content: { 'application/x-www-form-urlencoded': { schema: account } } };
    const { properties } = onlyAction(document({ requestBody: form })).input_schema as { properties: JsonObject };
    expect(Object.keys(properties)).toEqual(['name', 'owner', 'keys']);
  });

  it('is no input in Swagger 2.0', () => {
    const schema = { type: 'object', required: ['id'], properties: { id: { readOnly: true }, name: {} } };
    expect(onlyAction(blocked({ schema })).input_schema).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { name: {} },
    });
  });

  it('stays in answers', () => {
    const responses = { 200: { content: { 'application/json': { schema: account } } } };
    expect(onlyAction(document({ responses })).output_schema).toMatchObject({
      properties: { body: { properties: { id: {}, made_at: {}, owner: { properties: { id: {} } } } } },
    });
  });
});

describe('the body of a Swagger 2.0 operation', () => {
  it.each<[string, JsonObject, JsonObject, string]>([
    ['what the operation consumes', { consumes: ['application/json'] }, { consumes: ['text/plain'] }, 'text/plain'],
    ['what the root consumes', { consumes: ['application/xml'] }, {}, 'application/xml'],
  ])('is text where %s is no JSON', async (_what, root, operation, type) => {
    const seen = await sent(blocked({ root, operation }), { body: '203.0.113.7' });
    expect(seen).toMatchObject({ body: '203.0.113.7', headers: { 'content-type': type } });
  });

  it.each<[JsonObject, string]>([
    [{}, 'application/json'],
    [{ consumes: [] }, 'application/json'],
    [{ consumes: ['*/*'] }, 'application/json'],
    [{ consumes: ['text/plain', 'application/json'] }, 'application/json'],
    [{ consumes: ['application/merge-patch+json'] }, 'application/merge-patch+json'],
  ])('is JSON where it says %j', async (operation, type) => {
    const seen = await sent(blocked({ operation }), { body: '203.0.113.7' });
    expect(seen).toMatchObject({ body: '"203.0.113.7"', headers: { 'content-type': type } });
  });

  it('is refused where it is nothing we can send', () => {
    const document = read(blocked({ operation: { consumes: ['application/octet-stream'] } }));
    expect(listOperations(document)[0]?.unsupported).toBe('Its body is neither JSON nor a form nor text.');
  });
});

describe('an address that a path has of its own', () => {
  const elsewhere = 'It has an address of its own.';
  const base = [{ url: 'https://{region}.example/v1', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }];

  it.each<[string, { root?: unknown; item?: unknown; node?: unknown }, string | null]>([
    ['elsewhere', { item: [{ url: 'https://other.example' }] }, elsewhere],
    ['elsewhere, of an operation', { node: [{ url: 'https://other.example' }] }, elsewhere],
    ['elsewhere, while the document has none', { root: [], item: [{ url: 'https://other.example' }] }, elsewhere],
    ['to be completed', { item: [{ url: 'https://{region}.example/v1' }] }, elsewhere],
    ['relative', { root: [], item: [{ url: '/v2' }] }, elsewhere],
    ['unreadable', { item: [{ url: 7 }] }, elsewhere],
    ['the base', { item: [{ url: 'https://eu.example/v1/' }] }, null],
    ['the base, of an operation', { node: base }, null],
    ['the base among others', { item: [{ url: 'https://other.example' }, ...base] }, null],
    ['replaced by that of the operation', { item: [{ url: 'https://other.example' }], node: base }, null],
    ['no list of addresses', { item: [] }, null],
  ])('is refused unless it is the one the credential is for: %s', (_what, { root = base, item, node }, reason) => {
    const operation = { responses: {}, ...(node === undefined ? {} : { servers: node }) };
    const path = { get: operation, ...(item === undefined ? {} : { servers: item }) };
    const document = read({ openapi: '3.0.3', servers: root, paths: { '/x': path } });
    expect(listOperations(document).map(({ unsupported }) => unsupported)).toEqual([reason]);
  });
});
