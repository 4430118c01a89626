import type { JsonObject } from '@airdeck/contracts/fields';
import { afterEach, describe, expect, it } from 'vitest';
import type { ActionDefinition, ConnectorDefinition } from './definition.ts';
import { publishedAction } from './definition.ts';
import type { HttpActionSpec } from './http-action.ts';
import { compileHttpActions } from './http-action.ts';
import { createRegistry, RegistryError } from './registry.ts';
import { createVendorClient } from './vendor-client.ts';
import type { GivenAnswer, SeenRequest, VendorServer } from './vendor-server-fixture.ts';
import { failureOf, startVendorServer } from './vendor-server-fixture.ts';

const open: VendorServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const owner = {
  definition_id: 'example',
  vendor: 'Example',
  product: 'Service',
  config_schema: {
    type: 'object',
    properties: {
      base_url: { type: 'string', destination: true },
      org: { type: 'string' },
      key: { type: 'string', secret: true },
    },
  },
};

const text = { type: ['string', 'null'] };
const base: HttpActionSpec = {
  verb: 'act',
  friendly_name: 'Act',
  description: 'Acts.',
  input_schema: {
    type: 'object',
    required: ['user'],
    properties: {
      user: { type: 'string' },
      note: text,
      tags: { type: 'array' },
      depth: { type: 'integer', default: 3 },
    },
  },
  output_schema: { type: 'object' },
  effect: 'changes',
  idempotent: true,
  request: { method: 'POST', path: '/orgs/{{ config.org }}/users/{{ input.user }}/note-{{ input.user }}' },
  output: { status: '{{ status }}' },
};

const client = createVendorClient({
  vendor: 'Example',
  baseUrl: (config) => String(config.base_url),
  authorize: ({ config }) => ({ 'x-key': String(config.key) }),
});

function compiled(changes: Partial<HttpActionSpec>): ActionDefinition {
  const [action] = compileHttpActions({ owner, client }, [{ ...base, ...changes }]);
  if (action === undefined) throw new Error('Nothing was compiled.');
  return action;
}

async function serve(answerOf: (request: SeenRequest) => GivenAnswer = () => ({ json: {} })) {
  const server = await startVendorServer(answerOf);
  open.push(server);
  const config = { base_url: `${server.url}/base`, org: 'acme', key: 'planted-secret' };
  const run = (changes: Partial<HttpActionSpec>, input: JsonObject = { user: 'ann' }) =>
    compiled(changes).run(server.context({ config, input }));
  return { server, run };
}

