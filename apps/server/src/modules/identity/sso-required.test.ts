/** What happens to people who are signed in already when the rules of their tenant change, and to its last way in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import { CLIENT, createIssuerFixture, type IssuerFixture, type Person } from '../sso/issuer-fixture.ts';
import { createNames } from '../sso/names-fixture.ts';
import { auditOf, call, callConfirmed, invitationTo, usersOf } from '../users/users-fixture.ts';
import { createSocialFixture } from './social-fixture.ts';
import { type Browser, codeOf } from './test-browser.ts';

let issuers: IssuerFixture;
let server: TestServer;
let social: ReturnType<typeof createSocialFixture>;
let created = 0;

beforeAll(async () => {
  issuers = await createIssuerFixture(['one', 'two', 'three', 'four'], 'http://localhost:4000/auth/external/callback');
  const names = createNames();
  server = await createTestServer({
    sandbox: { host: issuers.host, port: issuers.port },
    resolveTxt: names.resolveTxt,
    env: { SSO_ISSUER: issuers.issuer('two'), SSO_CLIENT_ID: CLIENT.id, SSO_CLIENT_SECRET: CLIENT.secret },
  });
  social = createSocialFixture(server, issuers, names);
});
afterAll(async () => {
  await server?.close();
  await issuers?.stop();
});

/** A tenant with an Admin and a connection, and a member who came through it. */
async function workplace() {
  const tenant = await server.createTenant();
  const admin = await person(tenant, 'Admin');
  const domain = `required${++created}.example`;
  const join = { enabled: true, default_role: 'ReadOnly' } as const;
  const connection = await social.connect(admin, { tenant, name: 'one', domains: [domain], join });
  const employee: Person = { subject: `employee-${created}`, email: `employee@${domain}`, email_verified: true };
  return { tenant, admin, connection, employee };
}

type Workplace = Awaited<ReturnType<typeof workplace>>;

function person(tenant: string, role: 'Admin' | 'Analyst'): Promise<Actor> {
  return server.createActor({ home: tenant, roles: { [tenant]: role } });
}

function setRules({ tenant, admin }: Workplace, sso_required: boolean, break_glass: readonly Actor[]) {
  const payload = { sign_in: { sso_required, break_glass: break_glass.map(({ email }) => email) } };
  return call(server, admin, { method: 'PATCH', url: `/api/tenants/${tenant}/settings`, payload });
}

async function listed({ tenant, admin }: Workplace): Promise<string[]> {
  const url = `/api/tenants/${tenant}/settings`;
  return (await call<{ sign_in: { break_glass: string[] } }>(server, admin, { url })).body.sign_in.break_glass;
}

function connectionOf({ tenant, admin, connection }: Workplace) {
  const { id, kind, label, issuer, client_id, domains, join, enabled } = connection;
  const url = `/api/tenants/${tenant}/settings/sso/${id}`;
  return {
    put: (change: object) =>
      call(server, admin, {
        ...{ method: 'PUT', url, payload: { kind, label, issuer, client_id, domains, join, enabled, ...change } },
      }),
    remove: () => callConfirmed(server, admin, { method: 'DELETE', url }),
  };
}

async function signedIn(actor: Actor) {
  const browser = social.browser();
  await browser.signIn(actor);
  return browser;
}

const mayCall = async (actor: Pick<Actor, 'headers'>) =>
  (await server.inject({ url: '/me', ...actor })).statusCode === 200;

async function inviteTo({ tenant, admin }: Pick<Workplace, 'tenant' | 'admin'>, email: string): Promise<string> {
  const wanted = usersOf(tenant).invite({ email, fullname: 'Robin', role: 'Analyst' });
  expect((await call(server, admin, wanted)).status).toBe(200);
  return (await invitationTo(server, email)).ticket;
}

async function accept(browser: Browser, ticket: string) {
  const headers = { authorization: `Bearer ${await browser.token()}` };
  return await server.inject({ method: 'POST', url: '/signup/invite', headers, payload: { ticket } });
}

