import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import { createIssuerFixture, type IssuerFixture, type Person } from '../sso/issuer-fixture.ts';
import { createNames } from '../sso/names-fixture.ts';
import { callConfirmed, invitationTo, listUsers, usersOf } from '../users/users-fixture.ts';
import { createSocialFixture, type Join } from './social-fixture.ts';
import { createBrowser } from './test-browser.ts';
import { keyOfSecret, TOTP_PERIOD_S, totpCode } from './totp.ts';

let issuers: IssuerFixture;
let server: TestServer;
let social: ReturnType<typeof createSocialFixture>;
let created = 0;

/** As Entra ID tells of somebody in more groups than fit a token. */
const inVeryMany = ({ groups: _left, ...person }: Person): Person => ({ ...person, _claim_names: { groups: 'src1' } });
const byGroup: Join = {
  enabled: true,
  group_roles: [
    { group: 'soc', role: 'Analyst' },
    { group: 'leads', role: 'SystemManager' },
    { group: 'owners', role: 'Admin' },
  ],
};

beforeAll(async () => {
  issuers = await createIssuerFixture(['one', 'two'], 'http://localhost:4000/auth/external/callback');
  const names = createNames();
  server = await createTestServer({
    sandbox: { host: issuers.host, port: issuers.port },
    resolveTxt: names.resolveTxt,
  });
  social = createSocialFixture(server, issuers, names);
});
afterAll(async () => {
  await server?.close();
  await issuers?.stop();
});

/** A tenant with an Admin and a connection to the first issuer, for addresses of a domain of its own. */
async function workplace(join: Join = {}) {
  const tenant = await server.createTenant();
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const domain = `t${++created}.example`;
  const connection = await social.connect(admin, { tenant, name: 'one', domains: [domain], join });
  const employee = (given: Partial<Person> = {}): Person => {
    const subject = `subject-${++created}`;
    return { subject, email: `${subject}@${domain}`, email_verified: true, name: `Employee ${created}`, ...given };
  };
  return { tenant, admin, domain, connection, employee };
}

type Workplace = Awaited<ReturnType<typeof workplace>>;

async function rolesOf({ connection }: Workplace, person: Person) {
  const done = await social.signIn({ connection: connection.id, person });
  if (done.step !== 'signed_in') return done;
  return { ...done, roles: (await social.me(done.browser)).tenant_roles };
}

function patchSettings({ tenant, admin }: Workplace, payload: object) {
  return server.inject({ method: 'PATCH', url: `/api/tenants/${tenant}/settings`, headers: admin.headers, payload });
}

function putConnection({ tenant, admin, connection }: Workplace, change: object) {
  const { id, kind, label, issuer, client_id, domains, join, enabled } = connection;
  return server.inject({
    method: 'PUT',
    url: `/api/tenants/${tenant}/settings/sso/${id}`,
    headers: admin.headers,
    payload: { kind, label, issuer, client_id, domains, join, enabled, ...change },
  });
}

async function confirmedDelete({ tenant, admin, connection }: Workplace) {
  const request = {
    method: 'DELETE',
    url: `/api/tenants/${tenant}/settings/sso/${connection.id}`,
    headers: admin.headers,
  } as const;
  expect((await server.inject(request)).statusCode).toBe(449);
  return await server.inject({ ...request, headers: { ...admin.headers, 'x-air-confirm': 'true' } });
}

function sql(text: string, values: readonly unknown[] = []) {
  return server.stores.database.system((tx) => sqlClient(tx).query(text, values));
}

async function auditOf(tenant: string, action: string) {
  return await server.stores.database.system((tx) =>
    tx
      .selectFrom('audit_record')
      .select(['outcome', 'code', 'data', 'target_id', 'actor_name'])
      .where('tenant_id', '=', tenant)
      .where('action', '=', action)
      .orderBy('sequence')
      .execute(),
  );
}

