import { publishedAction } from '@airdeck/connector-kit/definition';
import { createRegistry } from '@airdeck/connector-kit/registry';
import type { SeenRequest, VendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import { failureOf, startVendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import { actionDefinitionSchema } from '@airdeck/contracts/actions/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compileSchema } from '../actions/schema-check.ts';
import { compileIntegration } from './openapi-connector.ts';
import { readDocument } from './openapi-document.ts';
import { makeIntegration } from './openapi-integration.ts';
import { listOperations } from './openapi-operations.ts';
import { overviewOf } from './openapi-overview.ts';
import { operationKeyOf } from './openapi-request.ts';
import type { GivenVerb } from './openapi-verbs.ts';

const read = (value: unknown) => readDocument(Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)));

const hosts = {
  openapi: '3.0.3',
  info: { title: 'Hosts', version: '2', description: 'Knows hosts.' },
  servers: [{ url: 'https://{region}.hosts.example/v1', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }],
  security: [{ key: [] }],
  paths: {
    '/hosts/{host-id}/notes': {
      parameters: [{ name: 'host-id', in: 'path', required: true, schema: { type: 'string' } }],
      post: {
        operationId: 'addHostNote',
        summary: 'Add a note',
        parameters: [
          { name: 'tag', in: 'query', schema: { type: 'array', items: { type: 'string' } } },
          { name: 'fields', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'X-Key', in: 'header', required: true, schema: { type: 'string' } },
          { name: 'Host', in: 'header', schema: { type: 'string' } },
        ],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
        },
        responses: {
          201: {
            description: 'ok',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
          },
        },
      },
    },
    '/hosts': {
      get: { responses: { 200: { description: 'ok' } } },
      delete: { operationId: 'deleteAll', responses: {} },
    },
    '/upload': {
      post: { requestBody: { content: { 'multipart/form-data': { schema: {} } } }, responses: {} },
    },
    '/odd?x=1': { get: { responses: {} } },
    '/elsewhere': { get: { servers: [{ url: 'https://other.example' }], responses: {} } },
    '/plain': { get: { responses: { 200: { description: 'ok', content: { 'text/plain': {} } } } } },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'From your account.' } },
    schemas: {
      Note: {
        type: 'object',
        required: ['text'],
        properties: {
          text: { type: 'string', maxLength: 100, pattern: '(a+)+$' },
          level: { type: 'string', enum: ['low', 'high'], nullable: true },
          parent: { $ref: '#/components/schemas/Note' },
        },
      },
    },
  },
};