describe('an action made of data', () => {
  it('sends exactly what its templates say, each value encoded for its place', async () => {
    const { server, run } = await serve();
    await run(
      {
        request: {
          method: 'PATCH',
          path: '/orgs/{{ config.org }}/users/{{ input.user }}/x-{{ input.user }}',
          query: {
            q: 'name={{ input.user }}',
            tag: '{{ input.tags }}',
            none: '{{ input.note }}',
            depth: '{{ input.depth }}',
          },
          headers: { 'x-request': '{{ idempotency_key }}', 'x-none': '{{ input.note }}' },
          json: {
            who: '{{ input.user }}',
            n: '{{ input.depth }}',
            note: '{{ input.note }}',
            deep: [{ a: '{{ input.tags }}' }],
          },
        },
      },
      { user: 'a/b&c', tags: ['x', 'y z'] },
    );
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]).toMatchObject({
      method: 'PATCH',
      url: '/base/orgs/acme/users/a%2Fb%26c/x-a%2Fb%26c?q=name%3Da%2Fb%26c&tag=x&tag=y+z&depth=3',
      body: JSON.stringify({ who: 'a/b&c', n: 3, deep: [{ a: ['x', 'y z'] }] }),
      headers: { 'x-request': 'run:action:0', 'x-key': 'planted-secret' },
    });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-none');
  });

  it('sends inputs as they were given where null and nothing differ to the service', async () => {
    const { server, run } = await serve();
    const input = { user: 'ann', note: null };
    const put = (json_inputs: readonly string[] | string) =>
      run({ request: { method: 'PUT', path: '/x', json_inputs } }, input);
    await put(['user', 'note', 'tags', 'depth']);
    await put(['tags']);
    await put('note');
    await put('depth');
    expect(server.seen.map(({ body }) => body)).toEqual(['{"user":"ann","note":null}', '{}', 'null', '']);
    await run({ request: { method: 'PUT', path: '/x', json: { note: '{{ input.note }}', n: '{{ input.depth }}' } } });
    expect(server.seen.at(-1)?.body).toBe('{"n":3}');
  });

  it('sends forms and texts', async () => {
    const { server, run } = await serve();
    await run({ request: { method: 'POST', path: '/f', form: { a: '{{ input.user }}', none: '{{ input.note }}' } } });
    await run({ request: { method: 'POST', path: '/t', text: 'user {{ input.user }}' } });
    expect(server.seen.map(({ body }) => body)).toEqual(['a=ann', 'user ann']);
  });

  it.each<[string, unknown]>([
    ['dots that lead up', '..'],
    ['one dot', '.'],
    ['nothing', ''],
    ['a broken surrogate', '\ud800'],
    ['a list', ['a']],
    ['an object', { a: 1 }],
    ['null for a required one', null],
  ])('sends nothing when a part of the path is %s', async (_what, user) => {
    const { server, run } = await serve();
    const failure = await failureOf(run({ request: { path: '/users/{{ input.user }}/x' } }, { user }));
    expect(failure.code).toBe('VENDOR_REJECTED');
    expect(server.seen).toEqual([]);
  });

  it.each([
    '../../admin',
    '%2e%2e',
    '//evil.example',
    '@evil.example',
    '\\evil',
    '?x=1',
    '#x',
    'a\r\nx: y',
    '{{ config.key }}',
  ])('lets the input %j reach neither another host nor another path', async (user) => {
    const { server, run } = await serve();
    await run({ request: { path: '/users/{{ input.user }}' } }, { user });
    expect(server.seen.map(({ url }) => url)).toEqual([`/base/users/${encodeURIComponent(user)}`]);
  });

  it.each(['a\r\nx-injected: 1', 'a\nb', 'a\0b'])('sends nothing for the header value %j', async (user) => {
    const { server, run } = await serve();
    const work = run({ request: { path: '/x', headers: { 'x-user': '{{ input.user }}' } } }, { user });
    expect(await failureOf(work)).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(server.seen).toEqual([]);
  });

  it('cannot read the credentials of its connector', async () => {
    const { server, run } = await serve();
    const failure = await failureOf(run({ request: { path: '/x', query: { k: '{{ config.key }}' } } }));
    expect(failure.code).toBe('VENDOR_REJECTED');
    expect(server.seen).toEqual([]);
    const output = await run({ request: { path: '/x' }, output: { all: '{{ config }}' } });
    expect(JSON.stringify(output)).not.toContain('planted-secret');
  });

  it('maps the answer, and an answer that does not fit is unreadable instead of empty', async () => {
    const { run } = await serve(() => ({
      json: { data: { score: 7, names: ['a', 'b'] } },
      headers: { 'x-left': '9' },
    }));
    const output = {
      score: '{{ body.data.score }}',
      first: "{{ size(body.data.names) > 0 ? body.data.names[0] : '' }}",
      left: "{{ int(headers['x-left']) }}",
      user: '{{ input.user }}',
      literal: 5,
    };
    expect(await run({ output })).toEqual({ score: 7, first: 'a', left: 9, user: 'ann', literal: 5 });
    expect(await failureOf(run({ output: { x: '{{ body.nothing.here }}' } }))).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
    });
  });

  it('knows which statuses are an answer and which answers are failures', async () => {
    const { run } = await serve(({ url }) =>
      url.endsWith('/gone')
        ? { status: 404, json: {} }
        : { json: { ok: false, error: 'channel_not_found', code: 404 } },
    );
    const gone = { request: { path: '/gone' }, success: [200, 404] };
    expect(await run(gone)).toEqual({ status: 404 });
    expect(await failureOf(run({ request: { path: '/x' }, success: [201] }))).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
    });
    const failure = { when: 'body.ok != true', detail: '{{ body.error }}', status: '{{ body.code }}' };
    expect(await failureOf(run({ request: { path: '/x' }, failure }))).toEqual({
      code: 'VENDOR_NOT_FOUND',
      message: 'Example rejected the request: channel_not_found',
    });
  });

  it('asks its requirements before it sends anything', async () => {
    const { server, run } = await serve();
    const requires = [{ condition: "input.user != 'root'", message: 'Not this user.' }];
    expect(await failureOf(run({ requires }, { user: 'root' }))).toEqual({
      code: 'VENDOR_REJECTED',
      message: 'Not this user.',
    });
    expect(server.seen).toEqual([]);
  });

  it('gives up on an input built to cost too much', async () => {
    const { server, run } = await serve();
    const query = { q: '{{ input.tags.map(a, input.tags.map(b, input.tags.map(c, a + b + c))) }}' };
    const work = run({ request: { path: '/x', query } }, { user: 'a', tags: Array.from({ length: 500 }, () => 'x') });
    expect(await failureOf(work)).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(server.seen).toEqual([]);
  });
});

