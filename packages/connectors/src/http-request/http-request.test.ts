import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { GivenAnswer, SeenRequest, VendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import { startVendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { vendorFailure } from '../connector-fixture.ts';
import { failureOf } from '../sandbox-fixture.ts';
import { httpRequest } from './http-request.ts';

const SECRET = 'planted-secret-of-http';

describe('the HTTP request connector', () => {
  let server: VendorServer;
  let answer: (request: SeenRequest) => GivenAnswer | Promise<GivenAnswer>;
  beforeAll(async () => {
    server = await startVendorServer((request) => answer(request));
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.seen.splice(0);
    answer = () => ({ json: { ok: true } });
  });

  const configured = (parts: JsonObject = {}): JsonObject => ({ base_url: `${server.url}/v1/`, ...parts });
  const run = (verb: string, input: JsonObject, config: JsonObject = {}) => {
    const action = httpRequest.actions.find(({ action_id }) => action_id === `http_request.${verb}`);
    return (action?.run ?? Promise.reject)(server.context({ config: configured(config), input }));
  };

  it('reads below its base address and hands the answer on', async () => {
    answer = () => ({ status: 203, json: { a: 1 }, headers: { 'x-v': '1', 'set-cookie': 'session=1' } });
    const output = await run('get', { path: '/items/a%2Fb', query: { q: 'x&y', n: 5 }, headers: { 'X-A': 'b' } });
    expect(output).toMatchObject({ status: 203, body: { a: 1 }, text: '{"a":1}', headers: { 'x-v': '1' } });
    expect(output.headers).not.toHaveProperty('set-cookie');
    expect(server.seen[0]).toMatchObject({
      method: 'GET',
      url: '/v1/items/a%2Fb?q=x%26y&n=5',
      headers: { 'x-a': 'b' },
    });
  });

  it('sends JSON or text with the key of the step', async () => {
    await run('send', { path: '/items', json: { a: null } });
    await run('send', { path: '/items', method: 'PUT', text: 'plain' });
    await run('delete', { path: '/items/1' });
    expect(server.seen.map(({ method, body, headers }) => [method, body, headers['idempotency-key']])).toEqual([
      ['POST', '{"a":null}', 'run:action:0'],
      ['PUT', 'plain', 'run:action:0'],
      ['DELETE', '', 'run:action:0'],
    ]);
  });

  it('says of each action what it may do, so that repeating and confirming are decided rightly', () => {
    expect(httpRequest.actions.map(({ action_id, effect, idempotent }) => [action_id, effect, idempotent])).toEqual([
      ['http_request.get', 'reads', true],
      ['http_request.send', 'changes', false],
      ['http_request.delete', 'destroys', false],
    ]);
  });

  it.each<[JsonObject, string, string]>([
    [{ auth: 'basic', username: 'ann', secret: SECRET }, 'authorization', `Basic ${btoa(`ann:${SECRET}`)}`],
    [{ auth: 'bearer', secret: SECRET }, 'authorization', `Bearer ${SECRET}`],
    [{ auth: 'header', header_name: 'X-Api-Key', secret: SECRET }, 'x-api-key', SECRET],
  ])('presents its credential as %j says', async (config, name, value) => {
    await run('get', { path: '/x' }, config);
    expect(server.seen[0]?.headers[name]).toBe(value);
  });

  it.each<[string, JsonObject]>([
    ['a path that leads up', { path: '/../admin' }],
    ['an encoded path that leads up', { path: '/%2e%2e/admin' }],
    ['no path', { path: 'https://evil.example/' }],
    ['a path with a line break', { path: '/a\r\nHost: evil' }],
    ['a path with a query', { path: '/a?b=1' }],
    ['a host header', { path: '/x', headers: { Host: 'evil' } }],
    ['a credential', { path: '/x', headers: { Authorization: 'Bearer other' } }],
    ['the header of the credential', { path: '/x', headers: { 'X-API-KEY': 'other' } }],
    ['a length of its own', { path: '/x', headers: { 'content-length': '5' } }],
    ['a header with a line break', { path: '/x', headers: { 'x-a': 'a\r\nx-b: c' } }],
    ['a header name with a line break', { path: '/x', headers: { 'x-a\r\nx-b': 'c' } }],
    ['two bodies', { path: '/x', json: {}, text: 'x' }],
    ['nested query values', { path: '/x', query: { a: { b: 1 } } }],
    ['a method of another action', { path: '/x', method: 'DELETE' }],
    ['a huge path', { path: `/${'x'.repeat(3000)}` }],
  ])('sends nothing for %s', async (_what, input) => {
    const work = run('send', input, { auth: 'header', header_name: 'X-Api-Key', secret: SECRET });
    expect(await failureOf(work)).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(server.seen).toEqual([]);
  });

  it('takes two slashes for an odd path of its own host, not for another host', async () => {
    await run('get', { path: '//evil.example/x' });
    expect(server.seen.map(({ url }) => url)).toEqual(['/v1//evil.example/x']);
  });

  it.each<[GivenAnswer, string, boolean]>([
    [{ status: 401 }, 'VENDOR_CREDENTIALS_REFUSED', false],
    [{ status: 404, json: { message: 'no such item' } }, 'VENDOR_NOT_FOUND', false],
    [{ status: 429, headers: { 'retry-after': '3' } }, 'VENDOR_RATE_LIMITED', false],
    [{ status: 500, text: '<html>' }, 'VENDOR_UNAVAILABLE', true],
    [{ status: 503, headers: { 'retry-after': '3' } }, 'VENDOR_UNAVAILABLE', false],
    [{ status: 302, headers: { location: 'http://198.51.100.9/' } }, 'REDIRECT_REFUSED', true],
    // It was taken; only what it answered is too much.
    [{ text: 'x'.repeat(1_048_577) }, 'VENDOR_REJECTED', true],
  ])('turns an answer into its failure', async (given, code, outcome_unknown) => {
    answer = () => given;
    expect(await vendorFailure(run('get', { path: '/x' }))).toMatchObject({ code, outcome_unknown });
  });

  it('never shows its credential, even when the service quotes it', async () => {
    answer = ({ headers }) => ({ status: 400, json: { message: `bad ${headers.authorization}` } });
    const failure = await failureOf(run('get', { path: '/x' }, { auth: 'bearer', secret: SECRET }));
    expect(failure?.code).toBe('VENDOR_REJECTED');
    expect(JSON.stringify(failure)).not.toContain(SECRET);
  });

  it('reads without the mark of changing calls and sends only after it', async () => {
    const config = configured();
    const egress = withCallMark(server.egress, () => Promise.reject(new Error('lease lost')));
    const [get, send] = httpRequest.actions;
    await get?.run(server.context({ config, egress, input: { path: '/x' } }));
    await expect(send?.run(server.context({ config, egress, input: { path: '/x' } }))).rejects.toThrow('lease lost');
    expect(server.seen).toHaveLength(1);
  });

  it('tests a connection by reading one path', async () => {
    const test = (parts: JsonObject) => httpRequest.testConnection?.(server.context({ config: configured(parts) }));
    expect(await test({ test_path: '/health' })).toEqual({
      message: 'The service answered with HTTP 200.',
      metadata: { status: 200 },
    });
    answer = () => ({ status: 404, text: 'nothing' });
    expect(await test({})).toMatchObject({ metadata: { status: 404 } });
    answer = () => ({ status: 403 });
    expect(await failureOf(test({}) ?? Promise.resolve())).toMatchObject({ code: 'VENDOR_PERMISSION_MISSING' });
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v1/health',
      'GET /v1/',
      'GET /v1/',
    ]);
  });

  it('names a setting that is missing', async () => {
    expect(await failureOf(run('get', { path: '/x' }, { auth: 'bearer' }))).toMatchObject({
      code: 'CONNECTOR_CONFIG_INVALID',
    });
  });
});