describe('joining by signing in', () => {
  it('makes a member of whoever has a verified address of the domain, once', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    const first = await rolesOf(place, person);
    expect(first).toMatchObject({ step: 'signed_in', roles: { [place.tenant]: 'ReadOnly' } });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
    expect(await auditOf(place.tenant, 'user.create')).toHaveLength(2);
    expect((await auditOf(place.tenant, 'membership.set')).at(-1)).toMatchObject({
      actor_name: 'Single sign-on "Issuer one"',
      data: { role: 'ReadOnly' },
    });
  });

  it.each([
    ['pt-BR,pt;q=0.9,en;q=0.5', 'pt-BR'],
    ['en-CA', 'en-CA'],
    ['de', 'en-US'],
  ])('of a browser that asks for %s makes an account that reads %s', async (languages, locale) => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const browser = createBrowser(server, { languages });
    const done = await social.signIn({ connection: place.connection.id, person: place.employee() }, browser);
    expect((await social.me(done.browser)).user.locale).toBe(locale);
  });

  it('makes one member of twenty first sign-ins at once', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    const browsers = [];
    for (let n = 0; n < 20; n++) {
      const browser = social.browser();
      await social.callback(browser, await issuers.authorize(await social.start(browser, place.connection.id), person));
      browsers.push(browser);
    }
    const results = await Promise.all(browsers.map((browser) => social.result(browser)));
    expect(results.map(({ step }) => step)).toEqual(Array(20).fill('signed_in'));
    const { rows } = await sql('select user_id from membership where tenant_id = $1', [place.tenant]);
    expect(rows).toHaveLength(2);
  });

  it('gives the highest mapped role', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc', 'leads', 'other'] });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'SystemManager' } });
  });

  it.each<[string, Join, Partial<Person>, string]>([
    ['joining is off', { enabled: false, default_role: 'Admin' }, {}, 'UNKNOWN'],
    [
      'the address is not verified',
      { enabled: true, default_role: 'ReadOnly' },
      { email_verified: false },
      'EMAIL_UNVERIFIED',
    ],
    [
      'there is no address',
      { ...byGroup },
      { groups: ['soc'], email: 'no address', email_verified: true },
      'EMAIL_UNVERIFIED',
    ],
    [
      'the domain is another',
      { enabled: true, default_role: 'ReadOnly' },
      { email: 'eve@t1.example.evil.example' },
      'NOT_A_MEMBER',
    ],
    ['no group is mapped', byGroup, { groups: ['SOC', 'soc '] }, 'NOT_A_MEMBER'],
    [
      'only a group speaks for it, and the address is of a domain the tenant has not proved',
      byGroup,
      { email: 'victim@elsewhere.example', groups: ['owners'] },
      'NOT_A_MEMBER',
    ],
  ])('does not happen when %s', async (_name, join, given, reason) => {
    const place = await workplace(join);
    const done = await social.signIn({ connection: place.connection.id, person: place.employee(given) });
    expect(done).toMatchObject({ step: 'no_account', reason });
    expect(await done.browser.token()).toBeNull();
    expect((await auditOf(place.tenant, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'refused',
      data: { reason },
    });
  });

  it('says so when groups decide and the issuer does not name them', async () => {
    const place = await workplace(byGroup);
    const person = inVeryMany(place.employee());
    expect(await rolesOf(place, person)).toMatchObject({ step: 'failed', reason: 'GROUPS_MISSING' });
    expect((await auditOf(place.tenant, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'refused',
      data: { reason: 'GROUPS_MISSING' },
    });
  });

  it('does not happen for a domain that is named but not proved, and leaves members as they are', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    expect(await rolesOf(place, person)).toMatchObject({ step: 'signed_in' });
    await sql('update sso_domain set proved_at = null where tenant_id = $1', [place.tenant]);
    expect(await rolesOf(place, place.employee())).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
  });

  it('never leads into an account that has the address already (same address, second issuer)', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    const second = await social.connect(place.admin, {
      tenant: place.tenant,
      name: 'two',
      domains: [place.domain],
      join: { enabled: true, default_role: 'Admin' },
    });
    // Even under the same subject: it is another issuer's.
    for (const email_verified of [true, false]) {
      const done = await social.signIn({ connection: second.id, person: { ...person, email_verified } });
      expect(done.step).toBe('no_account');
      expect(await done.browser.token()).toBeNull();
    }
    const local = await social.signIn({ connection: second.id, person: place.employee({ email: place.admin.email }) });
    expect(local.step).toBe('no_account');
  });

  it('withdraws the open invitation of that tenant to the address, and leaves those of others and to others', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const [person, colleague] = [place.employee(), place.employee()];
    const elsewhere = await workplace();
    // Later ones first: which is theirs is not decided by when it was sent.
    const theirs = await invite(elsewhere, String(person.email));
    await invite(place, String(colleague.email));
    const { rows: ticket } = await invite(place, String(person.email));
    const { browser } = await rolesOf(place, person);
    const { id } = (await social.me(browser)).user;
    expect(await auditOf(place.tenant, 'invitation.revoke')).toMatchObject([
      { actor_name: 'Single sign-on "Issuer one"', outcome: 'ok', data: { email: person.email } },
    ]);
    const accept = async (given: string) =>
      await server.inject({
        ...{ method: 'POST', url: '/signup/invite', payload: { ticket: given } },
        headers: { authorization: `Bearer ${await browser.token()}` },
      });
    // It would have made an Analyst of them.
    expect((await accept(ticket)).json()).toMatchObject({ code: 'TICKET_INVALID' });
    expect((await social.me(browser)).tenant_roles).toEqual({ [place.tenant]: 'ReadOnly' });

    const removal = usersOf(place.tenant).remove(String(person.email));
    expect((await callConfirmed(server, place.admin, removal)).status).toBe(204);
    const listed = await listUsers(server, place.admin, place.tenant);
    expect(listed.map(({ uname }) => uname)).toEqual(expect.arrayContaining([colleague.email]));
    expect(listed.map(({ uname }) => uname)).not.toContain(person.email);
    const { token } = await server.composition.identity.users.openSession(id);
    const again = { method: 'POST', url: '/signup/invite', headers: { authorization: `Bearer ${token}` } } as const;
    expect((await server.inject({ ...again, payload: { ticket } })).json()).toMatchObject({ code: 'TICKET_INVALID' });
    expect((await server.inject({ ...again, payload: { ticket: theirs.rows } })).statusCode).toBe(200);
  });

  it('and the ticket used at the same moment make one account together', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    for (let round = 0; round < 5; round++) {
      const person = place.employee();
      const { rows: ticket } = await invite(place, String(person.email));
      const other = { ...person, subject: `${person.subject}-other` };
      const ways = [
        { person, purpose: { for: 'sign_in' } },
        { person: other, purpose: { for: 'invitation', ticket } },
      ];
      const browsers = [];
      for (const way of ways) {
        const browser = social.browser();
        const url = await social.start(browser, place.connection.id, way.purpose);
        await social.callback(browser, await issuers.authorize(url, way.person));
        browsers.push(browser);
      }
      const results = await Promise.all(browsers.map((browser) => social.result(browser)));
      expect(results.filter(({ step }) => step === 'signed_in')).toHaveLength(1);
      expect(results.find(({ step }) => step !== 'signed_in')?.reason).toMatch(/^(EMAIL_TAKEN|TICKET_INVALID)$/);
    }
  });

  it('leaves an invitation as it is when nobody joins', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    const { rows: ticket } = await invite(place, String(person.email));
    // An account was made with the ticket, and nobody has accepted yet.
    const begun = await social.browser().post('/auth/sign-up/ticket', {
      ...{ ticket, fullname: 'Robin', password: 'violet harbour 1987 kettle' },
    });
    expect(begun.statusCode).toBe(200);
    expect(await rolesOf(place, person)).toMatchObject({ step: 'no_account', reason: 'EMAIL_TAKEN' });
    expect((await social.browser().post('/auth/ticket', { ticket })).statusCode).toBe(200);
    expect(await auditOf(place.tenant, 'invitation.revoke')).toEqual([]);
  });

  it('leaves the address unproved, which only that tenant’s issuer vouched for', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    const { rows } = await sql('select "emailVerified" from identity."user" where "email" = $1', [person.email]);
    expect(rows).toEqual([{ emailVerified: false }]);
  });
});