describe('when single sign-on becomes the only way in', () => {
  it('whoever came in another way is signed out, in every way but the break-glass one', async () => {
    const place = await workplace();
    const analyst = await person(place.tenant, 'Analyst');
    const linked = await signedIn(await person(place.tenant, 'Analyst'));
    const elsewhere: Person = { subject: `elsewhere-${++created}`, email: 'e@elsewhere.example', email_verified: true };
    await social.signIn({ connection: 'sso', person: elsewhere, purpose: { for: 'link' } }, linked);
    const browsers = {
      password: await signedIn(analyst),
      installation: (await social.signIn({ connection: 'sso', person: elsewhere })).browser,
      own: (await social.signIn({ connection: place.connection.id, person: place.employee })).browser,
      breakGlass: await signedIn(place.admin),
      otherTenant: await signedIn((await workplace()).admin),
    };
    for (const [name, browser] of Object.entries(browsers)) expect(await browser.token(), name).not.toBeNull();

    expect((await setRules(place, true, [place.admin])).status).toBe(200);
    const stillIn = async (name: keyof typeof browsers) => (await browsers[name].token()) !== null;
    expect(await stillIn('password')).toBe(false);
    expect(await stillIn('installation')).toBe(false);
    expect(await stillIn('own')).toBe(true);
    expect(await stillIn('breakGlass')).toBe(true);
    expect(await stillIn('otherTenant')).toBe(true);
    // Tokens that are out already are worth nothing either.
    await expect.poll(() => mayCall(analyst)).toBe(false);
    expect(await mayCall(place.admin)).toBe(true);
    // Their own token of the fixture, the two of the linked person and that of the installation's issuer.
    expect((await auditOf(server, place.tenant, 'settings.update')).at(-1)).toMatchObject({
      data: { sso_required: { from: false, to: true }, sessions_ended: 5 },
    });
  });

  it('says how many members have no account linked that would let them in', async () => {
    const place = await workplace();
    const linked = await person(place.tenant, 'Analyst');
    const own: Person = { subject: `own-${++created}`, email: linked.email, email_verified: true };
    const link = { connection: place.connection.id, person: own, purpose: { for: 'link' } };
    await social.signIn(link, await signedIn(linked));
    await person(place.tenant, 'Analyst');
    await social.signIn({ connection: place.connection.id, person: place.employee });
    // At home elsewhere, so that these rules are not theirs.
    await addAdmin(place.tenant, (await workplace()).admin);
    const { body } = await setRules(place, true, [place.admin]);
    expect(body).toMatchObject({ sign_in: { sso_required: true, unlinked_members: 1 } });
    const url = `/api/tenants/${place.tenant}/settings`;
    // Also when it is only looked at.
    expect((await call(server, place.admin, { url })).body.sign_in).toMatchObject({ unlinked_members: 1 });
  });

  it('also ends the session of whoever is taken off the list', async () => {
    const place = await workplace();
    const second = await person(place.tenant, 'Admin');
    await setRules(place, true, [place.admin, second]);
    expect(await mayCall(second)).toBe(true);
    await setRules(place, true, [place.admin]);
    await expect.poll(() => mayCall(second)).toBe(false);
  });

  it('a sign-in that was decided before opens nothing after', async () => {
    const place = await workplace();
    const analyst = await person(place.tenant, 'Analyst');
    const linked = await signedIn(analyst);
    const elsewhere: Person = { subject: `elsewhere-${++created}`, email: 'e@elsewhere.example', email_verified: true };
    await social.signIn({ connection: 'sso', person: elsewhere, purpose: { for: 'link' } }, linked);
    await call(server, place.admin, {
      ...{ method: 'PATCH', url: `/api/tenants/${place.tenant}/settings` },
      payload: { mfa: { required_for_social: true } },
    });
    const waiting = await social.signIn({ connection: 'sso', person: elsewhere });
    expect(waiting.step).toBe('second_factor');
    await setRules(place, true, [place.admin]);
    const code = codeOf(analyst.totpSecret ?? '', 1);
    expect((await waiting.browser.post('/auth/two-factor/verify-totp', { code })).json()).toMatchObject({
      code: 'SSO_REQUIRED',
    });
    expect(await waiting.browser.token()).toBeNull();
  });
});

