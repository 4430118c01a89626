import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import fc from 'fast-check';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { trustedTenantScope } from '../tenant-scope.ts';
import { AppError } from './app-error.ts';
import type { Authorization } from './authorization.ts';
import { bindRoutes } from './bind-routes.ts';
import { createCallQuotas } from './call-quotas.ts';
import type { Confirmations } from './confirmation.ts';
import { installErrorAnswers } from './error-answers.ts';
import { requestsOf } from './fuzz-requests-fixture.ts';
import type { AllHandlers } from './handlers.ts';
import { createRefuse } from './prepared-refusals.ts';
import { wideCallLimits } from './wide-call-limits-fixture.ts';

const TENANT = '01a1fb94-b561-76ac-8033-bf029575ae58';
const tenantAnswer = {
  id: TENANT,
  name: 'Tenant',
  managed_by: null,
  managed_by_name: null,
  sku_info: {
    sku_name: 'Enterprise',
    is_mdr_enabled: true,
    is_search_enabled: true,
    retention_length_days: 90,
    search_length_days: 30,
  },
  is_provider: false,
  brand: { display_name: '', colour: null, logo: null },
  automation_enabled: true,
  is_fenced: false,
};

let app: FastifyInstance | undefined;
afterEach(() => app?.close());

const nothingToConfirm: Confirmations = { confirm: async () => undefined };

const letEverybodyIn: Authorization = {
  refusedAtOnce: () => undefined,
  decide: async () => ({
    caller: { userId: TENANT, username: 'a@example.com', fullname: 'A', homeTenant: TENANT, via: 'session' },
    session: { expiresAt: new Date(), stillAllowed: async () => true },
    scope: trustedTenantScope(TENANT),
    role: 'Admin',
  }),
};

const quotas = createCallQuotas({ limits: wideCallLimits, nowMs: () => 0, log: { warn: () => undefined } });
const guard = { authorization: letEverybodyIn, confirmations: nothingToConfirm, quotas, refuse: createRefuse({}) };

function serve(handlers: Partial<AllHandlers>): FastifyInstance {
  app = Fastify();
  installErrorAnswers(app);
  bindRoutes(app, { handlers, ...guard, allowMissing: true });
  return app;
}

function keyCreation(payload: string | object, contentType = 'application/json') {
  const server = serve({
    'api-keys.create': async ({ body }) => {
      throw new AppError('CONFLICT', { message: JSON.stringify(body) });
    },
  });
  return server.inject({ method: 'POST', url: '/me/api_keys', payload, headers: { 'content-type': contentType } });
}

const goodKey = { name: 'Key', tenant: TENANT, role: 'Analyst', expires_at: '2027-01-01T00:00:00.000Z' };

describe('binding of the route table', () => {
  it('does not start when a row has no handler', () => {
    expect(() => bindRoutes(Fastify(), { handlers: {}, ...guard })).toThrow(/me\.get/);
  });

  it('does not start when a handler has no row', () => {
    const handlers = { 'secret.door': async () => undefined } as Partial<AllHandlers>;
    expect(() =>
      bindRoutes(Fastify(), {
        handlers,
        ...guard,
        allowMissing: true,
      }),
    ).toThrow(/secret\.door/);
  });

  it('returns the rows it serves', () => {
    const bound: RouteId[] = bindRoutes(Fastify(), {
      handlers: { 'tenants.get': async () => tenantAnswer },
      ...guard,
      allowMissing: true,
    });
    expect(bound).toEqual(['tenants.get']);
  });
});