describe('groups at later sign-ins', () => {
  it('raise, lower and end the membership', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    await rolesOf(place, person);
    expect(await rolesOf(place, { ...person, groups: ['owners'] })).toMatchObject({
      roles: { [place.tenant]: 'Admin' },
    });
    expect(await rolesOf(place, { ...person, groups: ['soc'] })).toMatchObject({
      roles: { [place.tenant]: 'Analyst' },
    });
    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({
      step: 'no_account',
      reason: 'NOT_A_MEMBER',
    });
    expect(await auditOf(place.tenant, 'membership.remove')).toHaveLength(1);
    // Nor do they come back by themselves: somebody has to let them in.
    expect(await rolesOf(place, { ...person, groups: ['owners'] })).toMatchObject({ step: 'no_account' });
  });

  it.each<[string, (person: Person) => Person, string]>([
    ['groups that are more than fit', inVeryMany, 'GROUPS_MISSING'],
    ['groups in a shape nobody knows', (person) => ({ ...person, groups: [{ id: 'soc' }] }), 'GROUPS_MISSING'],
    ['the address', ({ email: _left, ...rest }) => rest, 'EMAIL_UNVERIFIED'],
    ['whether the address is theirs', ({ email_verified: _left, ...rest }) => rest, 'EMAIL_UNVERIFIED'],
    ['that the address is not theirs', (person) => ({ ...person, email_verified: false }), 'EMAIL_UNVERIFIED'],
  ])('are refused, and take nothing away, when the issuer leaves out or says %s', async (_name, change, reason) => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    const { browser } = await rolesOf(place, person);
    const { tenant } = place;
    const role = { tenant_roles: { [tenant]: 'Analyst' } };
    expect(await rolesOf(place, change(person))).toMatchObject({ step: 'failed', reason });
    expect((await auditOf(tenant, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'refused',
      data: { reason, email: change(person).email ?? null },
    });
    expect(await auditOf(tenant, 'membership.remove')).toEqual([]);
    expect(await social.me(browser)).toMatchObject(role);
    expect(await rolesOf(place, person)).toMatchObject({ step: 'signed_in', roles: role.tenant_roles });
  });

  it('that are not told let in whoever the rest of the rule gives the role they have', async () => {
    const place = await workplace({ ...byGroup, default_role: 'ReadOnly' });
    const person = place.employee();
    const untold = inVeryMany(person);
    expect(await rolesOf(place, untold)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
    expect(await rolesOf(place, untold)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
    expect(await rolesOf(place, { ...person, groups: ['soc'] })).toMatchObject({
      roles: { [place.tenant]: 'Analyst' },
    });
    expect(await rolesOf(place, untold)).toMatchObject({ step: 'failed', reason: 'GROUPS_MISSING' });
    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
  });

  it('take a membership also where an issuer says of nobody in none that there are none', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    await rolesOf(place, person);
    const { groups: _left, ...inNone } = person;
    expect(await rolesOf(place, inNone)).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    expect(await auditOf(place.tenant, 'membership.remove')).toHaveLength(1);
  });

  it('are not asked for where no group is mapped', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'ReadOnly' } });
  });

  it('count however many there are', async () => {
    const place = await workplace(byGroup);
    const many = Array.from({ length: 600 }, (_, n) => `group-${n}`);
    const person = place.employee({ groups: [...many, 'soc'] });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'Analyst' } });
    expect(await rolesOf(place, person)).toMatchObject({ roles: { [place.tenant]: 'Analyst' } });
  });

  it('end keys, assignments and every other session with the membership', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    const { browser } = await rolesOf(place, person);
    const { id, email } = (await social.me(browser)).user;
    const key = await server.createApiKey({ ...place.admin, id, email }, { tenant: place.tenant, role: 'Analyst' });
    const cases = `/api/tenants/${place.tenant}/case`;
    const payload = { alert_name: 'Guessing', assignee: email };
    const { headers } = place.admin;
    const made = (await server.inject({ method: 'POST', url: cases, headers, payload })).json<{ id: string }>();
    const assignee = async () =>
      (await server.inject({ url: `${cases}/${made.id}`, headers })).json<{ assignee: string | null }>().assignee;
    const withKey = async () =>
      (await server.inject({ url: cases, headers: { authorization: `Bearer ${key}` } })).statusCode;
    expect([await assignee(), await withKey()]).toEqual([email, 200]);

    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({ step: 'no_account' });
    expect(await browser.token()).toBeNull();
    expect([await assignee(), await withKey()]).toEqual([null, 401]);
    expect(await auditOf(place.tenant, 'api_key.revoke')).toMatchObject([
      { actor_name: 'Single sign-on "Issuer one"', outcome: 'ok' },
    ]);
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: place.tenant, user: id, role: 'Analyst' }, by),
    );
    expect(await withKey()).toBe(401);
  });

  it('do not touch what an Admin decided', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['soc'] });
    const first = await rolesOf(place, person);
    const { id } = (await social.me(first.browser)).user;
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: place.tenant, user: id, role: 'ReadOnly' }, by),
    );
    expect(await rolesOf(place, { ...person, groups: ['owners'] })).toMatchObject({
      roles: { [place.tenant]: 'ReadOnly' },
    });
  });

  it('leave the last Admin', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['owners'] });
    await rolesOf(place, person);
    await sql(`update membership set role = 'ReadOnly' where tenant_id = $1 and user_id = $2`, [
      place.tenant,
      place.admin.id,
    ]);
    expect(await rolesOf(place, { ...person, groups: ['soc'] })).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
    // Who alone could put it right is let in.
    expect(await rolesOf(place, inVeryMany(person))).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
  });

  it('leave the last Admin of its own to a tenant that has one of its provider', async () => {
    const place = await workplace(byGroup);
    const person = place.employee({ groups: ['owners'] });
    await rolesOf(place, person);
    await sql(`update membership set source = 'provider' where tenant_id = $1 and user_id = $2`, [
      place.tenant,
      place.admin.id,
    ]);
    expect(await rolesOf(place, { ...person, groups: ['soc'] })).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
    expect(await rolesOf(place, { ...person, groups: [] })).toMatchObject({ roles: { [place.tenant]: 'Admin' } });
  });
});

