/** What happens to the last way into a tenant: accounts people have linked, its connections, its break-glass list. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import type { Person } from '../sso/issuer-fixture.ts';
import { auditOf, call, callConfirmed, usersOf } from '../users/users-fixture.ts';
import { createSsoRequiredFixture, type SsoRequiredFixture, type Workplace } from './sso-required-fixture.ts';
import type { Browser } from './test-browser.ts';

let sso: SsoRequiredFixture;
let server: SsoRequiredFixture['server'];
let social: SsoRequiredFixture['social'];
let workplace: SsoRequiredFixture['workplace'];
let person: SsoRequiredFixture['person'];
let addAdmin: SsoRequiredFixture['addAdmin'];
let setRules: SsoRequiredFixture['setRules'];
let signedIn: SsoRequiredFixture['signedIn'];
let mayCall: SsoRequiredFixture['mayCall'];
let created = 0;

beforeAll(async () => {
  sso = await createSsoRequiredFixture();
  ({ server, social, workplace, person, addAdmin, setRules, signedIn, mayCall } = sso);
});
afterAll(() => sso?.close());

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

function system(text: string, ...values: readonly unknown[]) {
  return server.stores.database.system((tx) => sqlClient(tx).query(text, values));
}