it('an account that is disabled while its second factor is asked for gets no session', async () => {
  const place = await workplace();
  const analyst = await person(place.tenant, 'Analyst');
  const elsewhere: Person = { subject: `elsewhere-${++created}`, email: 'e@elsewhere.example', email_verified: true };
  const purpose = { for: 'link' } as const;
  await social.signIn({ connection: 'sso', person: elsewhere, purpose }, await signedIn(analyst));
  await call(server, place.admin, {
    ...{ method: 'PATCH', url: `/api/tenants/${place.tenant}/settings` },
    payload: { mfa: { required_for_social: true } },
  });
  const waiting = await social.signIn({ connection: 'sso', person: elsewhere });
  expect(waiting.step).toBe('second_factor');
  const { status } = await call(
    server,
    place.admin,
    usersOf(place.tenant).update({ username: analyst.email, status: 'disabled' }),
  );
  expect(status).toBe(200);
  const code = codeOf(analyst.totpSecret ?? '', 1);
  expect((await waiting.browser.post('/auth/two-factor/verify-totp', { code })).json()).toMatchObject({
    code: 'USER_DISABLED',
  });
  expect(await waiting.browser.token()).toBeNull();
});

describe('an invitation to a tenant where single sign-on is the only way in', () => {
  const PASSWORD = 'violet harbour 1987 kettle';
  const newAddress = () => `invited${++created}@example.com`;

  const signUp = (browser: Browser, ticket: string) =>
    browser.post('/auth/sign-up/ticket', { ticket, fullname: 'Robin', password: PASSWORD });

  it('makes no account with a password, and says what to come in with instead', async () => {
    const place = await workplace();
    const { id, kind, label } = place.connection;
    const email = newAddress();
    const ticket = await inviteTo(place, email);
    const browser = social.browser();
    const preview = async () => (await browser.post('/auth/ticket', { ticket })).json<object>();
    expect(await preview()).toMatchObject({ account: 'new', only_connections: null });
    await setRules(place, true, [place.admin]);
    expect(await preview()).toMatchObject({ account: 'new', only_connections: [{ id, kind, label }] });
    const refused = await signUp(browser, ticket);
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'SSO_REQUIRED' });
    expect(await browser.token()).toBeNull();

    const invited: Person = { subject: `invited-${created}`, email, email_verified: true };
    const purpose = { for: 'invitation', ticket };
    const elsewhere = await social.signIn({ connection: 'sso', person: invited, purpose });
    expect(elsewhere).toMatchObject({ step: 'failed', reason: 'SSO_REQUIRED' });
    const own = await social.signIn({ connection: id, person: invited, purpose });
    expect(own.step).toBe('signed_in');
    expect((await accept(own.browser, ticket)).statusCode).toBe(200);
    expect((await social.me(own.browser)).tenant_roles).toEqual({ [place.tenant]: 'Analyst' });
  });

  it('ends the session of whoever made an account with a password before the rule, once they have joined', async () => {
    const place = await workplace();
    const ticket = await inviteTo(place, newAddress());
    const browser = social.browser();
    expect((await signUp(browser, ticket)).statusCode).toBe(200);
    await setRules(place, true, [place.admin]);
    expect((await accept(browser, ticket)).statusCode).toBe(200);
    expect(await browser.token()).toBeNull();
  });

  it('ends the session of whoever comes to be at home there, and leaves a guest to the rules of their home', async () => {
    const place = await workplace();
    await setRules(place, true, [place.admin]);
    const ofNobody = await server.createActor({ home: await server.createTenant() });
    const guest = (await workplace()).admin;
    const after = async (actor: Actor) => {
      const browser = await signedIn(actor);
      expect((await accept(browser, await inviteTo(place, actor.email))).statusCode).toBe(200);
      return await browser.token();
    };
    expect(await after(ofNobody)).toBeNull();
    expect(await after(guest)).not.toBeNull();
  });

  it('lets somebody who had only a password begin anew with single sign-on, removed and invited again', async () => {
    const place = await workplace();
    const { tenant, admin, connection } = place;
    const member = await person(tenant, 'Analyst');
    await setRules(place, true, [admin]);
    const { email, password } = member;
    const byPassword = await social.browser().post('/auth/sign-in/email', { email, password });
    expect(byPassword.json()).toMatchObject({ code: 'SSO_REQUIRED' });
    const proved: Person = { subject: `member-${++created}`, email, email_verified: true };
    expect((await social.signIn({ connection: connection.id, person: proved })).step).toBe('no_account');

    expect((await callConfirmed(server, admin, usersOf(tenant).remove(email))).status).toBeLessThan(300);
    const ticket = await inviteTo(place, email);
    const purpose = { for: 'invitation', ticket };
    const unverified = { ...proved, email_verified: false };
    const stranger: Person = { ...proved, subject: `stranger-${created}`, email: 'stranger@example.com' };
    for (const [each, reason] of [
      [unverified, 'EMAIL_UNVERIFIED'],
      [stranger, 'TICKET_FOR_ANOTHER'],
    ] as const) {
      const refused = await social.signIn({ connection: connection.id, person: each, purpose });
      expect(refused).toMatchObject({ step: 'failed', reason });
    }
    expect(await auditOf(server, tenant, 'user.delete')).toEqual([]);

    const anew = await social.signIn({ connection: connection.id, person: proved, purpose });
    expect(anew.step).toBe('signed_in');
    expect((await accept(anew.browser, ticket)).statusCode).toBe(200);
    const me = await social.me(anew.browser);
    expect(me).toMatchObject({ user: { email }, tenant_roles: { [tenant]: 'Analyst' } });
    expect(me.user.id).not.toBe(member.id);
    expect((await social.browser().post('/auth/sign-in/email', { email, password })).statusCode).toBe(401);
    expect(await auditOf(server, tenant, 'user.delete')).toMatchObject([{ target_id: member.id, outcome: 'ok' }]);
  });

  it('begins nobody anew who is a member elsewhere or was never of the tenant', async () => {
    const place = await workplace();
    const other = await workplace();
    await setRules(place, true, [place.admin]);
    const member = await person(place.tenant, 'Analyst');
    await addAdmin(other.tenant, member);
    await callConfirmed(server, place.admin, usersOf(place.tenant).remove(member.email));
    const foreign = await server.createActor({ home: other.tenant });
    for (const { email } of [member, foreign]) {
      const ticket = await inviteTo(place, email);
      const proved: Person = { subject: `taken-${++created}`, email, email_verified: true };
      const purpose = { for: 'invitation', ticket };
      expect(await social.signIn({ connection: place.connection.id, person: proved, purpose })).toMatchObject({
        ...{ step: 'failed', reason: 'EMAIL_TAKEN' },
      });
    }
  });
});