describe('the operations of a description', () => {
  it('are listed with the reason where one cannot be imported', () => {
    expect(listOperations(read(hosts)).map(({ key, unsupported }) => [key, unsupported])).toEqual([
      ['POST /hosts/{host-id}/notes', null],
      ['GET /hosts', null],
      ['DELETE /hosts', null],
      ['POST /upload', 'Its body is neither JSON nor a form nor text.'],
      ['GET /odd?x=1', 'Its path has parts that are not plain.'],
      ['GET /elsewhere', 'It has an address of its own.'],
      ['GET /plain', null],
    ]);
  });

  it('become actions with typed input and output', () => {
    const { actions, base_url, name } = makeIntegration(read(hosts), ['POST /hosts/{host-id}/notes', 'DELETE /hosts']);
    expect([name, base_url]).toEqual(['Hosts', 'https://eu.hosts.example/v1']);
    const [add, remove] = actions;
    expect(remove).toMatchObject({ verb: 'delete_all', effect: 'destroys', idempotent: true });
    expect(add).toMatchObject({
      verb: 'add_host_note',
      friendly_name: 'Add a note',
      effect: 'changes',
      idempotent: false,
    });
    expect(add?.input_schema).toEqual({
      type: 'object',
      additionalProperties: false,
      required: ['host-id', 'text'],
      properties: {
        'host-id': { type: 'string' },
        tag: { type: 'array', items: { type: 'string' } },
        fields: { type: 'string', description: 'Several values are separated by commas.' },
        'X-Trace': { type: 'string' },
        // No pattern: a stranger's regular expression would run on the backtracking engine.
        text: { type: 'string', maxLength: 100 },
        level: { type: ['string', 'null'], enum: ['low', 'high', null] },
        // Cut where it meets itself.
        parent: {},
      },
    });
    const { body } = (add?.output_schema.properties ?? {}) as { body?: JsonObject };
    expect(body).toMatchObject({ type: ['object', 'null'], properties: { text: { type: ['string', 'null'] } } });
    expect(body).not.toHaveProperty('required');
  });

  describe('keep the verbs they were given', () => {
    const operation = (operationId?: string) => ({
      ...(operationId === undefined ? {} : { operationId }),
      responses: {},
    });
    const described = (paths: object) => read({ openapi: '3.0.3', paths });
    const long = (end: string) => `${'x'.repeat(56)}${end}`;
    const verbs = (document: ReturnType<typeof read>, chosen: string[], given: GivenVerb[] = []) =>
      makeIntegration(document, chosen, given).actions.map(({ verb }) => verb);

    it('also where one of two that are cut alike is left out', () => {
      const document = described({ '/a': { get: operation(long('A')) }, '/b': { get: operation(long('B')) } });
      const [first = '', second = ''] = verbs(document, ['GET /a', 'GET /b']);
      expect([first, second]).toEqual([long(''), long('_2')]);
      const given = [
        { operation: 'GET /a', verb: first },
        { operation: 'GET /b', verb: second },
      ];
      expect(verbs(document, ['GET /b'], given)).toEqual([second]);
      const later = described({ '/b': { get: operation(long('B')) }, '/c': { get: operation(long('C')) } });
      expect(verbs(later, ['GET /b', 'GET /c'], given)).toEqual([second, long('_3')]);
    });

    it('under a new name, and on a new path by their id, but not as another method', () => {
      const given = [{ operation: 'GET /hosts', verb: 'list_hosts' }];
      expect(verbs(described({ '/hosts': { get: operation('all') } }), ['GET /hosts'], given)).toEqual(['list_hosts']);
      const moved = described({ '/v2/hosts': { get: operation('listHosts') } });
      expect(verbs(moved, ['GET /v2/hosts'], given)).toEqual(['list_hosts']);
      const changed = described({ '/v2/hosts': { delete: operation('listHosts') } });
      expect(verbs(changed, ['DELETE /v2/hosts'], given)).toEqual(['list_hosts_2']);
      const unnamed = described({ '/list_hosts': { get: operation() }, '/hosts': { get: operation() } });
      expect(verbs(unnamed, ['GET /list_hosts'], [{ operation: 'GET /x', verb: 'get_list_hosts' }])).toEqual([
        'get_list_hosts_2',
      ]);
    });

    it('of the newest import that gave them', () => {
      const document = described({ '/a': { get: operation() }, '/b': { get: operation() } });
      const given = [
        { operation: 'GET /b', verb: 'same' },
        { operation: 'GET /a', verb: 'same' },
        { operation: 'GET /b', verb: 'same_2' },
      ];
      expect(verbs(document, ['GET /a', 'GET /b'], given)).toEqual(['get_a', 'same']);
    });

    it.each(['/hosts/{host-id}/notes', '/a/{x}{y}/{z"\\}', '/plain'])(
      'in %s, which a stored action is known by',
      (path) => {
        const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name ?? '');
        const template = names.reduce(
          (text, name) => text.replace(`{${name}}`, `{{ input[${JSON.stringify(name)}] }}`),
          path,
        );
        expect(operationKeyOf({ method: 'POST', path: template })).toBe(`POST ${path}`);
      },
    );
  });

  it.each([
    [[], 'OPERATION_UNKNOWN'],
    [['GET /nothing'], 'OPERATION_UNKNOWN'],
    [['POST /upload'], 'OPERATION_UNSUPPORTED'],
    [Array.from({ length: 101 }, (_one, index) => `GET /${index}`), 'OPERATION_UNKNOWN'],
  ])('are refused as %j', (chosen, code) => {
    expect(() => makeIntegration(read(hosts), chosen)).toThrow(expect.objectContaining({ code }));
  });
});

