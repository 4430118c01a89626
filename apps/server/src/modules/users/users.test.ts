import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { createTestBrowser } from '../identity/test-browser.ts';
import { auditOf, by, call, callConfirmed, invitationTo, listUsers, usersOf } from './users-fixture.ts';

let server: TestServer;
let tenant: string;
let other: string;
let admin: Actor;
let analyst: Actor;
let visitor: Actor;
let users: ReturnType<typeof usersOf>;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());

/** A tenant with an Admin, an Analyst, and an Analyst whose home is another tenant. */
beforeEach(async () => {
  tenant = await server.createTenant({ name: 'Harbour' });
  other = await server.createTenant({ name: 'Inland' });
  users = usersOf(tenant);
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  analyst = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
  visitor = await server.createActor({ home: other, roles: { [tenant]: 'Analyst', [other]: 'Admin' } });
});

const ask = (actor: Actor) => call(server, actor, { url: `/api/tenants/${tenant}` });

describe('the list of users', () => {
  it('shows members and who is invited, and the disabled only when asked', async () => {
    await call(
      server,
      admin,
      users.invite({ email: 'New.Person@Example.com', fullname: 'New Person', role: 'Analyst' }),
    );
    await call(server, admin, users.update({ username: analyst.email, status: 'disabled' }));
    const shown = await listUsers(server, admin, tenant);
    expect(shown.map(({ uname, status }) => ({ uname, status }))).toEqual(
      expect.arrayContaining([
        { uname: admin.email, status: 'active' },
        { uname: visitor.email, status: 'active' },
        { uname: 'new.person@example.com', status: 'invited' },
      ]),
    );
    expect(shown).toHaveLength(3);
    const all = await listUsers(server, admin, tenant, 'show_all=true');
    expect(all.find((user) => user.id === analyst.id)).toMatchObject({ status: 'disabled' });
  });

  it('says of whom the invitation has expired, until a new one is sent', async () => {
    const wanted = users.invite({ email: 'late@example.com', fullname: 'Late', role: 'Analyst' });
    await call(server, admin, wanted);
    const late = async () => (await listUsers(server, admin, tenant)).find(({ uname }) => uname === 'late@example.com');
    expect(await late()).not.toHaveProperty('invitation_expired');
    await server.stores.database.system((tx) =>
      tx
        .updateTable('invitation')
        .set({ expires_at: new Date(0) })
        .where('tenant_id', '=', tenant)
        .execute(),
    );
    expect(await late()).toMatchObject({ status: 'invited', invitation_expired: true });
    await call(server, admin, wanted);
    expect(await late()).not.toHaveProperty('invitation_expired');
  });

  it('tells Admins alone who has an authenticator and who signed in when', async () => {
    expect((await createTestBrowser(server).signIn(analyst)).body).toEqual({ signedIn: true });
    const of = async (actor: Actor) => (await listUsers(server, actor, tenant)).find(({ id }) => id === analyst.id);
    expect(await of(admin)).toMatchObject({ mfa_enabled: true, last_sign_in_at: expect.stringMatching(/^20/) });
    expect(await of(analyst)).toMatchObject({ mfa_enabled: null, last_sign_in_at: null });
  });

  it('finds by name and user name, taking every character for itself', async () => {
    await call(server, admin, users.update({ username: analyst.email, fullname: '50%_off\\ Person' }));
    const found = async (q: string) =>
      (await listUsers(server, admin, tenant, `q=${encodeURIComponent(q)}`)).map(({ id }) => id);
    expect(await found('50%_OFF\\')).toEqual([analyst.id]);
    expect(await found(analyst.email.toUpperCase())).toEqual([analyst.id]);
    expect(await found('%')).toEqual([analyst.id]);
    expect(await found('nobody here')).toEqual([]);
  });

  it('never shows people of another tenant', async () => {
    const shown = await listUsers(server, admin, tenant, 'show_all=true');
    const elsewhere = await server.createActor({ home: other, roles: { [other]: 'Analyst' } });
    expect(shown.map(({ id }) => id)).not.toContain(elsewhere.id);
    expect((await call(server, admin, { url: usersOf(other).url })).body).toMatchObject({ code: 'TENANT_FORBIDDEN' });
  });
});

