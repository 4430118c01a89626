import { pino } from 'pino';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBrowser } from '../modules/identity/test-browser.ts';
import { type Actor, createTestServer, type TestServer } from './test-server.ts';

type Line = Readonly<Record<string, unknown>>;

const SECRET = 'hunter2-never-to-be-seen';
const lines: string[] = [];
let server: TestServer;
let tenant: string;
let admin: Actor;
let offsetMs = 0;

beforeAll(async () => {
  server = await createTestServer({
    now: () => new Date(Date.now() + offsetMs),
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
});
afterAll(() => server?.close());
beforeEach(async () => {
  offsetMs += 120_000;
  await server.composition.refusals.tellCounts({ all: true });
  lines.length = 0;
  offsetMs = 0;
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});

async function refusedIn(of = tenant) {
  return await server.stores.database.system((tx) =>
    tx
      .selectFrom('audit_record')
      .select(['actor_id', 'target_id', 'code', 'data', 'request_id'])
      .where('tenant_id', '=', of)
      .where('action', '=', 'route.call')
      .orderBy('sequence')
      .execute(),
  );
}

function logged(kind: string): Line[] {
  return lines.map((line) => JSON.parse(line) as Line).filter(({ security }) => security === kind);
}

async function minuteIsOver(): Promise<void> {
  offsetMs += 61_000;
  await server.composition.refusals.tellCounts();
}

async function saveSearch(actor: Actor, payload: unknown) {
  return await server.inject({
    method: 'POST',
    url: `/api/tenants/${tenant}/search/saved`,
    headers: { ...actor.headers, 'content-type': 'application/json' },
    payload: payload as object,
  });
}

describe('a body none of our pages sends', () => {
  it('is recorded in the tenant once a minute with a count, without what was sent', async () => {
    for (let n = 0; n < 5; n++) {
      const answer = await saveSearch(admin, { name: 'x', [`is_admin_${SECRET}`]: SECRET });
      expect(answer.statusCode).toBe(400);
    }
    await minuteIsOver();
    const wrong = { actor_id: admin.id, target_id: 'search.saved-create', code: 'VALIDATION_FAILED' };
    expect(await refusedIn()).toMatchObject([
      { ...wrong, data: {} },
      { ...wrong, data: { repeated: 4 } },
    ]);
    expect(JSON.stringify(await refusedIn()) + lines.join('')).not.toContain(SECRET);
  });

  it.each<[string, unknown]>([
    ['a value of another type', { name: { $ne: '' } }],
    ['something that is not JSON', '{"name":'],
  ])('is recorded for %s', async (_what, payload) => {
    expect((await saveSearch(admin, payload)).statusCode).toBe(400);
    expect(await refusedIn()).toHaveLength(1);
  });

  it('is told from what a person may have typed or left out', async () => {
    for (const payload of [{ name: 'x'.repeat(10_000) }, {}]) {
      expect((await saveSearch(admin, payload)).statusCode).toBe(400);
    }
    expect(await refusedIn()).toEqual([]);
  });

  it('is in the log of the process where nobody is known, by address', async () => {
    const browser = createBrowser(server, { remoteAddress: '192.0.2.44' });
    for (let n = 0; n < 300; n++) {
      await browser.post('/auth/sign-in/email', { email: 'ana@example.com', password: SECRET, role: 'Admin' });
    }
    await createBrowser(server, { remoteAddress: '192.0.2.45' }).post('/auth/sign-in/email', { email: 7 });
    await minuteIsOver();
    const line = { code: 'VALIDATION_FAILED', route: '/auth/sign-in/email', msg: 'refused', level: 40 };
    expect(logged('body_tampered')).toMatchObject([
      { ...line, client_address: '192.0.2.44', request_id: expect.any(String) },
      { ...line, client_address: '192.0.2.45' },
      { ...line, client_address: '192.0.2.44', repeated: 299 },
    ]);
    expect(lines.join('')).not.toContain(SECRET);
  });
});

describe('a refused right', () => {
  it('is recorded by whoever finds it out: the guard of the route, or the rules behind it', async () => {
    const reader = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
    expect((await server.inject({ url: `/api/tenants/${tenant}/audit`, headers: reader.headers })).statusCode).toBe(
      403,
    );
    const key = { name: 'mine', tenant, role: 'Admin', expires_at: new Date(Date.now() + 3_600_000).toISOString() };
    const answer = await server.inject({ method: 'POST', url: '/me/api_keys', headers: reader.headers, payload: key });
    expect(answer.json()).toMatchObject({ code: 'ROLE_TOO_LOW' });
    expect(await refusedIn()).toMatchObject([
      { actor_id: reader.id, target_id: 'audit.list', code: 'ROLE_TOO_LOW' },
      { actor_id: reader.id, target_id: 'api-keys.create', code: 'ROLE_TOO_LOW' },
    ]);
  });

  it('of a foreign tenant is in the own one, and never both', async () => {
    const other = await server.createTenant();
    await server.inject({ url: `/api/tenants/${other}/audit`, headers: admin.headers });
    await minuteIsOver();
    expect(await refusedIn()).toMatchObject([{ actor_id: admin.id, code: 'TENANT_FORBIDDEN', data: {} }]);
    expect(await refusedIn(other)).toEqual([]);
    expect(logged('right_refused')).toEqual([]);
  });
});

describe('a call that did not come from our pages', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['of another site', { origin: 'https://attacker.example' }],
    ['of another site, as the browser says it', { 'sec-fetch-site': 'cross-site' }],
    ['with a cookie and without an origin', { cookie: 'air_session=x' }],
  ])('%s is in the log of the process, with its address and nothing it brought', async (_what, headers) => {
    const answer = await server.inject({
      method: 'POST',
      url: '/auth/sign-out',
      headers: { ...headers, authorization: `Bearer ${SECRET}` },
      remoteAddress: '192.0.2.60',
    });
    expect(answer.statusCode).toBe(403);
    const { request_id } = answer.json<{ request_id: string }>();
    const line = { code: 'ORIGIN_NOT_ALLOWED', route: '/auth/sign-out', client_address: '192.0.2.60', request_id };
    expect(logged('origin_refused')).toMatchObject([line]);
    expect(lines.join('')).not.toMatch(/attacker|hunter2|air_session/);
  });
});

