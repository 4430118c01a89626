import type { SsoConnection } from '@airdeck/contracts/settings/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import { CLIENT, createIssuerFixture, type IssuerFixture } from './issuer-fixture.ts';

let issuers: IssuerFixture;
let server: TestServer;
let tenant: string;
let admin: Actor;
let stranger: Actor;

beforeAll(async () => {
  issuers = await createIssuerFixture(['one', 'two'], 'http://localhost:4000/auth/external/callback');
  server = await createTestServer({ sandbox: { host: issuers.host, port: issuers.port } });
  tenant = await server.createTenant();
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const other = await server.createTenant();
  stranger = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
});
afterAll(async () => {
  await server?.close();
  await issuers?.stop();
});

function input(change: object = {}) {
  return {
    kind: 'oidc',
    label: 'Harbour ID',
    issuer: issuers.issuer('one'),
    client_id: CLIENT.id,
    client_secret: CLIENT.secret,
    domains: ['harbour.example'],
    ...change,
  };
}

type Call = { path?: string; payload?: object; actor?: Actor; in?: string; headers?: object };

function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', given: Call = {}) {
  const { path = '', payload, actor = admin, in: where = tenant, headers = {} } = given;
  return server.inject({
    method,
    url: `/api/tenants/${where}/settings/sso${path}`,
    headers: { ...actor.headers, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
}

async function create(change: object = {}, given: Call = {}): Promise<SsoConnection> {
  const answer = await call('POST', { payload: input(change), ...given });
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json<SsoConnection>();
}

function sql(text: string, values: readonly unknown[] = []) {
  return server.stores.database.system((tx) => sqlClient(tx).query<Record<string, unknown>>(text, values));
}

describe('a connection', () => {
  it('never shows its secret again: not in answers, the database or the audit', async () => {
    const made = await create();
    expect(made).toMatchObject({
      client_secret_set_at: expect.any(String),
      redirect_uri: 'http://localhost:4000/auth/external/callback',
      enabled: true,
    });
    const seen = [
      await call('GET').then((answer) => answer.body),
      JSON.stringify((await sql('select * from sso_connection')).rows),
      JSON.stringify((await sql('select * from audit_record')).rows),
    ];
    for (const text of seen) {
      expect(text).toContain(made.id);
      expect(text).not.toContain(CLIENT.secret);
    }
  });

  it('keeps its secret for the same issuer only', async () => {
    const { id, client_secret_set_at } = await create();
    const { client_secret: _secret, ...without } = input();
    const renamed = await call('PUT', { path: `/${id}`, payload: { ...without, label: 'Renamed' } });
    expect(renamed.json()).toMatchObject({ label: 'Renamed', client_secret_set_at });
    for (const issuer of [issuers.issuer('two'), 'https://evil.example', `${issuers.issuer('one')}/x`]) {
      const moved = await call('PUT', { path: `/${id}`, payload: { ...without, issuer } });
      expect(moved.statusCode).toBe(400);
      expect(moved.json()).toMatchObject({ details: [{ path: 'body.client_secret' }] });
    }
    const again = await call('PUT', { path: `/${id}`, payload: input({ issuer: issuers.issuer('two') }) });
    expect(again.statusCode).toBe(200);
  });

  it('is not written over by a form that was opened before somebody else changed it', async () => {
    const mapped = { enabled: true, default_role: 'ReadOnly', group_roles: [{ group: 'owners', role: 'Admin' }] };
    const opened = await create({ join: mapped });
    const path = `/${opened.id}`;
    const put = (change: object) => call('PUT', { path, payload: { ...input(), ...change } });
    const join = { ...mapped, group_roles: [] };
    const first = await put({ join, updated_at: opened.updated_at });
    expect(first.json()).toMatchObject({ join });

    const late = await put({ join: mapped, label: 'Renamed', updated_at: opened.updated_at });
    expect(late.json()).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('Somebody else changed'),
      details: [{ path: 'body.updated_at', reason: 'FIELD_DIFFERENT_NOW' }],
    });
    const { updated_at } = first.json<SsoConnection>();
    expect((await put({ join, label: 'Renamed', updated_at })).json()).toMatchObject({ label: 'Renamed', join });
    // Who does not say what it was made from writes over it, as clients before could only do.
    expect((await put({ join: mapped })).json()).toMatchObject({ join: mapped });
  });

  it('does not open a secret that was moved to another connection', async () => {
    const [mine, theirs] = [await create(), await create()];
    await sql(
      `update sso_connection a set sealed_secret = b.sealed_secret, wrapped_key = b.wrapped_key
       from sso_connection b where a.id = $1 and b.id = $2`,
      [mine.id, theirs.id],
    );
    expect((await call('POST', { path: `/${mine.id}/test` })).json()).toEqual({
      ok: false,
      message: 'The secret "client_secret" could not be opened. Enter it again.',
    });
  });

  it('is unknown to other tenants', async () => {
    const { id } = await create();
    const where = { actor: stranger, in: await homeOf(stranger) };
    expect((await call('GET', where)).json()).toEqual([]);
    for (const method of ['PUT', 'DELETE', 'POST'] as const) {
      const path = method === 'POST' ? `/${id}/test` : `/${id}`;
      const payload = method === 'PUT' ? { payload: input() } : {};
      expect((await call(method, { ...where, ...payload, path })).json()).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect((await call('GET')).json<SsoConnection[]>().map((row) => row.id)).toContain(id);
  });

  it.each<[string, object, string]>([
    ['plain http', { issuer: 'http://login.example.com' }, 'body.issuer'],
    ['the address of a document', { issuer: 'https://evil.example/.well-known/openid-configuration' }, 'body.issuer'],
    ['a directory everybody shares', { issuer: 'https://login.microsoftonline.com/common/v2.0' }, 'body.issuer'],
    ['another scheme', { issuer: 'javascript:alert(1)' }, 'body.issuer'],
    ['joining without any role', { join: { enabled: true, default_role: null } }, 'body.join'],
    ['an unknown role', { join: { enabled: true, default_role: 'Owner' } }, 'body.join.default_role'],
    ['what is no domain', { domains: ['*.example.com'] }, 'body.domains.0'],
    ['a field of ours', { tenant_id: '0192f0c1-7e57-7000-8000-00000000abcd' }, 'body'],
  ])('is refused with %s', async (_name, change, path) => {
    const answer = await call('POST', { payload: input(change) });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'VALIDATION_FAILED', details: [{ path }] });
  });

  it('is removed after a question, which names it', async () => {
    const { id, label } = await create({ label: 'Old ID' });
    const asked = await call('DELETE', { path: `/${id}` });
    expect(asked.statusCode).toBe(449);
    expect(asked.json<{ confirm: { text: string } }>().confirm.text).toContain(label);
    expect((await call('DELETE', { path: `/${id}`, headers: { 'x-air-confirm': 'true' } })).statusCode).toBe(204);
    expect((await call('GET')).json<SsoConnection[]>().map((row) => row.id)).not.toContain(id);
  });

  it('is one of twenty at most', async () => {
    const crowded = await server.createTenant();
    const owner = await server.createActor({ home: crowded, roles: { [crowded]: 'Admin' } });
    const answers = [];
    for (let n = 0; n < 21; n++) {
      answers.push((await call('POST', { payload: input(), actor: owner, in: crowded })).statusCode);
    }
    expect(answers).toEqual([...Array(20).fill(201), 409]);
  });
});