describe('changing the role of a user', () => {
  it('is asked about with names and both roles, then counts with the next request and is audited', async () => {
    const asked = await call(server, admin, users.setRole(analyst.email, 'ReadOnly'));
    expect(asked).toMatchObject({
      status: 449,
      body: { confirm: { text: expect.stringMatching(new RegExp(`${analyst.email}.*Analyst.*Harbour.*Read Only`)) } },
    });
    const done = await callConfirmed(server, admin, users.setRole(analyst.email, 'Read Only'));
    expect(done).toMatchObject({ status: 200, body: { id: analyst.id, role: 'ReadOnly' } });
    expect((await call(server, analyst, { url: users.url })).body).toMatchObject({ code: 'ROLE_TOO_LOW' });
    const [record] = (await auditOf(server, tenant, 'membership.set')).slice(-1);
    expect(record).toMatchObject({
      actor_id: admin.id,
      target_id: analyst.id,
      data: { from: 'Analyst', role: 'ReadOnly' },
    });
  });

  it('works for somebody at home elsewhere, and for whom the invitation is open', async () => {
    expect(await callConfirmed(server, admin, users.setRole(visitor.email, 'ReadOnly'))).toMatchObject({ status: 200 });
    await call(server, admin, users.invite({ email: 'later@example.com', fullname: 'Later', role: 'Analyst' }));
    const changed = await callConfirmed(server, admin, users.setRole('later@example.com', 'SystemManager'));
    expect(changed.body).toMatchObject({ role: 'SystemManager', status: 'invited' });
  });

  it('leaves the last Admin one, also when two lower each other at the same moment', async () => {
    const alone = users.setRole(admin.email, 'Analyst');
    expect((await callConfirmed(server, admin, alone)).body).toMatchObject({ code: 'LAST_ADMIN' });
    for (let round = 0; round < 5; round++) {
      const second = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
      await Promise.all([
        callConfirmed(server, admin, users.setRole(second.email, 'Analyst')),
        callConfirmed(server, second, users.setRole(admin.email, 'Analyst')),
      ]);
      const admins = (await listUsers(server, analyst, tenant)).filter(({ role }) => role === 'Admin');
      expect(admins.length).toBeGreaterThanOrEqual(1);
      await server.stores.database.system(async (tx) => {
        const { tenants } = server.composition;
        await tenants.addMembership(tx, { tenant, user: admin.id, role: 'Admin' }, by);
        await tenants.removeMembership(tx, { tenant, user: second.id }, by);
      });
    }
  });

  it('does not count an invited or a disabled Admin, nor one of the provider', async () => {
    await call(server, admin, users.invite({ email: 'boss@example.com', fullname: 'Boss', role: 'Admin' }));
    const disabled = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
    await call(server, admin, users.update({ username: disabled.email, status: 'disabled' }));
    const ofProvider = await server.createActor({ home: other });
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(
        tx,
        { tenant, user: ofProvider.id, role: 'Admin', source: 'provider' },
        by,
      ),
    );
    for (const change of [
      users.setRole(admin.email, 'Analyst'),
      users.remove(admin.email),
      users.update({ username: admin.email, status: 'disabled' }),
    ]) {
      expect((await callConfirmed(server, admin, change)).body).toMatchObject({ code: 'LAST_ADMIN' });
    }
    for (const change of [users.setRole(ofProvider.email, 'Analyst'), users.remove(ofProvider.email)]) {
      expect((await callConfirmed(server, admin, change)).body).toMatchObject({ code: 'CONFLICT' });
    }
    expect((await listUsers(server, admin, tenant)).find(({ id }) => id === ofProvider.id)).toMatchObject({
      from_provider: true,
      role: 'Admin',
    });
  });

  it('is for Admins, of people of this tenant, to a role that exists', async () => {
    const elsewhere = await server.createActor({ home: other, roles: { [other]: 'Analyst' } });
    const foreign = await callConfirmed(server, admin, users.setRole(elsewhere.email, 'ReadOnly'));
    const unknown = await callConfirmed(server, admin, users.setRole('nobody@example.com', 'ReadOnly'));
    expect(foreign.status).toBe(404);
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' });
    expect((await call(server, analyst, users.setRole(analyst.email, 'Admin'))).body).toMatchObject({
      code: 'ROLE_TOO_LOW',
    });
    expect((await call(server, admin, users.setRole(analyst.email, 'Owner'))).status).toBe(400);
  });
});

