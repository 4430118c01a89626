import { afterEach, describe, expect, it } from 'vitest';
import { withCallMark } from './call-mark.ts';
import type { ActionContext } from './definition.ts';
import { segment } from './vendor-address.ts';
import type { VendorCall, VendorClientOptions } from './vendor-client.ts';
import { createVendorClient } from './vendor-client.ts';
import type { GivenAnswer, SeenRequest, VendorServer } from './vendor-server-fixture.ts';
import { failureOf, startVendorServer } from './vendor-server-fixture.ts';

const open: VendorServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

const SECRET = 'very-secret-token';

async function serve(
  answerOf: (request: SeenRequest) => GivenAnswer | Promise<GivenAnswer>,
  options: Partial<VendorClientOptions> = {},
) {
  const server = await startVendorServer(answerOf);
  open.push(server);
  const client = createVendorClient({
    vendor: 'Example',
    baseUrl: (config) => String(config.base_url),
    authorize: () => ({ authorization: `Bearer ${SECRET}` }),
    ...options,
  });
  const call = (one: VendorCall, parts: Partial<ActionContext> = {}) => client.call(server.context(parts), one);
  return { server, client, call };
}

describe('a call of a vendor client', () => {
  it('goes below the base address with query, headers and JSON as given', async () => {
    const { server, call } = await serve(() => ({ json: { ok: true }, headers: { 'X-Version': '7' } }));
    const answer = await call({
      method: 'POST',
      path: `/users/${segment('a/b c?d#e')}`,
      query: { q: 'x&y=1', tags: ['a', 'b'], none: undefined, count: 5, deep: true },
      headers: { 'x-extra': 'e' },
      json: { a: 1 },
    });
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(answer.headers['x-version']).toBe('7');
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: '/base/users/a%2Fb%20c%3Fd%23e?q=x%26y%3D1&tags=a&tags=b&count=5&deep=true',
      body: '{"a":1}',
      headers: { 'x-extra': 'e', 'content-type': 'application/json', authorization: `Bearer ${SECRET}` },
    });
  });

  it('sends forms and texts with their own types', async () => {
    const { server, call } = await serve(() => ({}));
    await call({ method: 'POST', path: '/form', form: { a: 'x y', b: '&' } });
    await call({ method: 'PUT', path: '/text', text: 'ü' });
    expect(server.seen.map(({ body, headers }) => [headers['content-type'], body])).toEqual([
      ['application/x-www-form-urlencoded', 'a=x+y&b=%26'],
      ['text/plain; charset=utf-8', 'ü'],
    ]);
  });

  it('lets no call replace the credentials, however it spells the header', async () => {
    const { server, call } = await serve(() => ({}));
    await call({ path: '/x', headers: { Authorization: 'Bearer other', AUTHORIZATION: 'none' } });
    expect(server.seen[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
  });

  it.each([
    '/../admin',
    '/a/../../admin',
    '/a/%2e%2e/admin',
    '/a/./b',
    '/a?x=1',
    '/a#b',
    '/a\\b',
    '/a b',
    '/a\r\nx: y',
    '/a\tb',
    'a',
    '@evil.example/',
    '.evil.example/',
    ':1/',
    '',
  ])('sends nothing for the path %j, which is not where it says', async (path) => {
    const { server, call } = await serve(() => ({}));
    expect(await failureOf(call({ path }))).toMatchObject({ code: 'VENDOR_REJECTED' });
    expect(server.seen).toEqual([]);
  });

  it.each(['', '.', '..', '\ud800', 'x'.repeat(2001)])('has no segment for %j', (text) => {
    expect(() => segment(text)).toThrow(expect.objectContaining({ code: 'VENDOR_REJECTED' }));
  });

  it.each(['ftp', 'http://h/?a=', 'http://h/#a', 'http://h?', '', 'not a url'])(
    'refuses the base address %j as a configuration that cannot work',
    async (base) => {
      const { call } = await serve(() => ({}));
      expect(await failureOf(call({ path: '/x' }, { config: { base_url: base } }))).toMatchObject({
        code: 'CONNECTOR_CONFIG_INVALID',
      });
    },
  );

  it.each(['a\r\nx-injected: 1', 'a\nb', 'a\0b'])(
    'refuses the header value %j and does not quote it',
    async (value) => {
      const { server, call } = await serve(() => ({}));
      const failure = await failureOf(call({ path: '/x', headers: { 'x-note': value } }));
      expect(failure).toEqual({
        code: 'VENDOR_REJECTED',
        message: 'The value for the header "x-note" cannot be sent.',
      });
      expect(server.seen).toEqual([]);
    },
  );
});