describe('answers', () => {
  it('carry a tag, and are not sent again to who has them', async () => {
    const server = serve({ 'tenants.get': async () => tenantAnswer });
    const first = await server.inject(`/api/tenants/${TENANT}`);
    expect(first.json()).toEqual(tenantAnswer);
    expect(first.headers['cache-control']).toBe('no-store');
    const tag = String(first.headers.etag);
    const again = await server.inject({ url: `/api/tenants/${TENANT}`, headers: { 'if-none-match': tag } });
    expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' });
    const changed = await server.inject({ url: `/api/tenants/${TENANT}`, headers: { 'if-none-match': 'W/"other"' } });
    expect(changed.statusCode).toBe(200);
  });

  it('do not leave when they do not fit the schema, and do not say why', async () => {
    const server = serve({
      'tenants.get': async () => ({ ...tenantAnswer, password_hash: 'x' }) as typeof tenantAnswer,
    });
    const answer = await server.inject(`/api/tenants/${TENANT}`);
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toContain('password_hash');
  });

  it.each([
    ['a program error', () => new TypeError('cannot read the password of undefined'), 500, 'INTERNAL'],
    [
      'a broken statement',
      () => Object.assign(new Error('relation "secret" does not exist'), { code: '42P01' }),
      500,
      'INTERNAL',
    ],
    [
      'a lost database',
      () => Object.assign(new Error('connect ECONNREFUSED 10.0.0.1'), { code: 'ECONNREFUSED' }),
      503,
      'STORE_UNAVAILABLE',
    ],
    [
      'a database that stops',
      () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
      503,
      'STORE_UNAVAILABLE',
    ],
    [
      'a lost event store',
      () => Object.assign(new Error('connect to ch:8123'), { code: 'EVENTS_UNAVAILABLE' }),
      503,
      'STORE_UNAVAILABLE',
    ],
    ['a deadlock', () => Object.assign(new Error('deadlock detected'), { code: '40P01' }), 503, 'OVERLOADED'],
  ])('say nothing of the inside after %s', async (_name, error, status, code) => {
    const server = serve({
      'tenants.get': async () => {
        throw error();
      },
    });
    const answer = await server.inject(`/api/tenants/${TENANT}`);
    expect(answer.statusCode).toBe(status);
    expect(Object.keys(answer.json())).toEqual(['message', 'code', 'request_id']);
    expect(answer.json()).toMatchObject({ code });
    expect(answer.body).not.toContain(error().message);
    if (status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('say nothing of the inside on any route whose handler meets a broken statement (A-A20)', async () => {
    const all = Object.keys(routeTable) as RouteId[];
    const broken = () =>
      Promise.reject(Object.assign(new Error('relation "secret" does not exist'), { code: '42P01' }));
    const server = serve(Object.fromEntries(all.map((id) => [id, broken])) as unknown as Partial<AllHandlers>);
    const said = new Map<string, RouteId[]>();
    const unasked: RouteId[] = [];
    for (const id of all) {
      const route: Route = routeTable[id];
      const requests = fc.sample(requestsOf(id, { tenant: TENANT, ids: [TENANT] }), { numRuns: 300, seed: 1 });
      const request = requests.find(({ isPlain, isRefused }) => isPlain && !isRefused);
      if (request === undefined) {
        unasked.push(id);
        continue;
      }
      const { method, url, headers, payload } = request;
      const sent = payload === undefined || route.body === undefined ? {} : { payload };
      const answer = await server.inject({ method, url, headers, ...sent });
      const what = `${answer.statusCode} ${answer.body.replace(/"request_id":"[^"]+"/, '')}`;
      said.set(what, [...(said.get(what) ?? []), id]);
    }
    expect([...said.keys()]).toEqual([expect.stringMatching(/^500 {"message":"[^"]+","code":"INTERNAL",}$/)]);
    // Their values have to agree with each other, which chance does not find.
    expect(unasked).toEqual(['contract.set', 'onboarding.save', 'cases.bulk', 'case-sla.update']);
  });
});

describe('requests', () => {
  it('hand over no text that a store would not take, wherever it stands', async () => {
    const seen: unknown[] = [];
    const server = serve({
      'api-keys.create': async ({ body }) => {
        seen.push(body.name);
        throw new AppError('CONFLICT');
      },
      'cases.list': async ({ query }) => {
        seen.push(query.q);
        throw new AppError('CONFLICT');
      },
    });
    const payload = JSON.stringify({ ...goodKey, name: 'a\0b \ud800 \u{1f600} \\u0000' });
    // The way other programs write what needs no escape.
    const escaped = payload.replace('\u{1f600}', String.raw`\ud83d\ude00`);
    for (const body of [payload, escaped]) {
      const headers = { 'content-type': 'application/json' };
      await server.inject({ method: 'POST', url: '/me/api_keys', payload: body, headers });
    }
    await server.inject(`/api/tenants/${TENANT}/case?q=a%00b`);
    const stored = 'a\ufffdb \ufffd \u{1f600} \\u0000';
    expect(seen).toEqual([stored, stored, 'a\ufffdb']);
  });

  it('may name a filter with nothing in it', async () => {
    const seen: unknown[] = [];
    const server = serve({
      'actions-activity.list': async ({ query }) => {
        seen.push(query);
        throw new AppError('CONFLICT');
      },
    });
    const path = `/api/tenants/${TENANT}/soar/actions_activity`;
    expect((await server.inject(`${path}?page=&status=&type=`)).json()).toMatchObject({ code: 'CONFLICT' });
    await server.inject(path);
    expect(seen[0]).toEqual(seen[1]);
    // Names that every object answers to are no filters.
    expect((await server.inject(`${path}?constructor=&__proto__=`)).statusCode).toBe(400);
    expect((await server.inject('/health/live?toString=')).statusCode).toBeLessThan(500);
  });

  it('name every problem with its place', async () => {
    const answer = await keyCreation({ ...goodKey, role: 'Root', extra: 1, name: ' ' });
    expect(answer.statusCode).toBe(400);
    const { code, details } = answer.json<{ code: string; details: { path: string }[] }>();
    expect(code).toBe('VALIDATION_FAILED');
    expect(details.map((detail) => detail.path).sort()).toEqual(['body', 'body.name', 'body.role']);
  });

  it.each([
    'text/plain',
    'application/json; charset=utf-16',
    'application/jsonp',
    'application/vnd.api+json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json\ta',
    'application/json,text/plain',
  ])('with content type %s are refused', async (contentType) => {
    const answer = await keyCreation(JSON.stringify(goodKey), contentType);
    expect({ status: answer.statusCode, code: answer.json<{ code: string }>().code }).toEqual({
      status: 415,
      code: 'MEDIA_TYPE_UNSUPPORTED',
    });
  });

  it.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'])(
    'with content type %s are read',
    async (contentType) => {
      expect((await keyCreation(JSON.stringify(goodKey), contentType)).json()).toMatchObject({ code: 'CONFLICT' });
    },
  );

  it('that are too large are cut off', async () => {
    const answer = await keyCreation(JSON.stringify({ ...goodKey, name: 'x'.repeat(1_100_000) }));
    expect(answer.json()).toMatchObject({ code: 'BODY_TOO_LARGE' });
  });

  it.each([
    ['not read beyond what nothing is written with', JSON.stringify({ note: 'x'.repeat(2_000) }), 'BODY_TOO_LARGE'],
    ['refused when they say something', '{"note":"x"}', 'VALIDATION_FAILED'],
    ['let through when they say nothing', ' { } ', 'CONFLICT'],
  ])('of routes that take none are %s', async (_what, payload, code) => {
    const server = serve({ 'search-reports.cancel': (): Promise<never> => Promise.reject(new AppError('CONFLICT')) });
    const url = `/api/tenants/${TENANT}/reports/air/${TENANT}/cancel`;
    const headers = { 'content-type': 'application/json' };
    expect((await server.inject({ method: 'POST', url, payload, headers })).json()).toMatchObject({ code });
  });

  it('without a body where one is needed are invalid, not a crash', async () => {
    const server = serve({ 'api-keys.create': (): Promise<never> => Promise.reject(new Error('reached')) });
    expect((await server.inject({ method: 'POST', url: '/me/api_keys' })).json()).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
  });

  it('of a browser that opens a POST address as a page go on to the dashboard, those of a program get 405', async () => {
    const server = serve({ 'signup.invite': async () => ({ tenant: TENANT, tenant_name: 'One', role: 'Analyst' }) });
    server.setNotFoundHandler(async (_request, reply) => reply.send('the page'));
    const open = (accept: string) => server.inject({ url: '/signup/invite?__clerk_ticket=x', headers: { accept } });
    expect(await open('text/html,application/xhtml+xml')).toMatchObject({ statusCode: 200, body: 'the page' });
    expect(await open('application/json')).toMatchObject({ statusCode: 405, headers: { allow: 'POST' } });
  });

  it.each(['PUT', 'PATCH', 'DELETE', 'POST', 'HEAD', 'OPTIONS'] as const)(
    'with method %s on a GET address get 405',
    async (method) => {
      const server = serve({ 'tenants.get': async () => tenantAnswer });
      const answer = await server.inject({
        method,
        url: `/api/tenants/${TENANT}`,
        headers: { 'x-http-method-override': 'GET' },
      });
      expect({ status: answer.statusCode, allow: answer.headers.allow }).toEqual({ status: 405, allow: 'GET' });
    },
  );
});