describe('who was disabled and then removed, invited again where single sign-on is the only way in', () => {
  async function left() {
    const place = await workplace();
    await social.signIn({ connection: place.connection.id, person: place.employee });
    await setRules(place, true, [place.admin]);
    const email = String(place.employee.email);
    const { tenant, admin } = place;
    expect((await call(server, admin, usersOf(tenant).update({ username: email, status: 'disabled' }))).status).toBe(
      200,
    );
    return { ...place, email };
  }

  it('begins anew with an active account, by the same account at the issuer and the ticket together', async () => {
    const { tenant, admin, connection, employee, email } = await left();
    const refused = { step: 'failed', reason: 'USER_DISABLED' };
    expect(await social.signIn({ connection: connection.id, person: employee })).toMatchObject(refused);
    expect((await callConfirmed(server, admin, usersOf(tenant).remove(email))).status).toBe(204);
    const ticket = await inviteTo({ tenant, admin }, email);
    const purpose = { for: 'invitation', ticket };
    // Neither without the ticket, nor with one that is not theirs.
    expect(await social.signIn({ connection: connection.id, person: employee })).toMatchObject(refused);
    const colleague = `colleague${++created}@example.com`;
    const others = { for: 'invitation', ticket: await inviteTo({ tenant, admin }, colleague) };
    for (const person of [employee, { ...employee, email: colleague }]) {
      expect(await social.signIn({ connection: connection.id, person, purpose: others })).toMatchObject(refused);
    }
    const unverified = { ...employee, email_verified: false };
    expect(await social.signIn({ connection: connection.id, person: unverified, purpose })).toMatchObject({
      ...{ step: 'failed', reason: 'EMAIL_UNVERIFIED' },
    });
    expect(await auditOf(server, tenant, 'user.delete')).toEqual([]);

    const anew = await social.signIn({ connection: connection.id, person: employee, purpose });
    expect(anew.step).toBe('signed_in');
    expect((await accept(anew.browser, ticket)).statusCode).toBe(200);
    expect(await social.me(anew.browser)).toMatchObject({ user: { email }, tenant_roles: { [tenant]: 'Analyst' } });
    expect(await auditOf(server, tenant, 'user.delete')).toHaveLength(1);
    expect((await social.signIn({ connection: connection.id, person: employee })).step).toBe('signed_in');
  });

  it('stays out while another tenant still has them', async () => {
    const { tenant, admin, connection, employee, email } = await left();
    const other = await workplace();
    const user = await server.composition.identity.users.findExternalId(email);
    await addAdmin(other.tenant, { id: String(user) });
    expect((await callConfirmed(server, admin, usersOf(tenant).remove(email))).status).toBe(204);
    const purpose = { for: 'invitation', ticket: await inviteTo({ tenant, admin }, email) };
    expect(await social.signIn({ connection: connection.id, person: employee, purpose })).toMatchObject({
      ...{ step: 'failed', reason: 'USER_DISABLED' },
    });
    expect(await auditOf(server, tenant, 'user.delete')).toEqual([]);
  });
});