describe('a connection of a tenant', () => {
  it('is offered to addresses of its domain', async () => {
    const place = await workplace();
    const of = (email: string) => social.browser().get(`/auth/connections?email=${email}`);
    const button = { id: place.connection.id, kind: 'oidc', label: 'Issuer one' };
    expect((await of(`ana@${place.domain.toUpperCase()}`)).json()).toEqual({ connections: [button] });
    expect((await of(`ana@sub.${place.domain}`)).json()).toEqual({ connections: [] });
    await putConnection(place, { enabled: false });
    expect((await of(`ana@${place.domain}`)).json()).toEqual({ connections: [] });
  });

  it('is offered to members to link, whatever the domain of their address, and linked', async () => {
    const place = await workplace();
    const home = await workplace();
    const contractor = await server.createActor({
      home: home.tenant,
      roles: { [place.tenant]: 'Analyst', [home.tenant]: 'Analyst' },
    });
    const browser = social.browser();
    await browser.signIn(contractor);
    const offered = async (at = browser) =>
      (await at.get('/auth/connections')).json<{ connections: { id: string }[] }>().connections.map(({ id }) => id);
    expect(await offered()).toEqual([home.connection.id, place.connection.id]);
    const purpose = { for: 'link', redirect: '/settings/profile' };
    const person = place.employee();
    expect(await social.signIn({ connection: place.connection.id, person, purpose }, browser)).toMatchObject({
      step: 'signed_in',
    });
    const through = await social.signIn({ connection: place.connection.id, person });
    expect((await social.me(through.browser)).user.id).toBe(contractor.id);
    // An address is asked about by whoever wants to sign in with it.
    const asked = await browser.get(`/auth/connections?email=${contractor.email}`);
    expect(asked.json()).toEqual({ connections: [] });

    await putConnection(place, { enabled: false });
    expect(await offered()).toEqual([home.connection.id]);
    await sql('delete from membership where tenant_id = $1 and user_id = $2', [home.tenant, contractor.id]);
    expect(await offered()).toEqual([]);
  });

  it('is not offered to visitors, members of other tenants and people of the provider', async () => {
    const place = await workplace();
    const stranger = (await workplace()).admin;
    const ofProvider = await server.createActor({ home: await server.createTenant() });
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    const { tenant } = place;
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(
        tx,
        { tenant, user: ofProvider.id, role: 'Analyst', source: 'provider' },
        by,
      ),
    );
    for (const actor of [undefined, stranger, ofProvider]) {
      const browser = social.browser();
      if (actor !== undefined) await browser.signIn(actor);
      const { connections } = (await browser.get('/auth/connections')).json<{ connections: { id: string }[] }>();
      expect(connections.map(({ id }) => id)).not.toContain(place.connection.id);
    }
  });

  it('lets nobody in once it is disabled, nor whoever was on the way', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    const browser = social.browser();
    await social.callback(browser, await issuers.authorize(await social.start(browser, place.connection.id), person));
    await putConnection(place, { enabled: false });
    expect(await social.result(browser)).toMatchObject({ step: 'failed', reason: 'CONNECTION_GONE' });
    const start = await social.browser().post('/auth/external/start', {
      connection: place.connection.id,
      purpose: { for: 'sign_in' },
    });
    expect(start.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('ends the sessions that began with it when it is removed, and only those', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const { browser } = await social.signIn({ connection: place.connection.id, person: place.employee() });
    const admin = social.browser();
    await admin.signIn(place.admin);
    expect(await browser.token()).not.toBeNull();
    expect((await confirmedDelete(place)).statusCode).toBe(204);
    expect(await browser.token()).toBeNull();
    expect(await admin.token()).not.toBeNull();
  });

  it('opens nothing for somebody who is no member any more', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const person = place.employee();
    await rolesOf(place, person);
    await sql('delete from membership where tenant_id = $1 and user_id <> $2', [place.tenant, place.admin.id]);
    expect(await rolesOf(place, person)).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    const purpose = { for: 'invitation', ticket: 'made up' };
    const done = await social.signIn({ connection: place.connection.id, person, purpose });
    expect(done).toMatchObject({ step: 'no_account', reason: 'NOT_A_MEMBER' });
    const { rows } = await invite(place, String(person.email));
    const invited = { for: 'invitation', ticket: rows };
    expect((await social.signIn({ connection: place.connection.id, person, purpose: invited })).step).toBe('signed_in');
  });

  it('does not vouch for people of other tenants', async () => {
    const place = await workplace({ enabled: true, default_role: 'Admin' });
    const other = await workplace();
    const browser = social.browser();
    await browser.signIn(other.admin);
    const done = await social.signIn(
      { connection: place.connection.id, person: place.employee(), purpose: { for: 'link' } },
      browser,
    );
    expect(done).toMatchObject({ step: 'failed', reason: 'NOT_A_MEMBER' });
  });

  it('brings an invited person in, for the invited and verified address only', async () => {
    const place = await workplace();
    const person = place.employee();
    const { rows } = await invite(place, String(person.email));
    const purpose = { for: 'invitation', ticket: rows };
    const wrong = await social.signIn({ connection: place.connection.id, person: place.employee(), purpose });
    expect(wrong).toMatchObject({ step: 'failed', reason: 'TICKET_FOR_ANOTHER' });
    const unverified = { ...person, email_verified: false };
    expect(await social.signIn({ connection: place.connection.id, person: unverified, purpose })).toMatchObject({
      step: 'failed',
      reason: 'EMAIL_UNVERIFIED',
    });
    const foreign = await workplace();
    expect(await social.signIn({ connection: foreign.connection.id, person, purpose })).toMatchObject({
      reason: 'CONNECTION_OF_ANOTHER_TENANT',
    });
    const done = await social.signIn({ connection: place.connection.id, person, purpose });
    expect(done).toMatchObject({ step: 'signed_in', purpose });
    const accepted = await server.inject({
      method: 'POST',
      url: '/signup/invite',
      headers: { authorization: `Bearer ${await done.browser.token()}` },
      payload: { ticket: rows },
    });
    expect(accepted.statusCode).toBe(200);
    expect((await social.me(done.browser)).tenant_roles).toEqual({ [place.tenant]: 'Analyst' });
  });
});