describe('an imported integration at work', () => {
  let server: VendorServer;
  let answer: (request: SeenRequest) => { status?: number; json?: unknown; text?: string };
  beforeAll(async () => {
    server = await startVendorServer((request) => answer(request));
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.seen.splice(0);
    answer = () => ({ status: 201, json: { text: 'ok' } });
  });

  const compiled = (document: unknown, chosen: string[]) => {
    const definition = compileIntegration('custom_hosts', makeIntegration(read(document), chosen));
    createRegistry([definition]);
    return definition;
  };
  const config = (parts: JsonObject = {}) => ({ base_url: `${server.url}/v1`, key_secret: 'planted-secret', ...parts });
  const note = ['POST /hosts/{host-id}/notes'];

  it('sends what the description says, with the credential and without what is not given', async () => {
    const [action] = compiled(hosts, note).actions;
    const input = { 'host-id': '../a b', tag: ['x', 'y'], text: 'hello' };
    const output = await action?.run(server.context({ config: config(), input }));
    expect(output).toEqual({ status: 201, body: { text: 'ok' } });
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: '/v1/hosts/..%2Fa%20b/notes?tag=x&tag=y',
      body: '{"text":"hello"}',
      headers: { 'x-key': 'planted-secret' },
    });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-trace');
  });

  it('publishes actions in the shape of the contract', () => {
    for (const action of compiled(hosts, note).actions) {
      expect(actionDefinitionSchema.safeParse(publishedAction(action)).error).toBeUndefined();
    }
  });

  it('has a form with the address its secret is bound to', () => {
    expect(compiled(hosts, note).config_schema).toMatchObject({
      required: ['base_url', 'key_secret'],
      properties: {
        base_url: { destination: true, default: 'https://eu.hosts.example/v1' },
        key_secret: { secret: true, title: 'X-Key (header)', description: 'From your account.' },
      },
    });
  });

  it.each<[string, JsonObject, JsonObject, Partial<SeenRequest>]>([
    [
      'a bearer token',
      { type: 'http', scheme: 'Bearer' },
      { key_secret: 't0ken' },
      { headers: { authorization: 'Bearer t0ken' } },
    ],
    [
      'a user name and password',
      { type: 'http', scheme: 'basic' },
      { key_username: 'ann', key_secret: 'pw' },
      { headers: { authorization: `Basic ${btoa('ann:pw')}` } },
    ],
    [
      'a key in the query',
      { type: 'apiKey', in: 'query', name: 'k' },
      { key_secret: 'a&b' },
      { url: '/v1/hosts?k=a%26b' },
    ],
    [
      'a cookie',
      { type: 'apiKey', in: 'cookie', name: 'sid' },
      { key_secret: 'abc' },
      { headers: { cookie: 'sid=abc' } },
    ],
    [
      'an OAuth token',
      { type: 'oauth2', flows: {} },
      { key_secret: 't0ken' },
      { headers: { authorization: 'Bearer t0ken' } },
    ],
  ])('presents %s', async (_what, scheme, parts, seen) => {
    answer = () => ({ json: [] });
    const document = { ...hosts, components: { securitySchemes: { key: scheme } } };
    const [action] = compiled(document, ['GET /hosts']).actions;
    await action?.run(server.context({ config: { base_url: `${server.url}/v1`, ...parts } }));
    expect(server.seen[0]).toMatchObject(seen);
  });

  it('refuses a cookie that would be two, and never shows a key of the query', async () => {
    const cookie = {
      ...hosts,
      components: { securitySchemes: { key: { type: 'apiKey', in: 'cookie', name: 'sid' } } },
    };
    const [first] = compiled(cookie, ['GET /hosts']).actions;
    const two = first?.run(server.context({ config: config({ key_secret: 'a; admin=1' }) })) ?? Promise.resolve();
    expect(await failureOf(two)).toMatchObject({ code: 'CONNECTOR_CONFIG_INVALID' });
    answer = ({ url }) => ({ status: 400, json: { message: `bad address ${url}` } });
    const query = { ...hosts, components: { securitySchemes: { key: { type: 'apiKey', in: 'query', name: 'k' } } } };
    const [second] = compiled(query, ['GET /hosts']).actions;
    const failure = await failureOf(second?.run(server.context({ config: config() })) ?? Promise.resolve());
    expect(failure.message).toContain('bad address');
    expect(failure.message).not.toContain('planted-secret');
  });

  it('lets people choose where the service takes one of several credentials', async () => {
    const schemes = { token: { type: 'http', scheme: 'bearer' }, sso: { type: 'apiKey', in: 'header', name: 'X-Sso' } };
    const document = { ...hosts, security: [{ token: [] }, { sso: [] }, {}], components: { securitySchemes: schemes } };
    const definition = compiled(document, ['GET /plain']);
    expect(definition.config_schema).toMatchObject({
      required: ['base_url'],
      properties: {
        credential: {
          ...{ enum: ['token', 'sso'], default: 'token' },
          value_names: { token: 'Token', sso: 'X-Sso (header)' },
        },
      },
    });
    const problems = (config: JsonObject) => definition.configProblems?.({ base_url: server.url, ...config });
    expect(problems({ token_secret: 'a', sso_secret: 'b\n' })).toEqual([
      { field: 'sso_secret', message: expect.stringContaining('no request can carry') },
    ]);
    answer = () => ({ text: 'plain words' });
    const chosen = { base_url: `${server.url}/v1`, credential: 'sso', sso_secret: 's5o' };
    const output = await definition.actions[0]?.run(server.context({ config: chosen }));
    expect(output).toEqual({ status: 200, text: 'plain words' });
    expect(server.seen[0]?.headers).toMatchObject({ 'x-sso': 's5o' });
    expect(server.seen[0]?.headers).not.toHaveProperty('authorization');
  });

  it('reads Swagger 2.0: host, forms, joined lists and its own credentials', async () => {
    const swagger = {
      swagger: '2.0',
      info: { title: 'Old' },
      host: 'old.example',
      basePath: '/api',
      schemes: ['http', 'https'],
      consumes: ['application/x-www-form-urlencoded'],
      securityDefinitions: { auth: { type: 'oauth2', flow: 'accessCode' } },
      paths: {
        '/send': {
          post: {
            operationId: 'chat.send',
            security: [{ auth: [] }],
            parameters: [
              { in: 'header', name: 'token', type: 'string', required: true },
              { in: 'formData', name: 'text', type: 'string', required: true },
              { in: 'formData', name: 'thread', type: 'integer' },
              { in: 'query', name: 'ids', type: 'array', items: { type: 'string' } },
            ],
            responses: { 200: { schema: { type: 'object', properties: { ok: { type: 'boolean' } } } } },
          },
        },
      },
    };
    const definition = compiled(swagger, ['POST /send']);
    expect((definition.config_schema.properties as JsonObject).base_url).toMatchObject({
      default: 'https://old.example/api',
    });
    const [action] = definition.actions;
    expect(action?.action_id).toBe('custom_hosts.chat_send');
    // The token is the connector's; as an input it would be in the record of every run.
    expect(Object.keys(action?.input_schema.properties as JsonObject)).toEqual(['ids', 'text', 'thread']);
    const work = {
      config: { base_url: server.url, auth_secret: 't0ken' },
      input: { ids: 'a,b', text: 'x & y', thread: 7 },
    };
    await action?.run(server.context(work));
    expect(server.seen[0]).toMatchObject({ url: '/send?ids=a%2Cb', body: 'text=x+%26+y&thread=7' });
  });
});