describe('testing a connection', () => {
  async function tested(change: object) {
    const where = { in: await server.createTenant() };
    const actor = await server.createActor({ home: where.in, roles: { [where.in]: 'Admin' } });
    const { id } = await create(change, { ...where, actor, payload: input(change) });
    return (await call('POST', { ...where, actor, path: `/${id}/test` })).json<{ ok: boolean; message: string }>();
  }

  it('reads configuration and keys', async () => {
    expect(await tested({})).toEqual({ ok: true, message: expect.any(String), reason: 'SSO_USABLE', values: {} });
  });

  it.each([
    'https://10.0.0.5',
    'https://169.254.169.254',
    'https://localhost',
    'https://[::1]/a',
    'http://127.0.0.1:9',
  ])('does not reach %s', async (issuer) => {
    const { ok, message } = await tested({ issuer });
    expect(ok).toBe(false);
    expect(message).toContain('not allowed');
  });

  it('does not believe a configuration that names another issuer', async () => {
    const { ok, message } = await tested({ issuer: issuers.issuer('impostor') });
    expect(ok).toBe(false);
    expect(message).not.toContain(CLIENT.secret);
  });

  it('is possible ten times a minute', async () => {
    const crowded = await server.createTenant();
    const owner = await server.createActor({ home: crowded, roles: { [crowded]: 'Admin' } });
    const where = { in: crowded, actor: owner };
    const { id } = await create({}, { ...where, payload: input({ issuer: 'https://10.0.0.5' }) });
    const codes = [];
    for (let n = 0; n < 11; n++) codes.push((await call('POST', { ...where, path: `/${id}/test` })).statusCode);
    expect(codes).toEqual([...Array(10).fill(200), 429]);
  });
});

async function homeOf({ id }: Actor): Promise<string> {
  const { rows } = await sql('select home_tenant_id from app_user where id = $1', [id]);
  return String(rows[0]?.home_tenant_id);
}
