import type { SsoDomain, SsoDomainCheck } from '@airdeck/contracts/settings/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { auditOf, call, callConfirmed } from '../users/users-fixture.ts';
import { createNames, type Names } from './names-fixture.ts';

let server: TestServer;
let names: Names;
let made = 0;

beforeAll(async () => {
  names = createNames();
  server = await createTestServer({ resolveTxt: names.resolveTxt });
});
afterAll(() => server?.close());

const newDomain = () => `d${++made}.example`;

async function place(domain = newDomain()) {
  const tenant = await server.createTenant();
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const connections = `/api/tenants/${tenant}/settings/sso`;
  const input = (domains: readonly string[]) => ({
    ...{ kind: 'oidc', label: `ID of ${tenant}`, issuer: 'https://id.example', client_id: 'airdeck', domains },
  });
  const put = (id: string, domains: readonly string[]) =>
    call(server, admin, { method: 'PUT', url: `${connections}/${id}`, payload: input(domains) });
  const created = await call<{ id: string }>(server, admin, {
    ...{ method: 'POST', url: connections, payload: input([domain]) },
  });
  expect(created.status).toBe(201);
  const list = async () => (await call<SsoDomain[]>(server, admin, { url: `${connections}_domains` })).body;
  const recordOf = async (name = domain) => {
    const found = (await list()).find((each) => each.domain === name);
    if (found === undefined) throw new Error(`${name} is not listed`);
    return found.record;
  };
  return {
    ...{ tenant, admin, domain, connection: created.body.id, list, recordOf, put },
    check: (name = domain, actor: Actor = admin) =>
      call<SsoDomainCheck & { code?: string }>(server, actor, {
        ...{ method: 'POST', url: `${connections}_domains/check`, payload: { domain: name } },
      }),
    remove: () => callConfirmed(server, admin, { method: 'DELETE', url: `${connections}/${created.body.id}` }),
    /** Sets the record as the owner of the domain would. */
    async set(value?: string) {
      const record = await recordOf();
      names.records.set(record.name, [['v=spf1 -all'], [value ?? record.value]]);
    },
  };
}

async function offered(domain: string): Promise<string[]> {
  const answer = await server.inject({
    url: `/auth/connections?email=ana@${domain}`,
    headers: { origin: 'http://localhost:80' },
  });
  return answer.json<{ connections: { id: string }[] }>().connections.map(({ id }) => id);
}