describe('a description meant to do harm', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
    .split('')
    .map((name, index) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${'abcdefgh'[index]}`).join(',')}]`)
    .join('\n')}`;

  it.each<[string, string, string]>([
    ['an alias bomb', `openapi: 3.0.0\n${bomb}`, 'DOCUMENT_TOO_COMPLEX'],
    ['a tag of its own', 'openapi: 3.0.0\nx: !!js/function "function () {}"', 'DOCUMENT_UNREADABLE'],
    ['an unknown tag', 'openapi: 3.0.0\nx: !secret {}', 'DOCUMENT_UNREADABLE'],
    ['two documents', 'openapi: 3.0.0\n---\nopenapi: 3.0.0', 'DOCUMENT_UNREADABLE'],
    ['broken JSON', '{"openapi": "3.0.0"', 'DOCUMENT_UNREADABLE'],
    ['broken YAML', 'openapi: [', 'DOCUMENT_UNREADABLE'],
    ['a deep nesting', `{"openapi":"3.0.0","x":${'['.repeat(5000)}${']'.repeat(5000)}}`, 'DOCUMENT_TOO_COMPLEX'],
    ['a newer version', '{"openapi":"4.0.0"}', 'DOCUMENT_NOT_OPENAPI'],
    ['another format', '{"smithy":"2.0"}', 'DOCUMENT_NOT_OPENAPI'],
    ['a bare text', 'hello', 'DOCUMENT_NOT_OPENAPI'],
    ['nothing', '', 'DOCUMENT_NOT_OPENAPI'],
    ['more than 5 MB', 'x'.repeat(5 * 1_048_576 + 1), 'DOCUMENT_TOO_LARGE'],
  ])('as %s is refused', (_what, text, code) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code }));
  });

  it('that is not UTF-8 is refused', () => {
    expect(() => readDocument(Buffer.from([0xff, 0xfe, 0x00]))).toThrow(
      expect.objectContaining({ code: 'DOCUMENT_UNREADABLE' }),
    );
  });

  it('whatever its schemas say, has actions whose input can be checked', () => {
    const names = fc.oneof(
      fc.constantFrom('__proto__', 'constructor', '$id', '$ref', 'a"b', '*/', '\u2028', '\ud800', '\0', '`'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    const values = fc.array(fc.oneof(names, fc.double(), fc.constantFrom(null, true)), { maxLength: 300 });
    const schemas = fc.letrec<{ schema: JsonObject }>((tie) => ({
      schema: fc.record(
        {
          type: fc.oneof(fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array'), names),
          nullable: fc.boolean(),
          enum: values,
          default: names,
          format: names,
          title: names,
          minLength: fc.oneof(fc.nat(), fc.double()),
          maximum: fc.oneof(fc.double(), names),
          required: fc.array(names, { maxLength: 5 }),
          properties: fc.dictionary(names, tie('schema'), { maxKeys: 5, noNullPrototype: true }),
          items: tie('schema'),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    })).schema;
    fc.assert(
      fc.property(schemas, (schema) => {
        const requestBody = { content: { 'application/json': { schema: { type: 'object', ...schema } } } };
        const document = read({ openapi: '3.1.0', paths: { '/x': { post: { requestBody, responses: {} } } } });
        const [operation] = listOperations(document);
        if (operation?.unsupported !== null) return;
        const [action] = makeIntegration(document, ['POST /x']).actions;
        expect(() => compileSchema(action?.input_schema ?? {})).not.toThrow();
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    'https://evil.example/schema.json',
    'file:///etc/passwd',
    'other.yaml#/x',
    '#/components/schemas/Loop',
    '#/components/schemas/Nothing',
    '#/__proto__',
    '#/components/schemas/%zz',
  ])('with the reference %s reads nothing from elsewhere and does not hang', ($ref) => {
    const document = {
      ...hosts,
      paths: {
        '/x': { post: { requestBody: { content: { 'application/json': { schema: { $ref } } } }, responses: {} } },
      },
      components: { schemas: { Loop: { $ref: '#/components/schemas/Loop' } } },
    };
    const [action] = makeIntegration(read(document), ['POST /x']).actions;
    expect(action?.input_schema.properties).toEqual({ body: { title: 'Body' } });
  });

  it('whose schema grows without end is cut', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 50 }, (_one, index) => [`p${index}`, { $ref: '#/components/schemas/B' }]),
    );
    const schemas = {
      A: { type: 'object', properties: wide },
      B: {
        type: 'object',
        properties: Object.fromEntries(Object.keys(wide).map((name) => [name, { $ref: '#/components/schemas/C' }])),
      },
      C: {
        type: 'object',
        properties: Object.fromEntries(Object.keys(wide).map((name) => [name, { type: 'string' }])),
      },
    };
    const responses = { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } } };
    const document = { ...hosts, paths: { '/x': { get: { responses } } }, components: { schemas } };
    const integration = makeIntegration(read(document), ['GET /x']);
    expect(JSON.stringify(integration).length).toBeLessThan(100_000);
  });

  it.each<[string, JsonObject]>([
    ['a name that ends the expression', { name: 'a"] }} {{ config["key', in: 'query', schema: {} }],
    ['a line break in a name', { name: 'a\r\nx: y', in: 'header', required: true, schema: {} }],
    ['a host header that is needed', { name: 'Host', in: 'header', required: true, schema: {} }],
    ['a cookie that is needed', { name: 'c', in: 'cookie', required: true, schema: {} }],
  ])('with %s has an operation that cannot be imported', (_what, parameter) => {
    const document = { ...hosts, paths: { '/x': { get: { parameters: [parameter], responses: {} } } } };
    expect(listOperations(read(document))[0]?.unsupported).toEqual(expect.any(String));
  });

  it.each([
    'javascript:alert(1)',
    'https://user:pw@evil.example/',
    'https://x.example/?a=1',
    '/relative',
    'https://{tenant}.example',
    'file:///etc',
  ])('whose server is %s offers no address', (url) => {
    expect(makeIntegration(read({ ...hosts, servers: [{ url }] }), ['GET /hosts']).base_url).toBeNull();
  });
});