describe("a vendor's answer to a client", () => {
  it.each<[string, GivenAnswer, string]>([
    ['an empty body', { status: 204 }, 'fine'],
    ['JSON', { json: [1] }, 'fine'],
    ['HTML under 200', { text: '<html>Sign in</html>' }, 'VENDOR_ANSWER_UNREADABLE'],
    ['cut JSON', { text: '{"a":' }, 'VENDOR_ANSWER_UNREADABLE'],
    ['HTML under 502', { status: 502, text: '<html>' }, 'VENDOR_UNAVAILABLE'],
    ['401', { status: 401 }, 'VENDOR_CREDENTIALS_REFUSED'],
    ['403', { status: 403 }, 'VENDOR_PERMISSION_MISSING'],
    ['404', { status: 404 }, 'VENDOR_NOT_FOUND'],
    ['409', { status: 409 }, 'VENDOR_CONFLICT'],
    ['422', { status: 422 }, 'VENDOR_REJECTED'],
    ['429', { status: 429 }, 'VENDOR_RATE_LIMITED'],
    ['a redirect', { status: 302, headers: { location: 'http://198.51.100.9/' } }, 'REDIRECT_REFUSED'],
  ])('%s is %s', async (_what, answer, code) => {
    const { call } = await serve(() => answer);
    expect((await failureOf(call({ path: '/x' }))).code).toBe(code);
  });

  it("is judged by the vendor's own words, also inside HTTP 200", async () => {
    const { call } = await serve(
      ({ url }) => (url === '/base/coded' ? { json: { error: 'gone' } } : { json: { error: 'odd' } }),
      {
        failure: ({ body }) => {
          const { error } = body as { error?: string };
          if (error === 'gone') return { code: 'VENDOR_NOT_FOUND', detail: 'gone', retryAfterS: 3 };
          return error === undefined ? undefined : { detail: error };
        },
      },
    );
    expect(await failureOf(call({ path: '/coded' }))).toEqual({
      code: 'VENDOR_NOT_FOUND',
      message: 'Example does not know this address or object (HTTP 200): gone',
      retryAfterS: 3,
    });
    expect(await failureOf(call({ path: '/plain' }))).toMatchObject({ code: 'VENDOR_REJECTED' });
  });

  it('is handed over as it is when the call accepts its status, and as text when it asks for text', async () => {
    const { call } = await serve(({ url }) =>
      url === '/base/text' ? { text: 'ok' } : { status: 404, json: { a: 1 } },
    );
    expect(await call({ path: '/x', accept: [404] })).toMatchObject({ status: 404, body: { a: 1 } });
    expect(await call({ path: '/text', answers: 'text' })).toMatchObject({ text: 'ok', body: undefined });
  });

  it('has the shape that was asked for, or is unreadable', async () => {
    const { client, server } = await serve(({ url }) => ({ json: url === '/base/list' ? [{ a: 1 }] : { a: 1 } }));
    const context = server.context();
    expect(await client.object(context, { path: '/object' })).toEqual({ a: 1 });
    expect(await client.list(context, { path: '/list' })).toEqual([{ a: 1 }]);
    for (const wrong of [client.object(context, { path: '/list' }), client.list(context, { path: '/object' })]) {
      expect(await failureOf(wrong)).toMatchObject({ code: 'VENDOR_ANSWER_UNREADABLE' });
    }
  });

  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '7', 'x-ratelimit-reset': '99' }, 7],
    [{ 'x-ratelimit-reset': '99' }, 99],
    [{ 'x-rate-limit-reset': String(Date.parse('2026-11-20T12:00:30Z') / 1000) }, 30],
    [{ 'x-ratelimit-retryafter': String(Date.parse('2026-11-20T12:01:00Z') / 1000) }, 60],
    [{ 'x-ratelimit-reset': String(Date.parse('2026-11-20T12:00:05Z')) }, 5],
    [{ 'x-ratelimit-reset': String(Date.parse('2026-11-20T11:00:00Z') / 1000) }, 0],
    [{ 'x-ratelimit-reset': '99999999999999' }, 86_400],
    [{ 'x-ratelimit-reset': 'soon' }, undefined],
  ])('says with %j to wait %s seconds', async (headers, seconds) => {
    const { call } = await serve(() => ({ status: 429, headers }));
    expect((await failureOf(call({ path: '/x' }))).retryAfterS).toBe(seconds);
  });

  it.each([403, 404, 422, 500])(
    'of %s means no wait by a window that is told with every answer, only by Retry-After',
    async (status) => {
      const { call } = await serve(({ url }) => ({
        status,
        headers: { 'x-ratelimit-reset': '3000', ...(url === '/base/later' ? { 'retry-after': '7' } : {}) },
      }));
      expect((await failureOf(call({ path: '/x' }))).retryAfterS).toBe(undefined);
      expect((await failureOf(call({ path: '/later' }))).retryAfterS).toBe(7);
    },
  );

  it('waits for the window where the vendor says by its own words that it is used up', async () => {
    const { call } = await serve(() => ({ status: 403, headers: { 'x-ratelimit-reset': '3000' } }), {
      failure: () => ({ code: 'VENDOR_RATE_LIMITED' }),
    });
    expect(await failureOf(call({ path: '/x' }))).toMatchObject({ code: 'VENDOR_RATE_LIMITED', retryAfterS: 3000 });
  });

  it('never carries the credential back, in whatever spelling the vendor quotes it', async () => {
    const echoes = [SECRET, `Bearer ${SECRET}`, encodeURIComponent(SECRET), Buffer.from(SECRET).toString('base64')];
    for (const echo of echoes) {
      const { call } = await serve(() => ({ status: 400, json: { message: `bad ${echo}` } }), {
        failure: ({ body }) => ({ detail: String((body as { message: string }).message) }),
      });
      expect((await failureOf(call({ path: '/x' }))).message).toBe(
        'Example rejected the request (HTTP 400): bad [secret]',
      );
    }
  });
});