describe('paging of an action made of data', () => {
  const paged = (next: NonNullable<HttpActionSpec['paging']>['next'], more = {}): Partial<HttpActionSpec> => ({
    effect: 'reads',
    request: { path: '/items', query: { q: '{{ input.user }}' } },
    paging: { items: '{{ body.items }}', next, ...more },
    output: { items: '{{ items }}', is_cut: '{{ is_cut }}' },
  });
  const pageOf = ({ url }: SeenRequest) => Number(new URL(url, 'http://x').searchParams.get('p') ?? 0);

  it.each<[string, NonNullable<HttpActionSpec['paging']>['next'], (request: SeenRequest, base: string) => GivenAnswer]>(
    [
      [
        'a cursor',
        { kind: 'cursor', parameter: 'p', value: '{{ has(body.next) ? body.next : null }}' },
        (request) => ({
          json: { items: [pageOf(request)], ...(pageOf(request) < 2 ? { next: pageOf(request) + 1 } : {}) },
        }),
      ],
      [
        'an offset with a total',
        { kind: 'offset', parameter: 'p', limit_parameter: 'n', limit: 1, total: '{{ body.total }}' },
        (request) => ({ json: { items: [pageOf(request)], total: 3 } }),
      ],
      [
        'page numbers',
        { kind: 'page', parameter: 'p', size_parameter: 'n', size: 1, first: 0 },
        (request) => ({ json: { items: pageOf(request) < 3 ? [pageOf(request)] : [] } }),
      ],
      [
        'a link header',
        { kind: 'link' },
        (request, url) => ({
          json: { items: [pageOf(request)] },
          headers: pageOf(request) < 2 ? { link: `<${url}/base/items?p=${pageOf(request) + 1}>; rel="next"` } : {},
        }),
      ],
      [
        'an address in the answer',
        { kind: 'url', value: '{{ body.next }}' },
        (request, url) => ({
          json: {
            items: [pageOf(request)],
            next: pageOf(request) < 2 ? `${url}/base/items?p=${pageOf(request) + 1}` : null,
          },
        }),
      ],
    ],
  )('by %s gathers every item once', async (_what, next, answerOf) => {
    let url = '';
    const { server, run } = await serve((request) => answerOf(request, url));
    url = server.url;
    expect(await run(paged(next))).toEqual({ items: [0, 1, 2], is_cut: false });
  });

  it('does not follow an address at another host, where the credentials would go', async () => {
    const { server, run } = await serve(() => ({ json: { items: [1], next: 'http://198.51.100.9/base/items' } }));
    const work = run(paged({ kind: 'url', value: '{{ body.next }}' }));
    expect(await failureOf(work)).toMatchObject({ code: 'VENDOR_ANSWER_UNREADABLE' });
    expect(server.seen).toHaveLength(1);
  });

  it('ends at its bound and says so', async () => {
    const { server, run } = await serve((request) => ({ json: { items: [1], next: pageOf(request) + 1 } }));
    const cursor = { kind: 'cursor', parameter: 'p', value: '{{ body.next }}' } as const;
    expect(await run(paged(cursor, { max_pages: 4 }))).toEqual({ items: [1, 1, 1, 1], is_cut: true });
    expect(server.seen).toHaveLength(4);
  });
});