describe('what a description says about itself', () => {
  const overview = (more: object) => overviewOf(read({ openapi: '3.0.3', info: {}, paths: {}, ...more }));

  it('is its lead, without the headings that follow', () => {
    const description = 'Knows hosts,\nall of them.\n\n### Versions\nThere are many.';
    expect(overview({ info: { title: ' Hosts\n', description } })).toMatchObject({
      title: 'Hosts',
      description: 'Knows hosts, all of them.',
    });
    expect(overview({ info: { title: 7, description: { a: 1 } } })).toMatchObject({ title: '', description: '' });
  });

  it.each([
    [{}, /does not say where the service is/],
    [{ servers: [{ url: 'https://{tenant}.example' }] }, /is not complete/],
    [{ servers: [{ url: 'https://a.example' }, { url: 'https://b.example' }] }, /names 2 addresses/],
    [{ servers: [{ url: 'http://a.example' }] }, /is not encrypted/],
    [{ components: { securitySchemes: { cert: { type: 'mutualTLS' } } } }, /cannot be used from here: cert/],
    [{}, /no credentials that can be used/],
    [{ components: { securitySchemes: { o: { type: 'oauth2', flows: {} } } } }, /It signs in by OAuth/],
    [{}, /describes no operations/],
  ])('%j comes with a warning', (more, warning) => {
    expect(overview(more).warnings.join('\n')).toMatch(warning);
  });

  it('names what an operation does by its method', () => {
    expect(
      listOperations(read(hosts))
        .slice(0, 3)
        .map(({ effect }) => effect),
    ).toEqual(['changes', 'reads', 'destroys']);
  });
});