describe('a refused credential', () => {
  const refusing = () => {
    let generation = 0;
    const refused = (request: SeenRequest) => request.headers.authorization === 'Bearer old';
    const options: Partial<VendorClientOptions> = {
      authorize: () => ({ authorization: `Bearer ${generation === 0 ? 'old' : 'new'}` }),
      renew() {
        generation += 1;
        return true;
      },
    };
    return serve((request) => (refused(request) ? { status: 401 } : { json: {} }), options);
  };

  it.each<[string, VendorCall, number, string]>([
    ['a read', { path: '/x' }, 2, 'fine'],
    ['a search by POST', { method: 'POST', path: '/x', reads: true }, 2, 'fine'],
    ['an idempotent change', { method: 'POST', path: '/x', idempotent: true }, 2, 'fine'],
    ['any other change', { method: 'POST', path: '/x' }, 1, 'VENDOR_CREDENTIALS_REFUSED'],
  ])('is renewed once, and %s is %s', async (_what, call, sent, code) => {
    const fixture = await refusing();
    expect((await failureOf(fixture.call(call))).code).toBe(code);
    expect(fixture.server.seen).toHaveLength(sent);
  });

  it('is not tried a third time', async () => {
    const { server, call } = await serve(() => ({ status: 401 }), { renew: () => true });
    expect(await failureOf(call({ path: '/x' }))).toMatchObject({ code: 'VENDOR_CREDENTIALS_REFUSED' });
    expect(server.seen).toHaveLength(2);
  });
});

describe('the mark before a changing call', () => {
  it.each<[VendorCall, number]>([
    [{ path: '/x' }, 0],
    [{ method: 'POST', path: '/x', reads: true }, 0],
    [{ method: 'DELETE', path: '/x', reads: true }, 1],
    [{ method: 'POST', path: '/x' }, 1],
  ])('for %j is set %i times', async (one, marks) => {
    const { server, call } = await serve(() => ({}));
    let marked = 0;
    const egress = withCallMark(server.egress, async () => {
      marked += 1;
    });
    await call(one, { egress });
    expect(marked).toBe(marks);
  });
});