describe('removing a user', () => {
  it('ends access, sessions, API keys for the tenant and assignments there, and leaves the rest alone', async () => {
    const [here, there] = [
      await server.createApiKey(visitor, { tenant, role: 'Analyst' }),
      await server.createApiKey(visitor, { tenant: other, role: 'Analyst' }),
    ];
    expect(await callConfirmed(server, admin, users.remove(visitor.email))).toMatchObject({ status: 204 });
    await expect.poll(async () => (await ask(visitor)).status).toBe(401);
    const withKey = (key: string, id: string) =>
      call(server, { headers: { authorization: `Bearer ${key}` } }, { url: `/api/tenants/${id}` });
    expect((await withKey(here, tenant)).status).toBe(401);
    expect((await withKey(there, other)).status).toBe(200);
    expect(await auditOf(server, tenant, 'membership.remove')).toHaveLength(1);
    expect(await auditOf(server, tenant, 'api_key.revoke')).toHaveLength(1);
    expect((await callConfirmed(server, admin, users.remove(visitor.email))).status).toBe(404);
  });

  it('withdraws the invitation of somebody who has not accepted', async () => {
    await call(server, admin, users.invite({ email: 'gone@example.com', fullname: 'Gone', role: 'Analyst' }));
    const { ticket } = await invitationTo(server, 'gone@example.com');
    expect(await callConfirmed(server, admin, users.remove('gone@example.com'))).toMatchObject({ status: 204 });
    expect((await listUsers(server, admin, tenant)).map(({ uname }) => uname)).not.toContain('gone@example.com');
    const headers = { origin: 'http://localhost:80' };
    const shown = await call(server, undefined, { method: 'POST', url: '/auth/ticket', payload: { ticket }, headers });
    expect(shown).toMatchObject({ status: 400, body: { code: 'TICKET_INVALID' } });
  });

  it('withdraws the invitation that a member has still open as well, and none of another tenant', async () => {
    const person = await server.createActor({ home: other });
    const invite = (of: string) =>
      server.stores.database.system((tx) =>
        server.composition.invitations.invite(tx, {
          ...{ tenant: of, email: person.email, fullname: 'Invited', role: 'Admin', by },
        }),
      );
    await invite(other);
    const elsewhere = await invitationTo(server, person.email);
    const { id } = await invite(tenant);
    const here = await invitationTo(server, person.email);
    // As by single sign-on: they became a member without the ticket.
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant, user: person.id, role: 'ReadOnly' }, by),
    );
    expect(await callConfirmed(server, admin, users.remove(person.email))).toMatchObject({ status: 204 });
    expect((await listUsers(server, admin, tenant)).map(({ uname }) => uname)).not.toContain(person.email);
    expect(await auditOf(server, tenant, 'invitation.revoke')).toMatchObject([
      { actor_id: admin.id, target_kind: 'invitation', target_id: id, data: { email: person.email } },
    ]);

    const { token } = await server.composition.identity.users.openSession(person.id);
    const accept = (ticket: string) =>
      call(
        server,
        { headers: { authorization: `Bearer ${token}` } },
        { method: 'POST', url: '/signup/invite', payload: { ticket } },
      );
    expect((await accept(here.ticket)).body).toMatchObject({ code: 'TICKET_INVALID' });
    expect(await accept(elsewhere.ticket)).toMatchObject({ status: 200, body: { tenant: other } });
  });

  it('gives somebody whose home it was another of their tenants, and takes what came through this one', async () => {
    const customer = await server.stores.database.system((tx) =>
      server.composition.tenants.createTenant(tx, { name: 'Customer', managedBy: tenant, skuInfo: plan }, by),
    );
    const leaver = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst', [other]: 'ReadOnly' } });
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(
        tx,
        { tenant: customer, user: leaver.id, role: 'Analyst', source: 'provider' },
        by,
      ),
    );
    await callConfirmed(server, admin, users.remove(leaver.email));
    const row = await server.stores.database.system(async (tx) => ({
      home: (await server.composition.tenants.findUser(tx, leaver.id))?.home_tenant_id,
      tenants: (await server.composition.tenants.listMemberships(tx, leaver.id)).map(({ id }) => id),
    }));
    expect(row).toEqual({ home: other, tenants: [other] });
    expect(await auditOf(server, customer, 'membership.remove')).toHaveLength(1);
  });
});