/** The ticket as the mail carries it. */
async function invite({ tenant }: Workplace, email: string): Promise<{ rows: string }> {
  const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
  const { database } = server.stores;
  await database.system((tx) =>
    server.composition.invitations.invite(tx, { tenant, email, fullname: 'Invited', role: 'Analyst', by }),
  );
  return { rows: (await invitationTo(server, email)).ticket };
}

describe('where the home tenant asks for an authenticator too', () => {
  it('asks for its code, and remembers that the session began elsewhere', async () => {
    const place = await workplace();
    const browser = social.browser();
    await browser.signIn(place.admin);
    const person = place.employee();
    await social.signIn({ connection: place.connection.id, person, purpose: { for: 'link' } }, browser);
    expect((await patchSettings(place, { mfa: { required_for_social: true } })).statusCode).toBe(200);

    const done = await social.signIn({ connection: place.connection.id, person });
    expect(done.step).toBe('second_factor');
    expect(await done.browser.token()).toBeNull();
    const wrong = await done.browser.post('/auth/two-factor/verify-totp', { code: '000000' });
    expect(wrong.json()).toMatchObject({ code: 'INVALID_CODE' });
    const right = await done.browser.post('/auth/two-factor/verify-totp', { code: codeOf(place.admin, 1) });
    expect(right.json()).toEqual({ signedIn: true });
    expect(await social.me(done.browser)).toMatchObject({ user: { id: place.admin.id } });
    expect((await auditOf(place.tenant, 'session.sign_in')).at(-1)).toMatchObject({
      data: { connection: place.connection.id },
    });
    expect((await confirmedDelete(place)).statusCode).toBe(204);
    expect(await done.browser.token()).toBeNull();
  });

  it('leads to setting one up first', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const { browser } = await social.signIn({ connection: place.connection.id, person: place.employee() });
    const list = async () =>
      (
        await server.inject({
          url: `/api/tenants/${place.tenant}`,
          headers: { authorization: `Bearer ${await browser.token()}` },
        })
      ).json<{ code?: string }>().code;
    const me = async () => (await social.me(browser)).user;
    expect(await list()).toBeUndefined();
    expect(await me()).toMatchObject({ mfa_enabled: false, social: true });
    await patchSettings(place, { mfa: { required_for_social: true } });
    expect(await list()).toBe('MFA_REQUIRED');
    // What leads the dashboard to the set-up: an account elsewhere is not enough here.
    expect(await me()).toMatchObject({ mfa_enabled: false, social: false });
    const { secret } = (await browser.post('/auth/totp/begin')).json<{ secret: string }>();
    const code = totpCode(keyOfSecret(secret), Math.floor(Date.now() / 1000 / TOTP_PERIOD_S));
    expect((await browser.post('/auth/totp/confirm', { code })).statusCode).toBe(200);
    expect(await me()).toMatchObject({ mfa_enabled: true, social: false });
    expect(await list()).toBeUndefined();
  });

  it('ends sessions of those who have one and were not asked for it, who give its code when they sign in again', async () => {
    const place = await workplace();
    const { tenant, connection, admin } = place;
    const withPassword = social.browser();
    await withPassword.signIn(admin);
    const person = place.employee();
    await social.signIn({ connection: connection.id, person, purpose: { for: 'link' } }, withPassword);
    const { browser } = await social.signIn({ connection: connection.id, person });
    // At home elsewhere, where nobody asks for it.
    const guest = (await workplace()).admin;
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant, user: guest.id, role: 'Analyst' }, by),
    );
    const guests = social.browser();
    await guests.signIn(guest);
    const theirs = place.employee();
    await social.signIn({ connection: connection.id, person: theirs, purpose: { for: 'link' } }, guests);
    const ofGuest = (await social.signIn({ connection: connection.id, person: theirs })).browser;

    await patchSettings(place, { mfa: { required_for_social: true } });
    expect(await browser.token()).toBeNull();
    expect(await withPassword.token()).not.toBeNull();
    expect(await ofGuest.token()).not.toBeNull();
    expect((await auditOf(tenant, 'settings.update')).at(-1)).toMatchObject({ data: { sessions_ended: 1 } });
    const again = await social.signIn({ connection: connection.id, person });
    expect(again.step).toBe('second_factor');
    await again.browser.post('/auth/two-factor/verify-totp', { code: codeOf(admin, 1) });
    expect(await again.browser.token()).not.toBeNull();
    // Asked for already: nothing ends when it is said once more.
    await patchSettings(place, { mfa: { required_for_social: true } });
    expect(await again.browser.token()).not.toBeNull();
  });
});