describe('a limit that was reached', () => {
  it('is recorded in the tenant of who reached it', async () => {
    const url = `/api/tenants/${tenant}/case/${v7()}/pdf?locale=en-US&time_zone=UTC`;
    const statuses: number[] = [];
    for (let n = 0; n < 33; n++) statuses.push((await server.inject({ url, headers: admin.headers })).statusCode);
    expect(statuses.slice(-4)).toEqual([404, 429, 429, 429]);
    await minuteIsOver();
    const reached = { actor_id: admin.id, target_id: 'cases.pdf', code: 'RATE_LIMITED' };
    expect(await refusedIn()).toMatchObject([
      { ...reached, data: {} },
      { ...reached, data: { repeated: 2 } },
    ]);
  });

  it('is in the log of the process for an address nobody is known at', async () => {
    const limited = await createTestServer({
      besides: { stores: server.stores, identitySecret: 'x'.repeat(64) },
      log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
      authLimits: { callsPerMinute: 3, refreshesPerMinute: 3 },
    });
    const browser = createBrowser(limited, { remoteAddress: '192.0.2.70' });
    for (let n = 0; n < 50; n++) await browser.post('/auth/sign-out');
    expect(logged('limit_reached')).toMatchObject([{ code: 'RATE_LIMITED', client_address: '192.0.2.70' }]);
    await limited.close();
    expect(logged('limit_reached')).toMatchObject([{}, { client_address: '192.0.2.70', repeated: 46 }]);
  });
});

describe('a key or token that is nobody’s', () => {
  it('is in the log of the process once it had to be looked up, without itself', async () => {
    const key = `aird_${'A'.repeat(43)}`;
    const answer = await server.inject({ url: '/me', headers: { authorization: `Bearer ${key}` } });
    expect(answer.statusCode).toBe(401);
    expect(logged('credential_refused')).toMatchObject([{ code: 'TOKEN_INVALID', route: '/me' }]);
    expect(lines.join('')).not.toContain(key);
  });

  it('is recorded for a session without a second factor that wants more than to set one up', async () => {
    const bare = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' }, mfa: false });
    expect((await server.inject({ url: `/api/tenants/${tenant}`, headers: bare.headers })).statusCode).toBe(403);
    expect(logged('credential_refused')).toMatchObject([{ code: 'MFA_REQUIRED' }]);
  });
});

describe('a record that cannot be written', () => {
  it('leaves the refusal as it was, and says so in the log under the id of the request', async () => {
    await server.stores.database.system((tx) =>
      tx
        .insertInto('audit_chain')
        .values({ tenant_id: tenant, sequence: 0, hash: '' })
        .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ sequence: 0 }))
        .execute(),
    );
    const answer = await saveSearch(admin, { name: 'x', extra: SECRET });
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'VALIDATION_FAILED' }]);
    const { request_id } = answer.json<{ request_id: string }>();
    expect(logged('unrecorded')).toMatchObject([{ level: 50, reqId: request_id, msg: 'refusal not recorded' }]);
    expect(lines.join('')).not.toContain(SECRET);
  });

  it('of a count is told in the log with the number', async () => {
    const stranger = { ...admin, id: v7() };
    const caller = { userId: stranger.id, username: 'x', fullname: 'x', homeTenant: tenant, via: 'session' as const };
    const note = { tenant: 'not-a-tenant', caller, routeId: 'me.get', code: 'ROLE_TOO_LOW' as const, requestId: 'r' };
    await expect(server.composition.refusals.note(note)).rejects.toThrow();
    await server.composition.refusals.note(note);
    await minuteIsOver();
    expect(logged('unrecorded')).toMatchObject([{ level: 50, repeated: 1, tenant: 'not-a-tenant' }]);
  });
});
