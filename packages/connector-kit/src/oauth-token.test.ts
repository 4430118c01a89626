import { afterEach, describe, expect, it } from 'vitest';
import type { TokenSourceOptions } from './oauth-token.ts';
import { createTokenSource } from './oauth-token.ts';
import { createVendorClient } from './vendor-client.ts';
import type { GivenAnswer, SeenRequest, VendorServer } from './vendor-server-fixture.ts';
import { FIXED_NOW, failureOf, startVendorServer } from './vendor-server-fixture.ts';

const open: VendorServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serve(
  answerOf: (count: number, request: SeenRequest) => GivenAnswer | Promise<GivenAnswer>,
  options: Partial<TokenSourceOptions> = {},
) {
  let count = 0;
  const server = await startVendorServer((request) => {
    if (request.url !== '/token') return answerOf(count, request);
    count += 1;
    return answerOf(count, request);
  });
  open.push(server);
  const tokens = createTokenSource({
    vendor: 'Example',
    tokenUrl: () => `${server.url}/token`,
    form: ({ config }) => ({ grant_type: 'client_credentials', client_secret: String(config.client_secret) }),
    ...options,
  });
  const config = (secret = 's3cret-value') => ({ base_url: server.url, client_secret: secret });
  return { server, tokens, config };
}

const given = (count: number): GivenAnswer => ({ json: { access_token: `token-${count}`, expires_in: 600 } });

describe('an access token', () => {
  it('is asked for once by a hundred calls at the same time', async () => {
    const { server, tokens, config } = await serve(given);
    const all = await Promise.all(
      Array.from({ length: 100 }, () => tokens.token(server.context({ config: config() }))),
    );
    expect(new Set(all)).toEqual(new Set(['token-1']));
    expect(server.seen).toHaveLength(1);
    expect(server.seen[0]?.body).toBe('grant_type=client_credentials&client_secret=s3cret-value');
  });

  it('is used until shortly before it expires', async () => {
    const { server, tokens, config } = await serve(given);
    const at = (seconds: number) =>
      tokens.token(server.context({ config: config(), now: () => new Date(FIXED_NOW.getTime() + seconds * 1000) }));
    expect([await at(0), await at(539), await at(540), await at(541)]).toEqual([
      'token-1',
      'token-1',
      'token-2',
      'token-2',
    ]);
  });

  it('belongs to one tenant and one configuration', async () => {
    const { server, tokens, config } = await serve(given);
    const of = (tenant: string, secret?: string) => tokens.token(server.context({ tenant, config: config(secret) }));
    expect([await of('a'), await of('b'), await of('a', 'another-secret'), await of('a')]).toEqual([
      'token-1',
      'token-2',
      'token-3',
      'token-1',
    ]);
  });

  it('that was refused is fetched anew once, and only the refused one is forgotten', async () => {
    const { server, tokens, config } = await serve((count, request) =>
      request.url === '/token'
        ? given(count)
        : request.headers.authorization === 'Bearer token-1'
          ? { status: 401 }
          : { json: {} },
    );
    const client = createVendorClient({
      vendor: 'Example',
      baseUrl: (one) => String(one.base_url),
      authorize: tokens.authorize,
      renew: tokens.renew,
    });
    const context = server.context({ config: config() });
    expect((await client.call(context, { path: '/x' })).status).toBe(200);
    // A late refusal of the old one must not cost the new one.
    tokens.renew(context, { authorization: 'Bearer token-1' });
    expect(await tokens.token(context)).toBe('token-2');
    expect(server.seen.map(({ url }) => url)).toEqual(['/token', '/x', '/token', '/x']);
  });

  it('is not remembered when the request for it failed', async () => {
    const { server, tokens, config } = await serve((count) => (count === 1 ? { status: 503 } : given(count)));
    const context = server.context({ config: config() });
    expect(await failureOf(tokens.token(context))).toMatchObject({ code: 'VENDOR_UNAVAILABLE' });
    expect(await tokens.token(context)).toBe('token-2');
  });

  it('one caller who gives up does not take it from the others', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { server, tokens, config } = await serve(async (count) => {
      await held;
      return given(count);
    });
    const stop = new AbortController();
    const first = tokens.token(server.context({ config: config(), signal: stop.signal }));
    const second = tokens.token(server.context({ config: config() }));
    stop.abort();
    expect(await failureOf(first)).toMatchObject({ code: 'ABORTED' });
    release();
    expect(await second).toBe('token-1');
  });

  it('asked for by a caller who has given up already fails for that caller alone', async () => {
    const { server, tokens, config } = await serve(() => ({ status: 503 }));
    const context = server.context({ config: config(), signal: AbortSignal.abort() });
    expect(await failureOf(tokens.token(context))).toMatchObject({ code: 'ABORTED' });
    expect(await failureOf(tokens.token(server.context({ config: config() })))).toMatchObject({
      code: 'VENDOR_UNAVAILABLE',
    });
  });

  it.each<[string, GivenAnswer, string]>([
    [
      'a wrong secret',
      { status: 400, json: { error: 'invalid_client', error_description: 'AADSTS7000215: no.' } },
      'VENDOR_CREDENTIALS_REFUSED',
    ],
    ['an expired assertion', { status: 400, json: { error: 'invalid_grant' } }, 'VENDOR_CREDENTIALS_REFUSED'],
    ['an unknown scope', { status: 400, json: { error: 'invalid_scope' } }, 'VENDOR_REJECTED'],
    ['an error inside 200', { json: { error: 'server_error' } }, 'VENDOR_REJECTED'],
    ['too many requests', { status: 429, headers: { 'retry-after': '9' } }, 'VENDOR_RATE_LIMITED'],
    ['a page', { text: '<html>' }, 'VENDOR_ANSWER_UNREADABLE'],
    ['no token', { json: {} }, 'VENDOR_ANSWER_UNREADABLE'],
    ['a token with a line break', { json: { access_token: 'a\r\nx: y' } }, 'VENDOR_ANSWER_UNREADABLE'],
    ['a token of a megabyte', { json: { access_token: 'a'.repeat(1_000_000) } }, 'VENDOR_ANSWER_UNREADABLE'],
    ['a redirect', { status: 307, headers: { location: 'http://198.51.100.9/' } }, 'REDIRECT_REFUSED'],
  ])('with %s ends as %s', async (_what, answer, code) => {
    const { server, tokens, config } = await serve(() => answer);
    expect(await failureOf(tokens.token(server.context({ config: config() })))).toMatchObject({ code });
  });
});
