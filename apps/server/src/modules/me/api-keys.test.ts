import type { Role } from '@airdeck/contracts/access/roles';
import type { ApiKey } from '@airdeck/contracts/me/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';

let server: TestServer;
let tenant: string;
let other: string;
let actor: Actor;
let clock = Date.now();

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

beforeAll(async () => {
  server = await createTestServer({ now: () => new Date(clock) });
  tenant = await server.createTenant();
  other = await server.createTenant();
  actor = await server.createActor({ home: tenant, roles: { [tenant]: 'SystemManager', [other]: 'ReadOnly' } });
});
afterAll(() => server?.close());

const inAnHour = () => new Date(clock + 3_600_000).toISOString();

function create(change: Partial<{ name: string; tenant: string; role: Role; expires_at: string }> = {}) {
  const payload = { name: 'Shipper', tenant, role: 'Analyst', expires_at: inAnHour(), ...change };
  return server.inject({ method: 'POST', url: '/me/api_keys', headers: actor.headers, payload });
}

async function newKey(change?: Parameters<typeof create>[0]): Promise<ApiKey & { key: string }> {
  const answer = await create(change);
  expect(answer.statusCode).toBe(201);
  return answer.json();
}

function ask(key: string, url = `/api/tenants/${tenant}`) {
  return server.inject({ url, headers: { authorization: `Bearer ${key}` } });
}

