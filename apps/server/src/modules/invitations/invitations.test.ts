import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { auditOf, call, invitationTo, listUsers, usersOf } from '../users/users-fixture.ts';

const DAY_MS = 24 * 3_600_000;
const PASSWORD = 'a harbour full of ships';
const origin = { origin: 'http://localhost:80' };

let server: TestServer;
let tenant: string;
let admin: Actor;
let clock = Date.now();
let people = 0;

beforeAll(async () => {
  server = await createTestServer({ now: () => new Date(clock) });
});
afterAll(() => server?.close());
beforeEach(async () => {
  clock = Date.now();
  tenant = await server.createTenant({ name: 'Harbour' });
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
});

const newAddress = () => `guest${++people}@example.com`;

async function invite(email: string, role = 'Analyst', where = { tenant, admin }) {
  const wanted = usersOf(where.tenant).invite({ email, fullname: 'Ana Souza', role });
  const { status, body } = await call(server, where.admin, wanted);
  expect({ status, body }).toMatchObject({ status: 200 });
  return { id: String(body.id), ...(await invitationTo(server, email.toLowerCase())) };
}

function auth(path: string, payload: object) {
  return server.inject({ method: 'POST', url: `/auth${path}`, payload, headers: origin });
}

/** A sign-in made with the ticket, and its access token. */
async function signUp(ticket: string, change: object = {}) {
  const answer = await auth('/sign-up/ticket', { ticket, fullname: 'Ana Souza', password: PASSWORD, ...change });
  const cookie = [answer.headers['set-cookie']]
    .flat()
    .map((line) => String(line).split(';', 1)[0])
    .join('; ');
  if (answer.statusCode !== 200) return { answer, headers: { authorization: '' } };
  const { token } = (await server.inject({ url: '/auth/token', headers: { cookie } })).json<{ token: string }>();
  return { answer, headers: { authorization: `Bearer ${token}` } };
}

const accept = (headers: Record<string, string>, ticket: string) =>
  server.inject({ method: 'POST', url: '/signup/invite', headers, payload: { ticket } });