describe('a domain', () => {
  it('counts for nothing until its record is there, and is offered from then on', async () => {
    const { domain, connection, tenant, list, check, set } = await place();
    expect(await list()).toEqual([
      {
        domain,
        proved_at: null,
        checked_at: null,
        missing: null,
        record: {
          name: `_airdeck-challenge.${domain}`,
          value: expect.stringMatching(/^airdeck-verify=[A-Za-z0-9_-]{43}$/),
        },
      },
    ]);
    expect(await offered(domain)).toEqual([]);
    expect(await check()).toMatchObject({ status: 200, body: { ok: false, domain: { proved_at: null } } });
    await set();
    expect(await check()).toMatchObject({ status: 200, body: { ok: true } });
    expect(await list()).toMatchObject([{ domain, proved_at: expect.any(String), checked_at: expect.any(String) }]);
    expect(await offered(domain)).toEqual([connection]);
    expect((await auditOf(server, tenant, 'sso_domain.check')).map(({ data }) => data)).toEqual([
      { domain, result: 'missing' },
    ]);
    expect((await auditOf(server, tenant, 'sso_domain.prove')).map(({ data }) => data)).toEqual([
      { domain, result: 'found' },
    ]);
  });

  it('is not proved by a record for somebody else', async () => {
    const domain = newDomain();
    const [mine, theirs] = [await place(domain), await place(domain)];
    expect((await mine.recordOf()).value).not.toBe((await theirs.recordOf()).value);
    await mine.set((await theirs.recordOf()).value);
    expect((await mine.check()).body.ok).toBe(false);
    expect((await theirs.check()).body.ok).toBe(true);
    expect(await offered(domain)).toEqual([theirs.connection]);
  });

  it('of one tenant cannot be had by another, record or not', async () => {
    const domain = newDomain();
    const [first, second] = [await place(domain), await place(domain)];
    await first.set();
    await first.check();
    await second.set();
    expect(await second.check()).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await second.list()).toMatchObject([{ proved_at: null }]);
    expect(await offered(domain)).toEqual([first.connection]);
    expect(await auditOf(server, second.tenant, 'sso_domain.check')).toMatchObject([
      { outcome: 'refused', code: 'CONFLICT', target_id: domain, data: { domain, result: 'taken' } },
    ]);
    // What was refused once is had once the first lets go of it, and the first does not get it back by itself.
    await first.put(first.connection, []);
    expect(await offered(domain)).toEqual([]);
    expect((await second.check()).body.ok).toBe(true);
    await first.put(first.connection, [domain]);
    expect(await offered(domain)).toEqual([second.connection]);
  });

  it('belongs to one of several that prove it at once', async () => {
    const domain = newDomain();
    const places = await Promise.all(Array.from({ length: 4 }, () => place(domain)));
    const records = await Promise.all(places.map(({ recordOf }) => recordOf()));
    names.records.set(
      `_airdeck-challenge.${domain}`,
      records.map(({ value }) => [value]),
    );
    const answers = await Promise.all([...places, ...places, ...places, ...places].map(({ check }) => check()));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([200, 409]);
    const proved = await Promise.all(places.map(async ({ list }) => (await list())[0]?.proved_at ?? null));
    expect(proved.filter((at) => at !== null)).toHaveLength(1);
    expect(await offered(domain)).toHaveLength(1);
  });

  it('is let go with the connection that named it; what comes later needs a new record', async () => {
    const { domain, remove, list, recordOf, set, check } = await place();
    await set();
    const before = await recordOf();
    await check();
    expect((await remove()).status).toBe(204);
    expect(await list()).toEqual([]);
    const next = await place(domain);
    expect((await next.recordOf()).value).not.toBe(before.value);
    expect((await next.check()).body.ok).toBe(false);
  });
});

describe('looking for a record', () => {
  it('says nothing of what the name servers said', async () => {
    const { domain, check, set } = await place();
    names.failures.set(`_airdeck-challenge.${domain}`, 'ESERVFAIL');
    const failed = await check();
    expect(failed).toMatchObject({ status: 200, body: { ok: false } });
    await set('airdeck-verify=secret-of-somebody');
    const other = await check();
    for (const { body } of [failed, other]) {
      expect(JSON.stringify(body)).not.toMatch(/ESERVFAIL|192\.0\.2\.53|queryTxt|somebody|spf1/);
    }
  });

  it('is for domains of the own connections only, whatever the body asks for', async () => {
    const [mine, theirs] = [await place(), await place()];
    const before = names.asked.length;
    for (const domain of [theirs.domain, `x.${mine.domain}`, 'internal.corp.example']) {
      expect(await mine.check(domain)).toMatchObject({ status: 404 });
    }
    for (const domain of ['localhost', '*.example.com', 'a b.example', `${'a'.repeat(64)}.example`, '../x.example']) {
      expect(await mine.check(domain), domain).toMatchObject({ status: 400 });
    }
    expect(names.asked).toHaveLength(before);
  });

  it('is for Admins of that tenant only', async () => {
    const [mine, theirs] = [await place(), await place()];
    const manager = await server.createActor({ home: mine.tenant, roles: { [mine.tenant]: 'SystemManager' } });
    expect((await mine.check(mine.domain, manager)).status).toBe(403);
    expect((await mine.check(mine.domain, theirs.admin)).status).toBe(403);
  });

  it('is possible ten times a minute, and the name servers hear of no more', async () => {
    const { check } = await place();
    const before = names.asked.length;
    const answers = await Promise.all(Array.from({ length: 20 }, () => check()));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect(names.asked).toHaveLength(before + 10);
  });
});