describe('API keys', () => {
  it('open their tenant until they are revoked, and are shown once', async () => {
    const { key, ...shown } = await newKey();
    expect(key).toMatch(/^aird_[A-Za-z0-9_-]{43}$/);
    expect((await ask(key)).statusCode).toBe(200);
    const listed = await server.inject({ url: '/me/api_keys', headers: actor.headers });
    expect(listed.json<ApiKey[]>().find((entry) => entry.id === shown.id)).toMatchObject({
      name: 'Shipper',
      hint: shown.hint,
    });
    expect(listed.body).not.toContain(key);

    const revoked = await server.inject({ method: 'DELETE', url: `/me/api_keys/${shown.id}`, headers: actor.headers });
    expect({ status: revoked.statusCode, body: revoked.body }).toEqual({ status: 204, body: '' });
    expect((await ask(key)).json()).toMatchObject({ code: 'TOKEN_INVALID' });
  });

  it('are of a role in either spelling, and told in one', async () => {
    expect((await newKey({ role: 'Read Only' as Role })).role).toBe('ReadOnly');
    expect((await newKey({ role: 'System Manager' as Role })).role).toBe('SystemManager');
    expect((await create({ role: 'Reader' as Role })).statusCode).toBe(400);
  });

  it('are stored as a hash only', async () => {
    const { key } = await newKey();
    const rows = await server.stores.database.system((tx) => tx.selectFrom('api_key').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(JSON.stringify(rows)).not.toContain(key.slice(5, 30));
  });

  it('are shown again to the same request as long as they live, and to no other', async () => {
    const expires_at = inAnHour();
    const again = (idempotencyKey: string, change: object = {}, who = actor) =>
      server.inject({
        ...{ method: 'POST', url: '/me/api_keys' },
        headers: { ...who.headers, 'idempotency-key': idempotencyKey },
        payload: { name: 'Shipper', tenant, role: 'Analyst', expires_at, ...change },
      });
    const answers = await Promise.all(Array.from({ length: 20 }, () => again('lost answer')));
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const { id, key } = (await again('lost answer')).json();
    expect((await ask(key)).statusCode).toBe(200);
    const colleague = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const keys = [key, (await again('another')).json().key, (await again('lost answer', {}, colleague)).json().key];
    expect(new Set(keys).size).toBe(3);
    for (const change of [
      { name: 'Other' },
      { role: 'ReadOnly' },
      { expires_at: new Date(clock + 7_200_000).toISOString() },
    ]) {
      expect((await again('lost answer', change)).json()).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    }
    await server.inject({ method: 'DELETE', url: `/me/api_keys/${id}`, headers: actor.headers });
    expect((await again('lost answer')).json()).toMatchObject({ code: 'CONFLICT' });
    expect((await ask(key)).json()).toMatchObject({ code: 'TOKEN_INVALID' });
  });

  it('reach no other tenant of their owner, and /me shows only theirs', async () => {
    const { key } = await newKey();
    expect((await ask(key, `/api/tenants/${other}`)).json()).toMatchObject({ code: 'TENANT_FORBIDDEN' });
    expect((await ask(key, '/me')).json()).toMatchObject({ tenant_roles: { [tenant]: 'Analyst' } });
  });

  it('do not read where their owner is told of all their tenants', async () => {
    const { key } = await newKey();
    const webhook_url = 'https://hooks.example.com/a-secret-path';
    const me = { url: '/me', headers: actor.headers };
    const { notification_preferences: before } = (await server.inject(me)).json().user;
    const payload = { phone: '+1 555 0100', notification_preferences: { ...before, webhook_url } };
    expect(await server.inject({ ...me, method: 'PATCH', payload })).toMatchObject({ statusCode: 200 });
    expect((await server.inject(me)).json()).toMatchObject({ user: payload });
    const shown = await ask(key, '/me');
    expect(shown.json()).toMatchObject({ user: { phone: '', notification_preferences: { webhook_url: null } } });
    expect(shown.body).not.toContain('a-secret-path');
    expect((await ask(key, '/me/notification_slack')).json()).toMatchObject({ code: 'ROLE_TOO_LOW' });
  });

  it('never have more than their owner has at the moment', async () => {
    expect((await create({ role: 'Admin' })).json()).toMatchObject({ code: 'ROLE_TOO_LOW' });
    expect((await create({ tenant: '01a1fb94-b561-76ac-8033-bf029575ae58' })).json()).toMatchObject({
      code: 'TENANT_FORBIDDEN',
    });
    const { key } = await newKey({ role: 'SystemManager' });
    const set = (role: Role) =>
      server.stores.database.system((tx) =>
        server.composition.tenants.addMembership(tx, { tenant, user: actor.id, role }, by),
      );
    await set('ReadOnly');
    expect((await ask(key, '/me')).json()).toMatchObject({ tenant_roles: { [tenant]: 'ReadOnly' } });
    await set('SystemManager');
    expect((await ask(key, '/me')).json()).toMatchObject({ tenant_roles: { [tenant]: 'SystemManager' } });
  });

  it('end with the membership and with the account of their owner', async () => {
    const leaver = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const made = () => server.createApiKey(leaver, { tenant, role: 'Analyst', expiresAt: new Date(clock + 3_600_000) });
    const early = await made();
    const { tenants } = server.composition;
    const { system } = server.stores.database;
    await system((tx) => tenants.setUserStatus(tx, leaver.id, 'disabled', by));
    expect((await ask(early, '/me')).json()).toMatchObject({ code: 'TOKEN_INVALID' });
    await system((tx) => tenants.setUserStatus(tx, leaver.id, 'active', by));
    expect((await ask(early)).json()).toMatchObject({ code: 'TOKEN_INVALID' });
    const key = await made();
    expect((await ask(key)).statusCode).toBe(200);
    await system((tx) => tenants.removeMembership(tx, { tenant, user: leaver.id }, by));
    expect((await ask(key)).json()).toMatchObject({ code: 'TOKEN_INVALID' });
    // Nor with a membership that begins later.
    await system((tx) => tenants.addMembership(tx, { tenant, user: leaver.id, role: 'Analyst' }, by));
    expect((await ask(key)).json()).toMatchObject({ code: 'TOKEN_INVALID' });
  });

  it('cannot make, list or revoke keys, nor read or change what their owner has in every tenant', async () => {
    const { key, id } = await newKey();
    const headers = { authorization: `Bearer ${key}` };
    const calls = [
      server.inject({ url: '/me/api_keys', headers }),
      server.inject({ method: 'POST', url: '/me/api_keys', headers, payload: {} }),
      server.inject({ method: 'DELETE', url: `/me/api_keys/${id}`, headers }),
      server.inject({ url: '/me/home_layout', headers }),
      server.inject({ method: 'PUT', url: '/me/home_layout', headers, payload: { widgets: [], known: [] } }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer.json()).toMatchObject({ code: 'ROLE_TOO_LOW' });
  });

  it('of others are not found', async () => {
    const stranger = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    const { id, key } = await newKey();
    const answer = await server.inject({ method: 'DELETE', url: `/me/api_keys/${id}`, headers: stranger.headers });
    expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    expect((await ask(key)).statusCode).toBe(200);
  });

  it('end when they expire, and must end within a year', async () => {
    const { key, id } = await newKey();
    const lastUse = async () => {
      const rows = server.stores.database.system((tx) =>
        tx.selectFrom('api_key').select('last_used_at').where('id', '=', id).execute(),
      );
      return (await rows)[0]?.last_used_at?.getTime();
    };
    await ask(key);
    const first = await lastUse();
    clock += 30_000;
    await ask(key);
    expect(await lastUse()).toBe(first);
    clock += 31_000;
    await ask(key);
    expect(await lastUse()).toBe(clock);
    clock += 3_600_000;
    expect((await ask(key)).json()).toMatchObject({ code: 'TOKEN_INVALID' });
    clock -= 3_661_000;
    expect((await create({ expires_at: new Date(clock - 1000).toISOString() })).statusCode).toBe(400);
    expect((await create({ expires_at: new Date(clock + 400 * 86_400_000).toISOString() })).statusCode).toBe(400);
  });
});