describe('an invitation', () => {
  it('is written in the language of whoever invites, and in their own to who has an account', async () => {
    const speaks = (username: string, locale: string) =>
      server.stores.database.system((tx) =>
        tx.updateTable('app_user').set({ locale }).where('uname', '=', username).execute(),
      );
    await speaks(admin.email, 'pt-BR');
    expect((await invite(newAddress())).subject).toBe('Convite para Harbour no AIRdeck');
    const member = await server.createActor({ home: await server.createTenant() });
    expect((await invite(member.email)).subject).toBe('Invitation to Harbour on AIRdeck');
  });

  it('is mailed to the address in lower case with a link to our own address, and stored as a hash', async () => {
    const email = newAddress();
    const { subject, body, ticket } = await invite(email.toUpperCase());
    expect(subject).toBe('Invitation to Harbour on AIRdeck');
    expect(ticket).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(body).toContain(`http://localhost:4000/signup/invite?__clerk_ticket=${ticket}`);
    const rows = await server.stores.database.system((tx) => tx.selectFrom('invitation').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(ticket);
  });

  it('names no host a request brought along', async () => {
    const email = newAddress();
    const wanted = usersOf(tenant).invite({ email, fullname: 'Ana', role: 'Analyst' });
    await call(server, admin, { ...wanted, headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' } });
    expect((await invitationTo(server, email)).body).not.toContain('evil.example');
  });

  it('cannot add lines to its mail', async () => {
    const email = newAddress();
    const fullname = 'Ana\r\n\r\nhttps://evil.example';
    await call(server, admin, usersOf(tenant).invite({ email, fullname, role: 'Analyst' }));
    expect((await invitationTo(server, email)).body.split('\n')[0]).toBe('Hello Ana https://evil.example,');
  });

  it('makes a new person a member: sign-in first, then user and membership', async () => {
    const email = newAddress();
    const { id, ticket } = await invite(email, 'SystemManager');
    expect((await auth('/ticket', { ticket })).json()).toEqual({
      email,
      fullname: 'Ana Souza',
      tenant_name: 'Harbour',
      role: 'SystemManager',
      account: 'new',
      only_connections: null,
    });
    const { answer, headers } = await signUp(ticket);
    expect(answer.json()).toEqual({ signedIn: true });
    expect((await server.inject({ url: '/me', headers })).json()).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
    expect((await accept(headers, ticket)).json()).toEqual({
      tenant,
      tenant_name: 'Harbour',
      role: 'SystemManager',
    });
    expect((await server.inject({ url: '/me', headers })).json()).toMatchObject({
      user: { id, uname: email, email, fullname: 'Ana Souza', tenant, external_id: id, mfa_enabled: false },
      tenant_roles: { [tenant]: 'SystemManager' },
    });
    // Nothing more before an authenticator is set up.
    expect((await server.inject({ url: `/api/tenants/${tenant}`, headers })).json()).toMatchObject({
      code: 'MFA_REQUIRED',
    });
    const shown = (await listUsers(server, admin, tenant)).find((user) => user.id === id);
    expect(shown, 'who came by invitation is signed in').toMatchObject({
      status: 'active',
      last_sign_in_at: new Date(clock).toISOString(),
    });
    expect(await auditOf(server, tenant, 'invitation.accept')).toMatchObject([{ actor_id: id, target_id: id }]);
  });

  it('lets a new person begin in the language of the browser', async () => {
    const { ticket } = await invite(newAddress(), 'Analyst');
    const { headers } = await signUp(ticket);
    await accept({ ...headers, 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.5' }, ticket);
    expect((await server.inject({ url: '/me', headers })).json()).toMatchObject({ user: { locale: 'pt-BR' } });
  });

  it('gives somebody with an account of that address another tenant', async () => {
    const other = await server.createTenant({ name: 'Inland' });
    const known = await server.createActor({ home: other, roles: { [other]: 'ReadOnly' } });
    const { ticket } = await invite(known.email);
    expect((await auth('/ticket', { ticket })).json()).toMatchObject({ account: 'existing' });
    expect((await signUp(ticket)).answer.json()).toMatchObject({ code: 'EMAIL_TAKEN' });
    expect((await accept(known.headers, ticket)).json()).toMatchObject({ tenant, role: 'Analyst' });
    const me = (await server.inject({ url: '/me', headers: known.headers })).json();
    expect(me).toMatchObject({ user: { tenant: other }, tenant_roles: { [tenant]: 'Analyst', [other]: 'ReadOnly' } });
  });

  it('goes on after a sign-up that broke off before the user was made', async () => {
    const email = newAddress();
    const { ticket } = await invite(email);
    await signUp(ticket);
    expect((await auth('/ticket', { ticket })).json()).toMatchObject({ account: 'existing' });
    expect((await signUp(ticket, { password: 'another harbour, other ships' })).answer.json()).toMatchObject({
      code: 'EMAIL_TAKEN',
    });
    const again = await auth('/sign-in/email', { email, password: PASSWORD });
    const cookie = String(again.headers['set-cookie']).split(';', 1)[0] ?? '';
    const { token } = (await server.inject({ url: '/auth/token', headers: { cookie } })).json<{ token: string }>();
    // A newer ticket for the same person, even of another tenant, finds the same sign-in.
    const other = await server.createTenant();
    const there = { tenant: other, admin: await server.createActor({ home: other, roles: { [other]: 'Admin' } }) };
    const second = await invite(email, 'ReadOnly', there);
    const headers = { authorization: `Bearer ${token}` };
    expect((await accept(headers, second.ticket)).statusCode).toBe(200);
    expect((await accept(headers, ticket)).statusCode).toBe(200);
    const me = (await server.inject({ url: '/me', headers })).json();
    expect(me).toMatchObject({ tenant_roles: { [tenant]: 'Analyst', [other]: 'ReadOnly' } });
  });

  it('is sent again with a ticket that replaces the one before, at most five times an hour', async () => {
    const email = newAddress();
    const first = await invite(email);
    const second = await invite(email, 'ReadOnly');
    expect(second.id).toBe(first.id);
    expect((await auth('/ticket', { ticket: first.ticket })).json()).toMatchObject({ code: 'TICKET_INVALID' });
    expect((await auth('/ticket', { ticket: second.ticket })).statusCode).toBe(200);
    for (let n = 3; n <= 5; n++) await invite(email);
    const wanted = usersOf(tenant).invite({ email, fullname: 'Ana', role: 'Analyst' });
    expect((await call(server, admin, wanted)).body).toMatchObject({ code: 'RATE_LIMITED' });
  });

  it('is not for members, and answers alike whether the address has an account elsewhere', async () => {
    const wanted = (email: string) => usersOf(tenant).invite({ email, fullname: 'Ana', role: 'Analyst' });
    expect((await call(server, admin, wanted(admin.email))).body).toMatchObject({ code: 'EMAIL_TAKEN' });
    const other = await server.createTenant();
    const known = await server.createActor({ home: other, roles: { [other]: 'Analyst' } });
    const [a, b] = [newAddress(), known.email];
    const answers = [await call(server, admin, wanted(a)), await call(server, admin, wanted(b))];
    const shapes = answers.map(({ status, body }) => ({ status, body: { ...body, id: '', uname: '' } }));
    expect(shapes[0]).toEqual(shapes[1]);
    expect(answers[1]?.body.id).not.toBe(known.id);
    const mails = [await invitationTo(server, a), await invitationTo(server, b)];
    const texts = mails.map(({ body, ticket }) => body.replace(ticket, ''));
    expect(texts[0]).toBe(texts[1]);
  });
});

describe('a ticket', () => {
  it('works once of twenty parallel tries, for sign-in and for membership', async () => {
    const { ticket } = await invite(newAddress());
    const made = await Promise.all(Array.from({ length: 20 }, () => signUp(ticket)));
    const good = made.filter(({ answer }) => answer.statusCode === 200);
    expect(good).toHaveLength(1);
    const headers = good[0]?.headers ?? { authorization: '' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(headers, ticket)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
    const refused = answers.filter(({ statusCode }) => statusCode !== 200).map((answer) => answer.json());
    expect(new Set(refused.map(({ code, message }) => `${code} ${message}`)).size).toBe(1);
    expect(refused[0]).toMatchObject({ code: 'TICKET_INVALID' });
  });

  it('that is made up, expired, used or withdrawn gets one answer, and the tenant has it in its audit', async () => {
    const known = await server.createActor({ home: tenant });
    const used = await invite(known.email);
    await accept(known.headers, used.ticket);
    const expired = await invite(newAddress());
    await server.stores.database.system((tx) =>
      tx
        .updateTable('invitation')
        .set({ expires_at: new Date(clock) })
        .where('id', '=', expired.id)
        .execute(),
    );
    const answers = [];
    for (const ticket of ['made-up', used.ticket, expired.ticket]) {
      answers.push((await auth('/ticket', { ticket })).json());
      answers.push((await signUp(ticket)).answer.json());
      answers.push((await accept(known.headers, ticket)).json());
    }
    const shapes = new Set(answers.map((body) => JSON.stringify({ ...body, request_id: '' })));
    expect([...shapes]).toHaveLength(1);
    expect(answers[0]).toMatchObject({ code: 'TICKET_INVALID' });
    await server.composition.refusals.tellCounts({ all: true });
    const records = (await auditOf(server, tenant, 'route.call')).filter(({ code }) => code === 'TICKET_INVALID');
    // Each is a record of its own, or one of those a record counts.
    const tries = records.map(({ data }) => (data as { repeated?: number }).repeated ?? 1);
    expect(tries.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(7);
  });

  it('lives seven days', async () => {
    const { ticket } = await invite(newAddress());
    clock += 7 * DAY_MS - 60_000;
    expect((await auth('/ticket', { ticket })).statusCode).toBe(200);
    clock += 60_000;
    expect((await auth('/ticket', { ticket })).json()).toMatchObject({ code: 'TICKET_INVALID' });
  });

  it('of somebody else is refused, audited and stays good for its owner', async () => {
    const email = newAddress();
    const { ticket } = await invite(email, 'Admin');
    const thief = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
    const stolen = await accept(thief.headers, ticket);
    expect(stolen.json()).toMatchObject({ code: 'TICKET_FOR_ANOTHER' });
    const [record] = await auditOf(server, tenant, 'route.call');
    expect(record).toMatchObject({ code: 'TICKET_FOR_ANOTHER', outcome: 'refused', actor_id: thief.id });
    expect((await signUp(ticket, { email: 'thief@example.com' })).answer.json()).toMatchObject({
      code: 'TICKET_INVALID',
    });
    const { headers } = await signUp(ticket);
    expect((await accept(headers, ticket)).statusCode).toBe(200);
  });

  it('cannot be accepted with a key, without a sign-in, or while disabled', async () => {
    const known = await server.createActor({ home: tenant });
    const { ticket } = await invite(known.email);
    expect((await accept({}, ticket)).json()).toMatchObject({ code: 'TOKEN_MISSING' });
    const other = await server.createTenant();
    const owner = await server.createActor({ home: other, roles: { [other]: 'Admin' } });
    const key = await server.createApiKey(owner, { tenant: other, role: 'Admin' });
    expect((await accept({ authorization: `Bearer ${key}` }, ticket)).json()).toMatchObject({ code: 'TOKEN_INVALID' });
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) => server.composition.tenants.setUserStatus(tx, known.id, 'disabled', by));
    expect((await accept(known.headers, ticket)).json()).toMatchObject({ code: 'USER_DISABLED' });
  });

  it('takes no weak password', async () => {
    const email = newAddress();
    const { ticket } = await invite(email);
    for (const password of ['jonasbrothers', 'short', 'passwordpassword', `${email.split('@')[0]} is my name`]) {
      expect((await signUp(ticket, { password })).answer.json()).toMatchObject({ code: 'PASSWORD_WEAK' });
    }
  });

  it('never lowers what somebody has in their own right, nor keeps what the provider gave', async () => {
    const { tenants } = server.composition;
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    for (const [source, expected] of [
      ['direct', 'Admin'],
      ['provider', 'ReadOnly'],
    ] as const) {
      const known = await server.createActor({ home: tenant });
      const { ticket } = await invite(known.email, 'ReadOnly');
      await server.stores.database.system((tx) =>
        tenants.addMembership(tx, { tenant, user: known.id, role: 'Admin', source }, by),
      );
      expect((await accept(known.headers, ticket)).json()).toMatchObject({ role: expected });
      const row = await server.stores.database.system((tx) => tenants.findMembership(tx, known.id, tenant));
      expect(row).toMatchObject({ role: expected, source: 'direct' });
    }
  });
});