describe('the account of a user', () => {
  it('is renamed, disabled and enabled by the tenant it is at home in', async () => {
    const key = await server.createApiKey(analyst, { tenant, role: 'Analyst' });
    const renamed = await call(server, admin, users.update({ username: analyst.email, fullname: 'Ana\0 Souza' }));
    expect(renamed.body).toMatchObject({ fullname: 'Ana\ufffd Souza' });
    const disabled = await call(server, admin, users.update({ username: analyst.email, status: 'disabled' }));
    expect(disabled.body).toMatchObject({ status: 'disabled' });
    await expect.poll(async () => (await ask(analyst)).status).toBe(401);
    const withKey = { headers: { authorization: `Bearer ${key}` } };
    expect((await call(server, withKey, { url: '/me' })).status).toBe(401);

    await call(server, admin, users.update({ username: analyst.email, status: 'active' }));
    const { token } = await server.composition.identity.users.openSession(analyst.id);
    const again = { ...analyst, headers: { authorization: `Bearer ${token}` } };
    expect((await ask(again)).status).toBe(200);
    expect((await call(server, withKey, { url: '/me' })).status).toBe(401);
  });

  it('when disabled gives back its open cases wherever it worked, as when it leaves, and no others', async () => {
    const both = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst', [other]: 'Analyst' } });
    const open = await addCase({ of: tenant, assignee: both.email });
    const elsewhere = await addCase({ of: other, assignee: both.email });
    const closed = await addCase({ of: tenant, assignee: both.email, status: 'closed' });
    const colleagues = await addCase({ of: tenant, assignee: analyst.email });
    const change = users.update({ username: both.email, status: 'disabled' });
    expect((await call(server, admin, change)).status).toBe(200);
    const seen = (of: string, id: string, who = admin) =>
      call<{ assignee: string | null; activity: unknown[] }>(server, who, {
        url: `/api/tenants/${of}/case/${id}`,
      });
    const told = { kind: 'assigned', text: 'Assignment removed', username: admin.email };
    expect((await seen(tenant, open)).body).toMatchObject({ assignee: null });
    expect((await seen(tenant, open)).body.activity.at(-1)).toMatchObject(told);
    // Whoever reads it there need not know this tenant's Admin.
    const { body } = await seen(other, elsewhere, visitor);
    expect(body).toMatchObject({ assignee: null });
    expect(body.activity.at(-1)).toMatchObject({ ...told, username: 'system' });
    expect((await seen(tenant, closed)).body.assignee).toBe(both.email);
    expect((await seen(tenant, colleagues)).body.assignee).toBe(analyst.email);
    expect(await auditOf(server, tenant, 'user.set_status')).toHaveLength(1);
  });

  it('that may only read from now on gives back its open cases there, which it could not work on', async () => {
    const both = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin', [other]: 'Analyst' } });
    const here = await addCase({ of: tenant, assignee: both.email });
    const elsewhere = await addCase({ of: other, assignee: both.email });
    const assignee = async (of: string, id: string, who: Actor) =>
      (await call<{ assignee: string | null }>(server, who, { url: `/api/tenants/${of}/case/${id}` })).body.assignee;
    expect((await callConfirmed(server, admin, users.setRole(both.email, 'Analyst'))).status).toBe(200);
    expect(await assignee(tenant, here, admin)).toBe(both.email);
    const reader = users.setRole(both.email, 'ReadOnly');
    const asked = await call<{ confirm: { text: string } }>(server, admin, reader);
    expect(asked.body.confirm.text).toMatch(/becomes Read Only\. Open cases they were given are free again\.$/);
    expect((await callConfirmed(server, admin, reader)).status).toBe(200);
    expect(await assignee(tenant, here, admin)).toBeNull();
    expect(await assignee(other, elsewhere, visitor)).toBe(both.email);
  });

  it('is not touched by a tenant it only works in, nor by one it has nothing to do with', async () => {
    const changes = [
      users.update({ username: visitor.email, status: 'disabled' }),
      users.update({ username: visitor.email, fullname: 'Changed' }),
      users.resetPassword(visitor.email),
    ];
    for (const change of changes) {
      expect((await call(server, admin, change)).body).toMatchObject({ code: 'CONFLICT' });
    }
    const elsewhere = await server.createActor({ home: other, roles: { [other]: 'Analyst' } });
    expect((await call(server, admin, users.update({ username: elsewhere.email, status: 'disabled' }))).status).toBe(
      404,
    );
    expect((await call(server, visitor, { url: '/me' })).status).toBe(200);
    expect((await call(server, elsewhere, { url: '/me' })).status).toBe(200);
  });

  it('takes no field that is not offered', async () => {
    for (const extra of [{ role: 'Admin' }, { tenant: other }, { sku_info: {} }, { id: visitor.id }]) {
      expect((await call(server, admin, users.update({ username: analyst.email, ...extra }))).status).toBe(400);
      const wanted = { email: 'x@example.com', fullname: 'X', role: 'Analyst', ...extra, status: 'active' };
      expect((await call(server, admin, users.invite(wanted))).status).toBe(400);
    }
  });

  it('needs a new password after a reset, which ends its sessions', async () => {
    expect(await call(server, admin, users.resetPassword(analyst.email))).toMatchObject({ status: 204 });
    await expect.poll(async () => (await ask(analyst)).status).toBe(401);
    expect(await auditOf(server, tenant, 'user.require_password_reset')).toMatchObject([{ target_id: analyst.id }]);
    const payload = { email: analyst.email, password: analyst.password };
    const headers = { origin: 'http://localhost:80' };
    const signIn = await call(server, undefined, { method: 'POST', url: '/auth/sign-in/email', payload, headers });
    expect(signIn.body).toEqual({ newPasswordRequired: true });
  });

  it('is not reset once more than mails go out to it: nothing happens then that nobody is told of', async () => {
    const mails = Array.from({ length: 10 }, () => users.resetPassword(analyst.email));
    for (const reset of mails) expect((await call(server, admin, reset)).status).toBe(204);
    const refused = await call(server, admin, users.resetPassword(analyst.email));
    expect([refused.status, refused.body]).toMatchObject([429, { code: 'RATE_LIMITED' }]);
    expect(await auditOf(server, tenant, 'user.require_password_reset')).toHaveLength(10);
  });
});

const plan = {
  sku_name: 'Complete',
  is_mdr_enabled: true,
  is_search_enabled: true,
  retention_length_days: 90,
  search_length_days: 30,
};

async function addCase({
  of,
  assignee,
  status = 'open',
}: {
  of: string;
  assignee: string;
  status?: 'open' | 'closed';
}) {
  const id = v7();
  const at = new Date();
  const closed = status === 'closed' ? at : null;
  const number = Number.parseInt(id.slice(-6), 16);
  await server.stores.database.system((tx) =>
    tx
      .insertInto('case_record')
      .values({
        ...{ id, tenant_id: of, number, alert_type: 'policy', policy_id: null, group_key: null, name: 'Case' },
        ...{ description: '', category: '', severity: 'low', severity_rank: 0, status, log_sources: [], meta: '{}' },
        ...{ opened_at: at, time_opened: at, time_acknowledged: null, acknowledged_by: null, time_closed: closed },
        ...{ closed_by: null, closed_by_person: closed && true, close_reason: closed && 'true_positive', assignee },
        ...{ automated_response_at: null, time_updated: at, search_text: assignee, respond_by: null, resolve_by: null },
        ...{ waiting_since: null, clock_next_at: null },
      })
      .execute(),
  );
  return id;
}