describe('where single sign-on is required', () => {
  async function strict() {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const member = await server.createActor({ home: place.tenant, roles: { [place.tenant]: 'Analyst' } });
    const set = await patchSettings(place, { sign_in: { sso_required: true, break_glass: [place.admin.email] } });
    expect(set.statusCode).toBe(200);
    return { ...place, member };
  }

  it('a right password opens nothing, and only then says so', async () => {
    const { member, tenant } = await strict();
    const browser = social.browser();
    const { email, password } = member;
    const wrong = await browser.post('/auth/sign-in/email', { email, password: 'not the password' });
    expect(wrong.json()).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' });
    const right = await browser.post('/auth/sign-in/email', { email, password });
    expect(right.statusCode).toBe(403);
    expect(right.json()).toMatchObject({ code: 'SSO_REQUIRED' });
    const code = await browser.post('/auth/two-factor/verify-totp', { code: codeOf(member) });
    expect(code.json()).toMatchObject({ code: 'INVALID_TWO_FACTOR_COOKIE' });
    expect(await browser.token()).toBeNull();
    expect((await auditOf(tenant, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'refused',
      data: { reason: 'SSO_REQUIRED' },
    });
  });

  it('a second step that was under way opens nothing either', async () => {
    const place = await workplace();
    const member = await server.createActor({ home: place.tenant, roles: { [place.tenant]: 'Analyst' } });
    const browser = social.browser();
    await browser.post('/auth/sign-in/email', { email: member.email, password: member.password });
    await patchSettings(place, { sign_in: { sso_required: true, break_glass: [place.admin.email] } });
    const second = await browser.post('/auth/two-factor/verify-totp', { code: codeOf(member) });
    expect(second.json()).toMatchObject({ code: 'SSO_REQUIRED' });
    expect(await browser.token()).toBeNull();
  });

  it('an account elsewhere that is not the organisation’s own does not help', async () => {
    const place = await strict();
    const second = await social.connect(place.admin, { tenant: await other(place), name: 'two' });
    const browser = social.browser();
    await browser.signIn(place.admin);
    const person = place.employee();
    await social.signIn({ connection: second.id, person, purpose: { for: 'link' } }, browser);
    expect(await social.signIn({ connection: second.id, person })).toMatchObject({
      step: 'failed',
      reason: 'SSO_REQUIRED',
    });
  });

  it('the break-glass account works with password and code while the issuer is down', async () => {
    const place = await strict();
    await issuers.stop();
    try {
      const down = await social.browser().post('/auth/external/start', {
        connection: place.connection.id,
        purpose: { for: 'sign_in' },
      });
      // The configuration may be known still; then it is the issuer's own page that does not open.
      expect([200, 502]).toContain(down.statusCode);
      const browser = social.browser();
      await browser.signIn(place.admin);
      expect((await social.me(browser)).user.id).toBe(place.admin.id);
      expect((await auditOf(place.tenant, 'session.sign_in')).at(-1)).toMatchObject({
        outcome: 'ok',
        target_id: place.admin.id,
        data: { break_glass: true },
      });
    } finally {
      await issuers.start();
    }
  });

  /** A second tenant the same Admin works in. */
  async function other({ admin }: { admin: Actor }): Promise<string> {
    const tenant = await server.createTenant();
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant, user: admin.id, role: 'Admin' }, by),
    );
    return tenant;
  }
});

describe('an issuer that does not answer', () => {
  it('is a plain failure, at the start and on the way back', async () => {
    const place = await workplace({ enabled: true, default_role: 'ReadOnly' });
    const browser = social.browser();
    const back = await issuers.authorize(await social.start(browser, place.connection.id), place.employee());
    const fresh = await workplace();
    await issuers.stop();
    try {
      await social.callback(browser, back);
      expect(await social.result(browser)).toMatchObject({ step: 'failed', reason: 'ISSUER_UNREACHABLE' });
      const start = await social.browser().post('/auth/external/start', {
        connection: fresh.connection.id,
        purpose: { for: 'sign_in' },
      });
      expect(start.statusCode).toBe(502);
      expect(start.json()).toMatchObject({ code: 'EXTERNAL_FAILED' });
    } finally {
      await issuers.start();
    }
  });
});

function codeOf(actor: Actor, stepsAhead = 0): string {
  const step = Math.floor(Date.now() / 1000 / TOTP_PERIOD_S) + stepsAhead;
  return totpCode(keyOfSecret(actor.totpSecret ?? ''), step);
}