describe('the rules of a tenant that has removed somebody', () => {
  /** Of no tenant; still at home in the one that asks for single sign-on. */
  async function removed(place: Workplace, actor: Actor): Promise<void> {
    await setRules(place, true, [place.admin]);
    expect((await callConfirmed(server, place.admin, usersOf(place.tenant).remove(actor.email))).status).toBe(204);
  }

  it('keep nobody from another that invites them, by password or through an issuer of everybody', async () => {
    const place = await workplace();
    const other = await workplace();
    const leaver = await person(place.tenant, 'Analyst');
    const elsewhere: Person = { subject: `elsewhere-${++created}`, email: 'e@elsewhere.example', email_verified: true };
    const link = { connection: 'sso', person: elsewhere, purpose: { for: 'link' } };
    await social.signIn(link, await signedIn(leaver));
    await removed(place, leaver);
    const ticket = await inviteTo(other, leaver.email);

    const through = await social.signIn({ connection: 'sso', person: elsewhere });
    expect(through.step).toBe('signed_in');
    // Its tenant is closed to them all the same.
    const headers = { authorization: `Bearer ${await through.browser.token()}` };
    expect(await call(server, { headers }, { url: `/api/tenants/${place.tenant}` })).toMatchObject({
      ...{ status: 403, body: { code: 'TENANT_FORBIDDEN' } },
    });
    const browser = social.browser();
    const { email, password, totpSecret } = leaver;
    expect((await browser.post('/auth/sign-in/email', { email, password })).json()).toMatchObject({
      twoFactorRedirect: true,
    });
    await browser.post('/auth/two-factor/verify-totp', { code: codeOf(totpSecret ?? '', 1) });
    // A change there, as whenever somebody joins it, ends no session of theirs.
    await setRules(place, true, [place.admin, await person(place.tenant, 'Admin')]);
    expect((await accept(browser, ticket)).statusCode).toBe(200);
    expect(await social.me(browser)).toMatchObject({
      ...{ user: { tenant: other.tenant }, tenant_roles: { [other.tenant]: 'Analyst' } },
    });
  });

  it('count again for whom it takes back, and for members it has disabled', async () => {
    const place = await workplace();
    const leaver = await person(place.tenant, 'Analyst');
    await removed(place, leaver);
    const browser = await signedIn(leaver);
    expect((await accept(browser, await inviteTo(place, leaver.email))).statusCode).toBe(200);
    expect(await browser.token()).toBeNull();
    const { email, password } = leaver;
    const refused = () => social.browser().post('/auth/sign-in/email', { email, password });
    expect((await refused()).json()).toMatchObject({ code: 'SSO_REQUIRED' });
    await call(server, place.admin, usersOf(place.tenant).update({ username: email, status: 'disabled' }));
    expect((await refused()).json()).toMatchObject({ code: 'USER_DISABLED' });
    expect((await callConfirmed(server, place.admin, usersOf(place.tenant).remove(email))).status).toBe(204);
    expect((await refused()).json()).toMatchObject({ code: 'USER_DISABLED' });
  });
});