describe('the check of actions made of data, at boot', () => {
  const problemsOf = (changes: Partial<HttpActionSpec>): readonly string[] => {
    const action = compiled(changes);
    const definition: ConnectorDefinition = {
      ...owner,
      version: '1',
      name: 'Example',
      description: 'An example.',
      visible: true,
      category: 'generic',
      capabilities: ['actions'],
      actions: [action],
    };
    try {
      createRegistry([definition]);
    } catch (error) {
      if (error instanceof RegistryError) return error.problems;
      throw error;
    }
    return [];
  };

  it('finds nothing wrong with a good one, and publishes none of its inside', () => {
    expect(problemsOf({})).toEqual([]);
    const published = publishedAction(compiled({ request: { path: '{{' } }));
    expect(published).not.toHaveProperty('problems');
    expect(published).not.toHaveProperty('run');
  });

  it.each<[string, Partial<HttpActionSpec>, string]>([
    ['an expression without its end', { output: { a: '{{ body.x' } }, 'output.a: This {{ has no closing }}.'],
    ['a misspelt variable', { output: { a: '{{ bodi.x }}' } }, 'output.a: there is no "bodi" here'],
    ['the answer in the request', { request: { path: '/{{ body.x }}' } }, 'request.path: there is no "body" here'],
    ['a misspelt variable of a condition', { failure: { when: 'boddy.ok' } }, 'failure.when: there is no "boddy" here'],
    ['a path without a slash', { request: { path: 'x' } }, 'request.path: must begin with /'],
    ['a path that leads up', { request: { path: '/a/%2E%2e/b' } }, 'request.path: has a dot segment'],
    ['a path with a query', { request: { path: '/a?b=1' } }, 'request.path: holds what must be encoded'],
    [
      'a host',
      { request: { path: '/x', headers: { Host: 'evil' } } },
      'request.headers: "Host" is not an action\'s to set',
    ],
    [
      'credentials',
      { request: { path: '/x', headers: { authorization: 'x' } } },
      'request.headers: "authorization" is not an action\'s to set',
    ],
    [
      'a header that is none',
      { request: { path: '/x', headers: { 'a b': 'x' } } },
      'request.headers: "a b" is not a name of a header',
    ],
    [
      'two bodies',
      { request: { method: 'POST', path: '/x', json: {}, text: 'x' } },
      'request: at most one of json, json_inputs, form and text',
    ],
    [
      'a misspelt input of a body',
      { request: { method: 'POST', path: '/x', json_inputs: ['user', 'usr'] } },
      'request.json_inputs: there is no input "usr"',
    ],
    ['a GET with a body', { request: { path: '/x', text: 'x' } }, 'request: a GET has no body'],
    [
      'a DELETE that only reads',
      { effect: 'reads', request: { method: 'DELETE', path: '/x' } },
      'request: DELETE does not only read',
    ],
  ])('refuses %s and says where', (_what, changes, problem) => {
    const [found] = problemsOf(changes);
    expect(found).toContain('example.act: ');
    expect(found?.replace('example.act: ', '').replace('output: there', 'output.a: there')).toBe(problem);
  });

  it('knows the names that macros bind', () => {
    expect(problemsOf({ output: { a: '{{ body.list.filter(one, one.ok).map(x, x.id) }}' } })).toEqual([]);
  });
});
