/** Whom an invitation brings in where single sign-on is the only way in, and whom those rules do not keep out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import type { Person } from '../sso/issuer-fixture.ts';
import { auditOf, call, callConfirmed, invitationTo, usersOf } from '../users/users-fixture.ts';
import { createSsoRequiredFixture, type SsoRequiredFixture, type Workplace } from './sso-required-fixture.ts';
import { type Browser, codeOf } from './test-browser.ts';

let sso: SsoRequiredFixture;
let server: SsoRequiredFixture['server'];
let social: SsoRequiredFixture['social'];
let workplace: SsoRequiredFixture['workplace'];
let person: SsoRequiredFixture['person'];
let addAdmin: SsoRequiredFixture['addAdmin'];
let setRules: SsoRequiredFixture['setRules'];
let signedIn: SsoRequiredFixture['signedIn'];
let created = 0;

beforeAll(async () => {
  sso = await createSsoRequiredFixture();
  ({ server, social, workplace, person, addAdmin, setRules, signedIn } = sso);
});
afterAll(() => sso?.close());

async function inviteTo({ tenant, admin }: Pick<Workplace, 'tenant' | 'admin'>, email: string): Promise<string> {
  const wanted = usersOf(tenant).invite({ email, fullname: 'Robin', role: 'Analyst' });
  expect((await call(server, admin, wanted)).status).toBe(200);
  return (await invitationTo(server, email)).ticket;
}

async function accept(browser: Browser, ticket: string) {
  const headers = { authorization: `Bearer ${await browser.token()}` };
  return await server.inject({ method: 'POST', url: '/signup/invite', headers, payload: { ticket } });
}

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

  it('do not keep out for good who came through its single sign-on alone: another that invites them takes them anew', async () => {
    const place = await workplace();
    const other = await workplace();
    const email = String(place.employee.email);
    await social.signIn({ connection: place.connection.id, person: place.employee });
    const former = await server.composition.identity.users.findExternalId(email);
    const { tenant, admin } = place;
    expect((await callConfirmed(server, admin, usersOf(tenant).remove(email))).status).toBe(204);
    const ticket = await inviteTo(other, email);

    expect((await social.signIn({ connection: place.connection.id, person: place.employee })).step).toBe('no_account');
    const browser = social.browser();
    expect((await browser.post('/auth/ticket', { ticket })).json()).toMatchObject({ account: 'new' });
    const password = 'first of this account 4711';
    expect((await browser.post('/auth/sign-up/ticket', { ticket, fullname: 'Robin', password })).statusCode).toBe(200);
    expect((await accept(browser, ticket)).statusCode).toBe(200);
    const me = await social.me(browser);
    expect(me).toMatchObject({ user: { email, tenant: other.tenant }, tenant_roles: { [other.tenant]: 'Analyst' } });
    expect(me.user.id).not.toBe(former);
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