describe('unlinking where single sign-on is the only way in', () => {
  type External = { id: string; account: string };

  async function linkedOf(browser: Browser): Promise<External[]> {
    return (await browser.get('/auth/account')).json<{ external: External[] }>().external;
  }

  /** Somebody with a password and an account of the connection and one elsewhere, signed in through the first. */
  async function linked(place: Workplace, role: 'Admin' | 'Analyst' = 'Analyst') {
    const member = await person(place.tenant, role);
    const own: Person = { subject: `own-${++created}`, email: `own${created}@required.example`, email_verified: true };
    const elsewhere: Person = { subject: `else-${created}`, email: `e${created}@else.example`, email_verified: true };
    const first = await signedIn(member);
    const purpose = { for: 'link' };
    await social.signIn({ connection: place.connection.id, person: own, purpose }, first);
    await social.signIn({ connection: 'sso', person: elsewhere, purpose }, first);
    const { browser } = await social.signIn({ connection: place.connection.id, person: own });
    const [atHome, atOther] = await linkedOf(browser);
    return { member, own, browser, atHome: String(atHome?.id), atOther: String(atOther?.id) };
  }

  const unlink = (browser: Browser, id: string) => browser.post('/auth/external/unlink', { id });

  it('leaves the one account that opens the door, whatever else there is that opens nothing', async () => {
    const place = await workplace();
    const { own, browser, atHome, atOther } = await linked(place);
    await setRules(place, true, [place.admin]);
    const refused = await unlink(browser, atHome);
    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'CONFLICT' });
    expect((await auditOf(server, place.tenant, 'external_account.unlink')).at(-1)).toMatchObject({
      ...{ outcome: 'refused', data: { reason: 'ONLY_WAY_IN' } },
    });
    expect((await social.signIn({ connection: place.connection.id, person: own })).step).toBe('signed_in');
    expect((await unlink(browser, atOther)).json()).toEqual({ unlinked: true });
  });

  it('takes another enabled connection of the tenant for one, not a disabled one nor one of another tenant', async () => {
    const place = await workplace();
    const other = await workplace();
    const { member, browser, atHome } = await linked(place);
    await addAdmin(other.tenant, member);
    const second = await social.connect(place.admin, { tenant: place.tenant, name: 'four' });
    await setRules(place, true, [place.admin]);
    const purpose = { for: 'link' };
    const abroad = await social.connect(other.admin, { tenant: other.tenant, name: 'three' });
    const foreign: Person = { subject: `foreign-${++created}`, email: 'f@else.example', email_verified: true };
    expect(await social.signIn({ connection: abroad.id, person: foreign, purpose }, browser)).toMatchObject({
      step: 'signed_in',
    });
    expect((await unlink(browser, atHome)).statusCode).toBe(409);

    const atSecond: Person = { subject: `second-${created}`, email: 's@else.example', email_verified: true };
    await social.signIn({ connection: second.id, person: atSecond, purpose }, browser);
    const switched = (enabled: boolean) => connectionOf({ ...place, connection: second }).put({ enabled });
    expect((await switched(false)).status).toBe(200);
    expect((await unlink(browser, atHome)).statusCode).toBe(409);
    expect((await switched(true)).status).toBe(200);
    expect((await unlink(browser, atHome)).json()).toEqual({ unlinked: true });
    expect((await social.signIn({ connection: second.id, person: atSecond })).step).toBe('signed_in');
  });

  it('is free for break-glass accounts, for guests, and where passwords are let in', async () => {
    const place = await workplace();
    const free = await linked(place);
    expect((await unlink(free.browser, free.atHome)).json()).toEqual({ unlinked: true });

    const breakGlass = await linked(place, 'Admin');
    const lapsed = await linked(place, 'Admin');
    const away = await workplace();
    const guest = await linked(away);
    await addAdmin(place.tenant, guest.member);
    await setRules(place, true, [place.admin, breakGlass.member, lapsed.member]);
    // On the list, and no Admin any more: a password opens nothing for them.
    await system(`update membership set role = 'Analyst' where user_id = $1`, lapsed.member.id);
    expect((await unlink(lapsed.browser, lapsed.atHome)).statusCode).toBe(409);
    expect((await unlink(breakGlass.browser, breakGlass.atHome)).json()).toEqual({ unlinked: true });
    expect((await unlink(guest.browser, guest.atHome)).json()).toEqual({ unlinked: true });
  });
});

