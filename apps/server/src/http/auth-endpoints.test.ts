import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuthCall } from '../modules/identity/auth-call.ts';
import { mountAuthEndpoints } from './auth-endpoints.ts';
import { bindRoutes } from './bind-routes.ts';
import { createCallQuotas } from './call-quotas.ts';
import { installErrorAnswers } from './error-answers.ts';
import { createRefuse } from './prepared-refusals.ts';
import { wideCallLimits } from './wide-call-limits-fixture.ts';

let app: FastifyInstance;
const calls: AuthCall[] = [];
const counts = new Map<string, number>();

beforeAll(async () => {
  app = Fastify({ trustProxy: ['10.0.0.1'] });
  installErrorAnswers(app);
  bindRoutes(app, {
    handlers: {},
    authorization: { refusedAtOnce: () => undefined, decide: async () => ({}) },
    confirmations: { confirm: async () => undefined },
    quotas: createCallQuotas({ limits: wideCallLimits, nowMs: () => 0, log: { warn: () => undefined } }),
    refuse: createRefuse({}),
    allowMissing: true,
  });
  await mountAuthEndpoints(app, {
    calls: async (call) => {
      calls.push(call);
      return {
        status: 200,
        setCookies: ['air_session=x; HttpOnly', 'air_second_factor=; Max-Age=0'],
        body: { signedIn: true },
      };
    },
    own: { publicUrl: 'https://air.example.com', listensOnLoopback: false },
    counter: { count: async (address) => ({ calls: countOf(address), endsInMs: 30_000 }) },
    limits: { callsPerMinute: 3, refreshesPerMinute: 10 },
  });
});
afterAll(() => app?.close());

function countOf(address: string): number {
  const count = (counts.get(address) ?? 0) + 1;
  counts.set(address, count);
  return count;
}

const headers = { host: 'air.example.com', origin: 'https://air.example.com', 'x-forwarded-proto': 'https' };

function signIn(from: string, forwardedFor: string) {
  return app.inject({
    method: 'POST',
    url: '/auth/sign-in/email',
    remoteAddress: from,
    headers: { ...headers, 'x-forwarded-for': forwardedFor },
    payload: { email: 'ana@example.com', password: 'x' },
  });
}

describe('sign-in endpoints', () => {
  it('pass every cookie on and keep answers out of caches', async () => {
    const answer = await signIn('10.0.0.1', '192.0.2.1');
    expect(answer.headers['set-cookie']).toEqual(['air_session=x; HttpOnly', 'air_second_factor=; Max-Age=0']);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(calls.at(-1)?.clientAddress).toBe('192.0.2.1');
  });

  it('limit each client address, which only a trusted proxy may name', async () => {
    const spoofed = [];
    for (let n = 0; n < 5; n++) spoofed.push((await signIn('203.0.113.9', `192.0.2.${100 + n}`)).statusCode);
    // The connection itself is not https and not from the proxy, so its own origin does not match either.
    expect(spoofed.every((status) => status === 403 || status === 429)).toBe(true);
    const proxied = [];
    for (let n = 0; n < 5; n++) proxied.push((await signIn('10.0.0.1', '192.0.2.50')).statusCode);
    expect(proxied).toEqual([200, 200, 200, 429, 429]);
    const limited = await signIn('10.0.0.1', '192.0.2.50');
    expect(limited.json()).toMatchObject({ code: 'RATE_LIMITED' });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect((await signIn('10.0.0.1', '192.0.2.51')).statusCode).toBe(200);
  });

  it('count a network of IPv6 as one address, which it is for whoever has it', async () => {
    const statuses = [];
    for (let n = 1; n < 5; n++) statuses.push((await signIn('10.0.0.1', `2001:db8:0:7::${n}`)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect((await signIn('10.0.0.1', '2001:db8:0:8::1')).statusCode).toBe(200);
  });

  it('count new access tokens of the pages of an office apart from its sign-ins', async () => {
    const ask = () =>
      app.inject({
        url: '/auth/token',
        remoteAddress: '10.0.0.1',
        headers: { ...headers, 'x-forwarded-for': '192.0.2.60' },
      });
    const answers = [];
    for (let n = 0; n < 11; n++) answers.push((await ask()).statusCode);
    expect(answers).toEqual([...Array(10).fill(200), 429]);
    expect((await signIn('10.0.0.1', '192.0.2.60')).statusCode).toBe(200);
  });

  it('take no form that another page could send', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/auth/sign-in/email',
      remoteAddress: '10.0.0.1',
      headers: { ...headers, 'x-forwarded-for': '192.0.2.60', 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'email=ana%40example.com&password=x',
    });
    expect(answer.json()).toMatchObject({ code: 'MEDIA_TYPE_UNSUPPORTED' });
  });
});
