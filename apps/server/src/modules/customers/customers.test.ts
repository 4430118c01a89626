import type { Role } from '@airdeck/contracts/access/roles';
import { type Customer, customerSchema } from '@airdeck/contracts/customers/schema';
import { eventUsageSchema } from '@airdeck/contracts/reports/log-report';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, fullPlan, type TestServer } from '../../http/test-server.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { eventVolume } from '../sources/event-volume.ts';
import { call as ask, callConfirmed, invitationTo, usersOf } from '../users/users-fixture.ts';

const HOUR_MS = 3_600_000;
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
const smallPlan = { ...fullPlan, sku_name: 'Small', retention_length_days: 30, search_length_days: 7 };

let server: TestServer;
let provider: string;
let boss: Actor;
let analyst: Actor;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  provider = await newProvider();
  boss = await server.createActor({ home: provider, roles: { [provider]: 'Admin' } });
  analyst = await server.createActor({ home: provider, roles: { [provider]: 'Analyst' } });
});

const db = () => server.stores.database;

const newProvider = () =>
  db().system((tx) =>
    server.composition.tenants.createTenant(
      tx,
      { name: 'Watchtower', managedBy: null, skuInfo: fullPlan, isProvider: true },
      by,
    ),
  );

async function call(who: Actor, method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, body?: object, headers = {}) {
  const answer = await server.inject({
    method,
    url: `/api/tenants/${path}`,
    headers: { ...who.headers, ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

let named = 0;
async function newCustomer(name = `Customer ${++named}`, at = provider, who = boss): Promise<Customer> {
  const answer = await call(who, 'POST', `${at}/customers`, {
    name,
    sku_info: smallPlan,
    admin: { email: `first${++named}@customer.example`, fullname: 'First Admin' },
  });
  expect(answer.status).toBe(201);
  return customerSchema.parse(answer.body);
}

/** Asked and confirmed. */
async function setRole(username: string, role: Role | null, who = boss) {
  const path = `${provider}/customers/roles`;
  const asked = await call(who, 'PUT', path, { username, role });
  if (asked.status !== 449) return { asked, done: asked };
  return { asked, done: await call(who, 'PUT', path, { username, role }, { 'x-air-confirm': 'true' }) };
}

const membershipsOf = (user: string) =>
  db().system((tx) =>
    tx
      .selectFrom('membership')
      .select(['tenant_id', 'role', 'source'])
      .where('user_id', '=', user)
      .where('tenant_id', '<>', provider)
      .orderBy('tenant_id')
      .execute(),
  );
const actionsIn = async (tenant: string) =>
  (await db().tenant(tenant, (tx) => tx.selectFrom('audit_record').select('action').orderBy('sequence').execute())).map(
    ({ action }) => action,
  );
const isIntact = (tenant: string) =>
  db().tenant(tenant, (tx) => server.composition.audit.verify(tx, trustedTenantScope(tenant)));

describe('a customer', () => {
  it('is created with its plan and an invited first Admin, and is recorded in both chains', async () => {
    const customer = await newCustomer('Bakery');
    expect(customer).toMatchObject({ name: 'Bakery', sku_info: smallPlan, users: 0, invited: 1 });
    expect((await call(boss, 'GET', `${provider}/customers`)).body).toEqual([customer]);
    const invitation = await db().system((tx) =>
      tx.selectFrom('invitation').select(['role', 'state']).where('tenant_id', '=', customer.id).execute(),
    );
    expect(invitation).toEqual([{ role: 'Admin', state: 'pending' }]);
    expect(await actionsIn(provider)).toContain('customer.create');
    expect((await actionsIn(customer.id))[0]).toBe('tenant.create');
    expect(await isIntact(provider)).toMatchObject({ intact: true });
    expect(await isIntact(customer.id)).toMatchObject({ intact: true });
  });

  it('has nobody invited whose invitation has expired', async () => {
    const { id } = await newCustomer('Slow Bakery');
    await db().system((tx) =>
      tx
        .updateTable('invitation')
        .set({ expires_at: new Date(0) })
        .where('tenant_id', '=', id)
        .execute(),
    );
    const listed = (await call(boss, 'GET', `${provider}/customers`)).body as unknown as { id: string }[];
    expect(listed.find((one) => one.id === id)).toMatchObject({ invited: 0 });
  });

  it('has as many people as can work there: the disabled do not count', async () => {
    const { id } = await newCustomer();
    const there = await server.createActor({ home: id, roles: { [id]: 'Admin' } });
    const count = async () => {
      const listed = (await call(boss, 'GET', `${provider}/customers`)).body as unknown as Customer[];
      return listed.find((one) => one.id === id)?.users;
    };
    expect(await count()).toBe(1);
    await db().system((tx) => server.composition.tenants.setUserStatus(tx, there.id, 'disabled', by));
    expect(await count()).toBe(0);
  });

  it('does not exist at all when its first Admin cannot be invited', async () => {
    const answer = await call(boss, 'POST', `${provider}/customers`, {
      name: 'Half',
      sku_info: smallPlan,
      admin: { email: 'not an address', fullname: 'X' },
    });
    expect(answer.status).toBe(400);
    expect((await call(boss, 'GET', `${provider}/customers`)).body).toEqual([]);
  });

  it('opens to nobody of the provider by being created', async () => {
    const customer = await newCustomer();
    expect((await call(boss, 'GET', `${customer.id}/settings`)).status).toBe(403);
    expect((await call(boss, 'GET', customer.id)).status).toBe(403);
  });

  it('shows an Admin of its provider how much it sends by day, and nobody else', async () => {
    const customer = await newCustomer('Sends much');
    const source = v7();
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - 24 * HOUR_MS;
    await db().system(async (tx) => {
      await tx
        .insertInto('event_source')
        .values({
          ...{ id: source, tenant_id: customer.id, name: 'Firewall', kind: 'syslog' },
          ...{ token_hash: Buffer.from(source), token_hint: 'abcd', created_at: new Date(hour) },
        })
        .execute();
      const byHour = new Map([[hour, { events: 40, bytes: 4_000 }]]);
      await eventVolume.add(tx, [{ tenantId: customer.id, sourceId: source, receivedAt: hour, byHour }]);
    });
    const answer = await call(boss, 'GET', `${provider}/customers/${customer.id}/usage`);
    const usage = eventUsageSchema.parse(answer.body);
    expect(usage.total).toEqual({ events: 40, bytes: 4_000 });
    const day = new Date(hour).toISOString().slice(0, 10);
    expect(usage.by_day.filter(({ events }) => events > 0)).toEqual([{ day, events: 40, bytes: 4_000 }]);
    expect((await call(boss, 'GET', `${provider}/customers/${(await newCustomer()).id}/usage`)).body).toMatchObject({
      total: { events: 0, bytes: 0 },
    });

    expect((await call(analyst, 'GET', `${provider}/customers/${customer.id}/usage`)).status).toBe(403);
    const other = await newProvider();
    const rival = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    const refused = await call(rival, 'GET', `${other}/customers/${customer.id}/usage`);
    expect(refused).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await call(rival, 'GET', `${provider}/customers/${customer.id}/usage`)).status).toBe(403);
  });

  it('is renamed and gets another plan, with what it was in both records', async () => {
    const customer = await newCustomer('Before');
    const bigger = { ...smallPlan, sku_name: 'Big', retention_length_days: 365, search_length_days: 90 };
    const changed = await call(boss, 'PATCH', `${provider}/customers/${customer.id}`, {
      name: 'After',
      sku_info: bigger,
    });
    expect(changed).toMatchObject({ status: 200, body: { name: 'After', sku_info: bigger } });
    for (const [tenant, action] of [
      [provider, 'customer.update'],
      [customer.id, 'tenant.update'],
    ] as const) {
      const [record] = await db().tenant(tenant, (tx) =>
        tx.selectFrom('audit_record').select('data').where('action', '=', action).execute(),
      );
      expect(record?.data).toMatchObject({
        name: { from: 'Before', to: 'After' },
        sku_info: { from: { sku_name: 'Small' }, to: { sku_name: 'Big' } },
      });
    }
  });

  it('gets no plan that was made from another one than it has by now', async () => {
    const { id } = await newCustomer();
    const patch = (body: object) => call(boss, 'PATCH', `${provider}/customers/${id}`, body);
    const first = { ...smallPlan, is_mdr_enabled: !smallPlan.is_mdr_enabled };
    const second = { ...smallPlan, retention_length_days: 400 };
    expect(await patch({ sku_info: first, replaces: smallPlan })).toMatchObject({ status: 200 });
    expect(await patch({ name: `Late ${id}`, sku_info: second, replaces: smallPlan })).toMatchObject({
      status: 409,
      body: {
        code: 'CONFLICT',
        message: expect.stringContaining('Somebody else changed'),
        details: [{ path: 'body.replaces', reason: 'FIELD_DIFFERENT_NOW' }],
      },
    });
    expect(await patch({ name: `Late ${id}` })).toMatchObject({ status: 200, body: { sku_info: first } });
    expect(await patch({ sku_info: second })).toMatchObject({ status: 200, body: { sku_info: second } });
  });

  it('is refused the name of another one without saying that its plan changed meanwhile', async () => {
    const [{ id }, other] = [await newCustomer(), await newCustomer('Taken already')];
    const change = { name: other.name, sku_info: { ...smallPlan, retention_length_days: 400 }, replaces: smallPlan };
    const refused = await call(boss, 'PATCH', `${provider}/customers/${id}`, change);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT', reason: 'CUSTOMER_NAME_TAKEN' } });
    expect(refused.body).not.toHaveProperty('details');
  });

  it.each([
    ['search longer than it is kept', { ...smallPlan, search_length_days: 31 }],
    ['no days at all', { ...smallPlan, retention_length_days: 0 }],
    ['something unknown', { ...smallPlan, is_admin: true }],
  ])('gets no plan with %s', async (_name, sku_info) => {
    const customer = await newCustomer();
    const refused = await call(boss, 'PATCH', `${provider}/customers/${customer.id}`, { sku_info });
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('has a name of its own, also when two are created at the same moment', async () => {
    const create = () =>
      call(boss, 'POST', `${provider}/customers`, {
        name: 'Same Name',
        sku_info: smallPlan,
        admin: { email: `one${++named}@customer.example`, fullname: 'One' },
      });
    const answers = await Promise.all(Array.from({ length: 6 }, create));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409]);
  });

  it('of another provider, or managed by nobody, is not found and not changed', async () => {
    const other = await newProvider();
    const otherBoss = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    const theirs = await newCustomer('Theirs', other, otherBoss);
    for (const id of [theirs.id, await server.createTenant(), provider, other]) {
      const refused = await call(boss, 'PATCH', `${provider}/customers/${id}`, { name: 'Stolen' });
      expect(refused).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
    expect((await call(otherBoss, 'GET', `${other}/customers`)).body).toMatchObject([{ name: 'Theirs' }]);
  });

  it('of a customer is not reached: only direct ones count', async () => {
    const middle = await newCustomer('Middle');
    const below = await db().system((tx) =>
      server.composition.tenants.createTenant(tx, { name: 'Below', managedBy: middle.id, skuInfo: fullPlan }, by),
    );
    await setRole(analyst.email, 'Analyst');
    expect((await membershipsOf(analyst.id)).map(({ tenant_id }) => tenant_id)).toEqual([middle.id]);
    expect((await call(boss, 'PATCH', `${provider}/customers/${below}`, { name: 'Mine' })).status).toBe(404);
  });
});

describe('a tenant that is no provider', () => {
  it('manages nobody, and its attempts are recorded', async () => {
    const plain = await server.createTenant();
    const admin = await server.createActor({ home: plain, roles: { [plain]: 'Admin' } });
    const body = { name: 'X', sku_info: smallPlan, admin: { email: 'x@customer.example', fullname: 'X' } };
    for (const answer of [
      await call(admin, 'GET', `${plain}/customers`),
      await call(admin, 'POST', `${plain}/customers`, body),
      await call(admin, 'PUT', `${plain}/customers/roles`, { username: admin.email, role: 'Admin' }),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'NOT_A_PROVIDER' } });
    }
    const refused = await db().tenant(plain, (tx) =>
      tx.selectFrom('audit_record').select('code').where('outcome', '=', 'refused').execute(),
    );
    expect(refused).toEqual(Array(3).fill({ code: 'NOT_A_PROVIDER' }));
  });

  it("is not opened by the provider's lower roles either", async () => {
    const answer = await call(analyst, 'GET', `${provider}/customers`);
    expect(answer).toMatchObject({ status: 403, body: { code: 'ROLE_TOO_LOW' } });
  });
});

describe('a role in all customers', () => {
  it('is asked for by name, role and number of tenants, and opens all of them, later ones too', async () => {
    const before = [await newCustomer(), await newCustomer()];
    const { asked, done } = await setRole(analyst.email, 'Analyst');
    expect(asked.body).toMatchObject({ code: 'CONFIRMATION_REQUIRED' });
    const { text } = asked.body.confirm as { text: string };
    expect(text).toContain(analyst.email);
    expect(text).toContain('Analyst in all 2 customer tenants');
    expect(done).toMatchObject({ status: 200, body: [{ username: analyst.email, role: 'Analyst' }] });
    const later = await newCustomer();
    expect(later.users).toBe(1);
    const expected = [...before, later].map(({ id }) => ({ tenant_id: id, role: 'Analyst', source: 'provider' }));
    expect(await membershipsOf(analyst.id)).toEqual(expected);
    expect((await call(analyst, 'GET', later.id)).status).toBe(200);
    expect(await actionsIn(provider)).toContain('provider_role.set');
    for (const { id } of [...before, later]) expect(await actionsIn(id)).toContain('membership.set');
  });

  it('follows a change, and is gone with exactly what it gave', async () => {
    const [one, two] = [await newCustomer(), await newCustomer()];
    await db().system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: two.id, user: analyst.id, role: 'Admin' }, by),
    );
    await setRole(analyst.email, 'ReadOnly');
    expect(await membershipsOf(analyst.id)).toEqual([
      { tenant_id: one.id, role: 'ReadOnly', source: 'provider' },
      { tenant_id: two.id, role: 'Admin', source: 'direct' },
    ]);
    await setRole(analyst.email, 'SystemManager');
    expect((await membershipsOf(analyst.id)).map(({ role }) => role)).toEqual(['SystemManager', 'Admin']);
    const key = await server.createApiKey(analyst, { tenant: one.id, role: 'ReadOnly' });
    const { asked, done } = await setRole(analyst.email, null);
    expect((asked.body.confirm as { text: string }).text).toContain('loses the role System Manager in all 2');
    expect(done).toMatchObject({ status: 200, body: [] });
    expect(await membershipsOf(analyst.id)).toEqual([{ tenant_id: two.id, role: 'Admin', source: 'direct' }]);
    const byKey = await server.inject({
      url: `/api/tenants/${one.id}`,
      headers: { authorization: `Bearer ${key}` },
    });
    expect(byKey.statusCode).toBe(401);
  });

  it('that may only read from now on gives back the open cases of customers', async () => {
    const customer = await newCustomer();
    await setRole(analyst.email, 'Analyst');
    const made = await call(analyst, 'POST', `${customer.id}/case`, { alert_name: 'Odd', assignee: analyst.email });
    expect(made.body).toMatchObject({ assignee: analyst.email });
    await setRole(analyst.email, 'ReadOnly');
    expect((await call(analyst, 'GET', `${customer.id}/case/${made.body.id}`)).body).toMatchObject({ assignee: null });
  });

  it('is confirmed for one person and one role only', async () => {
    const other = await server.createActor({ home: provider, roles: { [provider]: 'Analyst' } });
    const path = `${provider}/customers/roles`;
    const confirmed = { 'x-air-confirm': 'true' };
    await call(boss, 'PUT', path, { username: analyst.email, role: 'ReadOnly' });
    for (const body of [
      { username: analyst.email, role: 'Admin' },
      { username: other.email, role: 'ReadOnly' },
      { username: analyst.email, role: null },
    ]) {
      expect((await call(boss, 'PUT', path, body, confirmed)).status).not.toBe(200);
    }
    expect((await call(boss, 'GET', path)).body).toEqual([]);
  });

  it.each(['nobody@example.com', '%', ' '])('goes to no stranger (%s)', async (username) => {
    const { done } = await setRole(username, 'Admin');
    expect([400, 404]).toContain(done.status);
  });

  it('goes to no person of another tenant, and cannot be taken from who has none', async () => {
    const elsewhere = await server.createTenant();
    const stranger = await server.createActor({ home: elsewhere, roles: { [elsewhere]: 'Admin' } });
    expect((await setRole(stranger.email, 'Admin')).done).toMatchObject({ status: 404 });
    expect((await setRole(analyst.email, null)).done).toMatchObject({ status: 404 });
  });

  it('counts again where a membership of their own ends, and who ends it is told', async () => {
    const { id } = await newCustomer();
    const admin = await server.createActor({ home: id, roles: { [id]: 'Admin' } });
    await db().system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: id, user: analyst.id, role: 'Admin' }, by),
    );
    await setRole(analyst.email, 'Analyst');
    const key = await server.createApiKey(analyst, { tenant: id, role: 'ReadOnly' });
    const remove = usersOf(id).remove(analyst.email);
    const asked = await ask<{ confirm: { text: string } }>(server, admin, remove);
    expect(asked.body.confirm.text).toContain('with the role Analyst, which only the provider');
    expect((await callConfirmed(server, admin, remove)).status).toBe(204);
    expect(await membershipsOf(analyst.id)).toEqual([{ tenant_id: id, role: 'Analyst', source: 'provider' }]);
    expect((await actionsIn(id)).filter((action) => /^membership|revoke/.test(action)).slice(-3)).toEqual(
      expect.arrayContaining(['api_key.revoke', 'membership.remove', 'membership.set']),
    );
    const byKey = await server.inject({ url: `/api/tenants/${id}`, headers: { authorization: `Bearer ${key}` } });
    expect(byKey.statusCode).toBe(401);
    expect((await callConfirmed(server, admin, remove)).status).toBe(409);
    await setRole(analyst.email, null);
    expect(await membershipsOf(analyst.id)).toEqual([]);
  });

  it('is gone for good when it is taken while a membership of their own ends', async () => {
    const { id } = await newCustomer();
    await db().system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: id, user: analyst.id, role: 'Admin' }, by),
    );
    await setRole(analyst.email, 'Analyst');
    await Promise.all([
      setRole(analyst.email, null),
      db().system((tx) => server.composition.tenants.removeMembership(tx, { tenant: id, user: analyst.id }, by)),
    ]);
    expect(await membershipsOf(analyst.id)).toEqual([]);
  });

  it('keeps nobody from being invited, and from accepting, in their own right', async () => {
    const { id } = await newCustomer();
    const admin = await server.createActor({ home: id, roles: { [id]: 'Admin' } });
    await setRole(analyst.email, 'ReadOnly');
    const invited = { email: analyst.email, fullname: 'Analyst', role: 'Admin' };
    expect(await ask(server, admin, usersOf(id).invite(invited))).toMatchObject({
      status: 200,
      body: { uname: analyst.email, status: 'invited', role: 'Admin' },
    });
    const listed = async () => {
      const { body } = await ask(server, admin, { method: 'GET', url: `/api/tenants/${id}/users` });
      return (body as unknown as { uname: string; status: string }[]).flatMap(({ uname, status }) =>
        uname === analyst.email ? status : [],
      );
    };
    expect((await listed()).sort()).toEqual(['active', 'invited']);
    expect((await callConfirmed(server, admin, usersOf(id).remove(analyst.email))).status).toBe(204);
    expect(await listed()).toEqual(['active']);
    expect((await ask(server, admin, usersOf(id).invite(invited))).status).toBe(200);
    const { ticket } = await invitationTo(server, analyst.email);
    const accept = await ask(server, analyst, { method: 'POST', url: '/signup/invite', payload: { ticket } });
    expect(accept.status).toBe(200);
    expect(await membershipsOf(analyst.id)).toEqual([{ tenant_id: id, role: 'Admin', source: 'direct' }]);
    expect((await ask(server, admin, usersOf(id).invite(invited))).body).toMatchObject({ code: 'EMAIL_TAKEN' });
  });

  it('ends with the membership in the provider', async () => {
    const customer = await newCustomer();
    await setRole(analyst.email, 'Analyst');
    expect((await call(analyst, 'GET', customer.id)).status).toBe(200);
    await db().system((tx) =>
      server.composition.tenants.removeMembership(tx, { tenant: provider, user: analyst.id }, by),
    );
    expect(await membershipsOf(analyst.id)).toEqual([]);
    expect((await call(boss, 'GET', `${provider}/customers/roles`)).body).toEqual([]);
    await newCustomer();
    expect(await membershipsOf(analyst.id)).toEqual([]);
  });

  it.each([
    ['it is taken away', async () => (await setRole(analyst.email, null)).done.status],
    [
      'the person leaves the provider',
      async () => (await callConfirmed(server, boss, usersOf(provider).remove(analyst.email))).status,
    ],
  ])('leaves no key and no assignment in any customer when %s', async (_name, end) => {
    const customers = [await newCustomer(), await newCustomer()];
    await setRole(analyst.email, 'Analyst');
    const places = await Promise.all(
      customers.map(async ({ id }) => {
        const key = await server.createApiKey(analyst, { tenant: id, role: 'Analyst' });
        const made = await call(analyst, 'POST', `${id}/case`, { alert_name: 'Guessing', assignee: analyst.email });
        expect(made).toMatchObject({ status: 201, body: { assignee: analyst.email } });
        return { id, key, caseId: String(made.body.id) };
      }),
    );
    const keyAnswers = () =>
      Promise.all(
        places.map(async ({ id, key }) => {
          const headers = { authorization: `Bearer ${key}` };
          return (await server.inject({ url: `/api/tenants/${id}`, headers })).statusCode;
        }),
      );
    expect(await keyAnswers()).toEqual([200, 200]);

    expect(await end()).toBeLessThan(300);
    for (const { id, caseId } of places) {
      const row = await db().tenant(id, (tx) =>
        tx.selectFrom('case_record').select('assignee').where('id', '=', caseId).executeTakeFirstOrThrow(),
      );
      expect(row.assignee).toBeNull();
      expect((await actionsIn(id)).filter((action) => /api_key.revoke|membership.remove/.test(action)).sort()).toEqual([
        'api_key.revoke',
        'membership.remove',
      ]);
      expect(await isIntact(id)).toMatchObject({ intact: true });
    }
    for (const { id } of customers) {
      await db().system((tx) =>
        server.composition.tenants.addMembership(tx, { tenant: id, user: analyst.id, role: 'Analyst' }, by),
      );
    }
    expect(await keyAnswers()).toEqual([401, 401]);
  });

  it('reaches every customer although customers are created at the same moment', async () => {
    await call(boss, 'PUT', `${provider}/customers/roles`, { username: analyst.email, role: 'Analyst' });
    const confirm = call(
      boss,
      'PUT',
      `${provider}/customers/roles`,
      { username: analyst.email, role: 'Analyst' },
      { 'x-air-confirm': 'true' },
    );
    const created = await Promise.all([newCustomer(), newCustomer(), newCustomer(), newCustomer()]);
    expect((await confirm).status).toBe(200);
    expect((await membershipsOf(analyst.id)).map(({ tenant_id }) => tenant_id)).toEqual(
      created.map(({ id }) => id).sort(),
    );
  });
});