describe('when a connection is switched off', () => {
  it.each([
    ['disabled', { enabled: false }],
    ['led to another issuer', { issuer: 'https://elsewhere.example', client_secret: 'another one' }],
  ])('%s: who came through it is signed out, others are not', async (_name, change) => {
    const place = await workplace();
    const { browser } = await social.signIn({ connection: place.connection.id, person: place.employee });
    expect((await connectionOf(place).put({ label: 'Renamed' })).status).toBe(200);
    expect(await browser.token()).not.toBeNull();
    expect((await connectionOf(place).put(change)).status).toBe(200);
    expect(await browser.token()).toBeNull();
    expect(await mayCall(place.admin)).toBe(true);
    expect((await auditOf(server, place.tenant, 'sso_connection.update')).at(-1)).toMatchObject({
      data: { sessions_ended: 1 },
    });
  });

  it('the last one stays while it is the only way in', async () => {
    const place = await workplace();
    await setRules(place, true, [place.admin]);
    const { put, remove } = connectionOf(place);
    for (const change of [{ enabled: false }, { domains: [] }, { domains: ['unproved.example'] }]) {
      const refused = await put(change);
      expect(refused, JSON.stringify(change)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      // Nobody changed it: loading it again would not help, so it is not said.
      expect(refused.body).not.toHaveProperty('details');
    }
    expect((await remove()).status).toBe(409);
    const { browser } = await social.signIn({ connection: place.connection.id, person: place.employee });
    expect(await browser.token()).not.toBeNull();
    await setRules(place, false, [place.admin]);
    expect((await remove()).status).toBe(204);
  });

  it('of two that are removed at once one stays', async () => {
    const place = await workplace();
    const { domains } = place.connection;
    const second = await social.connect(place.admin, { tenant: place.tenant, name: 'two', domains });
    await setRules(place, true, [place.admin]);
    const answers = await Promise.all([
      connectionOf(place).remove(),
      connectionOf({ ...place, connection: second }).remove(),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
  });
});

describe('the break-glass list', () => {
  it.each<[string, (place: Workplace, who: Actor) => Promise<{ status: number }>]>([
    [
      'demoted',
      ({ tenant, admin }, who) => callConfirmed(server, admin, usersOf(tenant).setRole(who.email, 'Analyst')),
    ],
    ['removed', ({ tenant, admin }, who) => callConfirmed(server, admin, usersOf(tenant).remove(who.email))],
    [
      'disabled',
      ({ tenant, admin }, who) =>
        call(server, admin, usersOf(tenant).update({ username: who.email, status: 'disabled' })),
    ],
  ])('loses who is %s, and does not get them back', async (_name, change) => {
    const place = await workplace();
    const second = await person(place.tenant, 'Admin');
    await setRules(place, true, [place.admin, second]);
    expect((await change(place, second)).status).toBeLessThan(300);
    expect(await listed(place)).toEqual([place.admin.email]);
    await expect.poll(() => mayCall(second)).toBe(false);
    expect((await auditOf(server, place.tenant, 'settings.update')).at(-1)).toMatchObject({
      data: { break_glass: { from: [place.admin.email, second.email], to: [place.admin.email] } },
    });
    await addAdmin(place.tenant, second);
    const { email, password } = second;
    expect((await social.browser().post('/auth/sign-in/email', { email, password })).statusCode).not.toBe(200);
  });

  it.each<[string, (place: Workplace, by: Actor) => Promise<{ status: number }>]>([
    ['demoted', ({ tenant, admin }, by) => callConfirmed(server, by, usersOf(tenant).setRole(admin.email, 'Analyst'))],
    ['removed', ({ tenant, admin }, by) => callConfirmed(server, by, usersOf(tenant).remove(admin.email))],
    [
      'disabled',
      ({ tenant, admin }, by) =>
        call(server, by, usersOf(tenant).update({ username: admin.email, status: 'disabled' })),
    ],
  ])('keeps its last account from being %s', async (_name, change) => {
    const place = await workplace();
    // An Admin who came through single sign-on: there is another Admin, but nobody else to break the glass.
    const { browser } = await social.signIn({ connection: place.connection.id, person: place.employee });
    const { id } = (await social.me(browser)).user;
    await addAdmin(place.tenant, { id });
    await setRules(place, true, [place.admin]);
    const by = { ...place.admin, headers: { authorization: `Bearer ${await browser.token()}` } };
    expect(await change(place, by)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(await listed(place)).toEqual([place.admin.email]);
    expect(await mayCall(place.admin)).toBe(true);
  });

  it('keeps its last account from deleting itself', async () => {
    const place = await workplace();
    await person(place.tenant, 'Admin');
    await setRules(place, true, [place.admin]);
    const headers = { 'x-air-confirm': 'true', 'x-air-confirm-passphrase': place.admin.email };
    const wanted = { method: 'DELETE', url: '/me' } as const;
    expect((await call(server, place.admin, wanted)).status).toBe(449);
    expect(await call(server, place.admin, { ...wanted, headers })).toMatchObject({ status: 409 });
    expect(await mayCall(place.admin)).toBe(true);
  });

  it('is looked through when the last connection goes', async () => {
    const place = await workplace();
    const second = await person(place.tenant, 'Admin');
    await setRules(place, false, [place.admin, second]);
    await system(`update identity."user" set "twoFactorEnabled" = false where "externalId" = $1`, second.id);
    expect((await connectionOf(place).remove()).status).toBe(204);
    expect(await listed(place)).toEqual([place.admin.email]);
  });

  it('gives no right to somebody who is no Admin any more, however they came to be none', async () => {
    const place = await workplace();
    const second = await person(place.tenant, 'Admin');
    await setRules(place, true, [place.admin, second]);
    await system(`update membership set role = 'Analyst' where user_id = $1`, second.id);
    const { email, password } = second;
    const answer = await social.browser().post('/auth/sign-in/email', { email, password });
    expect(answer.json()).toMatchObject({ code: 'SSO_REQUIRED' });
  });
});

function addAdmin(tenant: string, { id }: { id: string }): Promise<void> {
  const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
  return server.stores.database.system((tx) =>
    server.composition.tenants.addMembership(tx, { tenant, user: id, role: 'Admin' }, by),
  );
}

function system(text: string, ...values: readonly unknown[]) {
  return server.stores.database.system((tx) => sqlClient(tx).query(text, values));
}
