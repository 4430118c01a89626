import { randomBytes } from 'node:crypto';
import type { Role } from '@airdeck/contracts/access/roles';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import type { Database } from '../../storage/database.ts';
import { createAccessCache } from './access-cache.ts';
import { ACCESS_CHANNEL } from './tenants-migrations.ts';

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

describe('access', () => {
  let server: TestServer;
  let tenant: string;
  let actor: Actor;
  /** While it stands still nothing that is kept grows old, so that only an announcement ends it. */
  let stoppedAt: Date | undefined;

  beforeAll(async () => {
    server = await createTestServer({ now: () => stoppedAt ?? new Date() });
    tenant = await server.createTenant();
    actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  });
  afterAll(() => server?.close());
  afterEach(() => {
    stoppedAt = undefined;
  });

  const ask = async (path = `/api/tenants/${tenant}`, headers = actor.headers) =>
    (await server.inject({ url: path, headers })).statusCode;
  /** As another process would. */
  const behindItsBack = async (statement: string, values: unknown[] = []) => {
    const client = new pg.Client({ connectionString: server.stores.url });
    await client.connect();
    await client.query(statement, values);
    await client.end();
  };
  const set = (role: Role) =>
    server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant, user: actor.id, role }, by),
    );

  it('changes with the very next request, a hundred times in a row', async () => {
    const { database } = server.stores;
    for (let n = 0; n < 50; n++) {
      await database.system((tx) => server.composition.tenants.removeMembership(tx, { tenant, user: actor.id }, by));
      expect(await ask()).toBe(403);
      await set('Admin');
      expect(await ask()).toBe(200);
    }
  });

  it('does not change with what was rolled back, nor before the commit', async () => {
    const rolledBack = server.stores.database.system(async (tx) => {
      await server.composition.tenants.removeMembership(tx, { tenant, user: actor.id }, by);
      expect(await ask()).toBe(200);
      throw new Error('changed my mind');
    });
    await expect(rolledBack).rejects.toThrow('changed my mind');
    expect(await ask()).toBe(200);
  });

  it('never mixes up requests that race with the change', async () => {
    for (let n = 0; n < 10; n++) {
      const racing = Array.from({ length: 20 }, () => ask());
      const removed = server.stores.database.system((tx) =>
        server.composition.tenants.removeMembership(tx, { tenant, user: actor.id }, by),
      );
      await Promise.all([...racing, removed]);
      expect(await ask()).toBe(403);
      await set('Admin');
    }
  });

  it.each<[string, string, string]>([
    ['membership', "update membership set role = 'ReadOnly' where user_id = $1", 'ROLE_TOO_LOW'],
    ['account', "update app_user set status = 'disabled' where id = $1", 'USER_DISABLED'],
    ['account’s end', 'delete from membership where user_id = $1', 'TENANT_FORBIDDEN'],
  ])('changed behind its back (%s) counts as soon as it is announced', async (_name, statement, code) => {
    const mine = await server.createTenant();
    const someone = await server.createActor({ home: mine, roles: { [mine]: 'Admin' } });
    const codeNow = async () =>
      (await server.inject({ url: `/api/tenants/${mine}/audit`, headers: someone.headers })).json<{ code?: string }>()
        .code;
    stoppedAt = new Date();
    expect(await codeNow()).toBeUndefined();
    await behindItsBack(statement, [someone.id]);
    await expect.poll(codeNow).toBe(code);
  });

  it('is announced when a plan, a name, a new membership or a key changes', async () => {
    const heard: string[] = [];
    const unlisten = await server.stores.database.listen(ACCESS_CHANNEL, (payload) => heard.push(payload));
    const mine = await server.createTenant();
    const someone = await server.createActor({ home: mine, roles: { [mine]: 'Admin' } });
    await server.createApiKey(someone, { tenant: mine, role: 'Analyst' });
    await expect.poll(() => heard).toEqual([someone.id]);
    await behindItsBack("update tenant set name = 'Renamed' where id = $1", [mine]);
    await behindItsBack('update tenant set sku_info = sku_info || \'{"is_mdr_enabled": false}\' where id = $1', [mine]);
    await behindItsBack('update api_key set last_used_at = now() where user_id = $1', [someone.id]);
    await behindItsBack('update api_key set revoked_at = now() where user_id = $1', [someone.id]);
    await behindItsBack("update app_user set fullname = 'Renamed' where id = $1", [someone.id]);
    await expect.poll(() => heard).toEqual([someone.id, mine, mine, someone.id, someone.id]);
    await unlisten();
  });

  it('of an API key ends with the next request after it was revoked', async () => {
    const key = await server.createApiKey(actor, { tenant, role: 'Analyst' });
    const headers = { authorization: `Bearer ${key}` };
    expect([await ask(undefined, headers), await ask(undefined, headers)]).toEqual([200, 200]);
    const list = (await server.inject({ url: '/me/api_keys', headers: actor.headers })).json<{ id: string }[]>();
    await server.inject({ method: 'DELETE', url: `/me/api_keys/${list[0]?.id}`, headers: actor.headers });
    expect(await ask(undefined, headers)).toBe(401);
  });

  it('is read from the store for every request while announcements cannot be heard', async () => {
    stoppedAt = new Date();
    expect(await ask()).toBe(200);
    await behindItsBack(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'airdeck-listen' and datname = current_database()",
    );
    await behindItsBack("update membership set role = 'ReadOnly' where user_id = $1", [actor.id]);
    await expect.poll(() => ask(`/api/tenants/${tenant}/audit`)).toBe(403);
    await behindItsBack("update membership set role = 'Admin' where user_id = $1", [actor.id]);
    await expect.poll(() => ask(`/api/tenants/${tenant}/audit`)).not.toBe(403);
  });

  it('of a key is found among thousands of keys nobody has, which cost a few questions in all', async () => {
    const key = await server.createApiKey(actor, { tenant, role: 'Analyst' });
    const { database } = server.stores;
    const { tenants, apiKeys } = server.composition;
    let questions = 0;
    const db: Database = {
      ...database,
      system: (work) => {
        questions++;
        return database.system(work);
      },
    };
    const cache = createAccessCache({ db, tenants, apiKeys, now: () => new Date() });
    await cache.start();
    const strangers = Array.from({ length: 2_000 }, () => `aird_${randomBytes(32).toString('base64url')}`);
    const found = await Promise.all([...strangers, key].map((text) => cache.findKey(text)));
    await cache.stop();
    expect(found.at(-1)).toMatchObject({ user_id: actor.id });
    expect(found.filter((one) => one !== undefined)).toHaveLength(1);
    // One at once, 2,000 in four portions, and the one that is somebody's.
    expect(questions).toBe(6);
  });

  it('is looked up once for a stranger’s tenant and for one that does not exist alike', async () => {
    const stranger = await server.createTenant();
    const answers = [];
    for (const id of [stranger, '01a1fb94-b561-76ac-8033-bf029575ae58']) {
      for (let n = 0; n < 2; n++) {
        const { statusCode, body } = await server.inject({ url: `/api/tenants/${id}`, headers: actor.headers });
        answers.push(`${statusCode} ${body.replace(/"request_id":"[^"]+"/, '')}`);
      }
    }
    expect(new Set(answers).size).toBe(1);
  });
});
