/** Who has lost every factor proves who they are as at the beginning: removed, invited anew, enrolled anew. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { auditOf, by, call, callConfirmed, invitationTo, listUsers, usersOf } from '../users/users-fixture.ts';
import { createSoftwareAuthenticator } from './passkey-fixture.ts';
import { type Browser, codeOf, createBrowser, createTestBrowser } from './test-browser.ts';

const NEW_PASSWORD = 'violet harbour 1987 kettle';
let server: TestServer;
let tenant: string;
let admin: Actor;
let person: Actor;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server?.close());
beforeEach(async () => {
  tenant = await server.createTenant({ name: 'Harbour' });
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  person = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
});

async function remove(): Promise<void> {
  const removed = await callConfirmed(server, admin, usersOf(tenant).remove(person.email));
  expect(removed.status).toBeLessThan(300);
}

async function disable(): Promise<void> {
  const disabled = await call(server, admin, usersOf(tenant).update({ username: person.email, status: 'disabled' }));
  expect(disabled.status).toBe(200);
}

async function inviteAnew(where = { tenant, admin }): Promise<string> {
  const wanted = usersOf(where.tenant).invite({ email: person.email, fullname: 'Robin', role: 'Analyst' });
  expect((await call(server, where.admin, wanted)).status).toBe(200);
  return (await invitationTo(server, person.email)).ticket;
}

async function optionsOf(browser: Browser, what: 'register' | 'sign-in') {
  const answer = await browser.post(`/auth/passkey/${what}/options`);
  return answer.json<{ options: { challenge: string; rp: { id: string }; user: { id: string }; rpId: string } }>()
    .options;
}

const signUp = (browser: ReturnType<typeof createTestBrowser>, ticket: string) =>
  browser.post('/sign-up/ticket', { ticket, fullname: 'Robin', password: NEW_PASSWORD });

describe('somebody who lost every factor', () => {
  it('is removed and invited anew: nothing of before opens anything, and the ticket enrols anew', async () => {
    const old = createBrowser(server);
    await old.signIn(person);
    const device = createSoftwareAuthenticator();
    const response = device.create(await optionsOf(old, 'register'));
    expect((await old.post('/auth/passkey/register', { response, name: 'Laptop' })).statusCode).toBe(200);
    const key = await server.createApiKey(person, { tenant, role: 'Analyst' });
    const home = `/api/tenants/${tenant}`;

    await remove();
    const ticket = await inviteAnew();
    const browser = createTestBrowser(server);
    expect((await browser.post('/ticket', { ticket })).body).toMatchObject({ email: person.email, account: 'new' });
    expect(await signUp(browser, ticket)).toMatchObject({ status: 200, body: { signedIn: true } });
    const accepting = { method: 'POST', url: '/signup/invite', payload: { ticket } } as const;
    const accepted = await server.inject({ ...accepting, headers: (await browser.bearer()) ?? {} });
    expect(accepted.statusCode).toBe(200);

    // Before the authenticator is set up there is nothing but that to do.
    const bare = await server.inject({ url: home, headers: (await browser.bearer()) ?? {} });
    expect(bare.json()).toMatchObject({ code: 'MFA_REQUIRED' });
    const { secret } = (await browser.post('/totp/begin')).body as { secret: string };
    expect((await browser.post('/totp/confirm', { code: codeOf(secret) })).status).toBe(200);
    expect((await server.inject({ url: home, headers: (await browser.bearer()) ?? {} })).statusCode).toBe(200);

    expect(await old.token()).toBeNull();
    for (const headers of [person.headers, { authorization: `Bearer ${key}` }]) {
      expect((await server.inject({ url: home, headers })).statusCode).toBe(401);
    }
    const stranger = createTestBrowser(server);
    const { email, password } = person;
    expect((await stranger.post('/sign-in/email', { email, password })).status).toBe(401);
    const withPasskey = createBrowser(server);
    const assertion = device.get(await optionsOf(withPasskey, 'sign-in'));
    expect((await withPasskey.post('/auth/passkey/sign-in', { response: assertion })).statusCode).toBe(401);
    const again = await stranger.post('/sign-in/email', { email, password: NEW_PASSWORD });
    expect(again.body).toMatchObject({ twoFactorRedirect: true });
    const [code] = person.recoveryCodes;
    expect((await stranger.post('/two-factor/verify-backup-code', { code })).status).toBe(401);
    const lost = await stranger.post('/two-factor/verify-totp', { code: codeOf(person.totpSecret ?? '') });
    expect(lost.status).toBe(401);

    expect(await auditOf(server, tenant, 'user.delete')).toMatchObject([{ target_id: person.id, outcome: 'ok' }]);
    expect(await auditOf(server, tenant, 'totp.enrol')).toMatchObject([{ outcome: 'ok', actor_name: person.email }]);
  });

  it('keeps the account as it is while still a member of another tenant', async () => {
    const other = await server.createTenant();
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: other, user: person.id, role: 'Admin' }, by),
    );
    await remove();
    const ticket = await inviteAnew();
    const browser = createTestBrowser(server);
    expect((await browser.post('/ticket', { ticket })).body).toMatchObject({ account: 'existing' });
    expect((await signUp(browser, ticket)).body).toMatchObject({ code: 'EMAIL_TAKEN' });
    expect((await createTestBrowser(server).signIn(person)).status).toBe(200);
  });

  it('is not begun anew by a tenant that was never theirs', async () => {
    const foreign = await server.createTenant();
    const stranger = await server.createActor({ home: foreign, roles: { [foreign]: 'Admin' } });
    await remove();
    const theirs = await inviteAnew({ tenant: foreign, admin: stranger });
    expect((await signUp(createTestBrowser(server), theirs)).body).toMatchObject({ code: 'EMAIL_TAKEN' });
  });

  it('begins anew with an active account when disabled and then removed, and the account from before opens nothing', async () => {
    await disable();
    await remove();
    const ticket = await inviteAnew();
    const browser = createTestBrowser(server);
    expect((await browser.post('/ticket', { ticket })).body).toMatchObject({ account: 'new' });
    // The ticket and nothing else: neither the old password nor a token from before.
    const { email, password } = person;
    const before = await createTestBrowser(server).post('/sign-in/email', { email, password });
    expect(before.body).toMatchObject({ code: 'USER_DISABLED' });
    await expect.poll(async () => (await call(server, person, { url: '/me' })).status).toBe(401);

    expect(await signUp(browser, ticket)).toMatchObject({ status: 200, body: { signedIn: true } });
    const accepting = { method: 'POST', url: '/signup/invite', payload: { ticket } } as const;
    const accepted = await call(server, undefined, { ...accepting, headers: (await browser.bearer()) ?? {} });
    expect(accepted).toMatchObject({ status: 200, body: { tenant } });
    const shown = (await listUsers(server, admin, tenant)).find(({ uname }) => uname === email);
    expect(shown).toMatchObject({ status: 'active', role: 'Analyst' });
    expect(shown?.id).not.toBe(person.id);
    const after = await createTestBrowser(server).post('/sign-in/email', { email, password });
    expect(after.status).toBe(401);
    expect(await auditOf(server, tenant, 'user.delete')).toMatchObject([{ target_id: person.id, outcome: 'ok' }]);
  });

  it('is not begun anew while disabled and still a member: of this tenant, or of another', async () => {
    await disable();
    const wanted = usersOf(tenant).invite({ email: person.email, fullname: 'Robin', role: 'Analyst' });
    expect((await call(server, admin, wanted)).body).toMatchObject({ code: 'EMAIL_TAKEN' });

    const other = await server.createTenant();
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: other, user: person.id, role: 'Analyst' }, by),
    );
    await remove();
    const ticket = await inviteAnew();
    const browser = createTestBrowser(server);
    expect((await browser.post('/ticket', { ticket })).body).toMatchObject({ account: 'existing' });
    expect((await signUp(browser, ticket)).body).toMatchObject({ code: 'EMAIL_TAKEN' });
    const { email, password } = person;
    expect((await browser.post('/sign-in/email', { email, password })).body).toMatchObject({ code: 'USER_DISABLED' });
    expect(await auditOf(server, tenant, 'user.delete')).toEqual([]);
  });

  it('is begun anew once of twenty parallel tries', async () => {
    await remove();
    const ticket = await inviteAnew();
    const tries = await Promise.all(Array.from({ length: 20 }, () => signUp(createTestBrowser(server), ticket)));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await auditOf(server, tenant, 'user.delete')).toHaveLength(1);
  });
});
