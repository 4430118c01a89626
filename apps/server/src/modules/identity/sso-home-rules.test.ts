import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../http/test-server.ts';
import { createSoftwareAuthenticator } from './passkey-fixture.ts';
import { createSsoWorkplaces, type SsoWorkplaces, type Workplace } from './sso-workplaces-fixture.ts';
import type { Browser } from './test-browser.ts';
import { keyOfSecret, TOTP_PERIOD_S, totpCode } from './totp.ts';

let sso: SsoWorkplaces;
let issuers: SsoWorkplaces['issuers'];
let server: SsoWorkplaces['server'];
let social: SsoWorkplaces['social'];
let workplace: SsoWorkplaces['workplace'];
let auditOf: SsoWorkplaces['auditOf'];

beforeAll(async () => {
  sso = await createSsoWorkplaces();
  ({ issuers, server, social, workplace, auditOf } = sso);
});
afterAll(() => sso?.close());

function patchSettings({ tenant, admin }: Workplace, payload: object) {
  return server.inject({ method: 'PATCH', url: `/api/tenants/${tenant}/settings`, headers: admin.headers, payload });
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

  it('wrong passwords of a stranger do not lock the break-glass account out, which comes in with its passkey', async () => {
    const place = await workplace();
    const key = await passkeyOf(place.admin);
    await patchSettings(place, { sign_in: { sso_required: true, break_glass: [place.admin.email] } });
    const { email, password } = place.admin;
    const stranger = social.browser();
    for (let guess = 1; guess <= 5; guess++) {
      await stranger.post('/auth/sign-in/email', { email, password: `wrong guess number ${guess}` });
    }
    const locked = await social.browser().post('/auth/sign-in/email', { email, password });
    expect(locked.json()).toMatchObject({ code: 'ACCOUNT_TEMPORARILY_LOCKED' });
    const { browser, answer } = await withPasskey(key);
    expect(answer.json()).toEqual({ signedIn: true });
    expect((await social.me(browser)).user.id).toBe(place.admin.id);
    expect((await auditOf(place.tenant, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'ok',
      target_id: place.admin.id,
      data: { method: 'passkey', break_glass: true },
    });
  });

  it('a passkey of anybody else opens nothing', async () => {
    const place = await workplace();
    const member = await server.createActor({ home: place.tenant, roles: { [place.tenant]: 'Analyst' } });
    const key = await passkeyOf(member);
    await patchSettings(place, { sign_in: { sso_required: true, break_glass: [place.admin.email] } });
    const { browser, answer } = await withPasskey(key);
    expect([answer.statusCode, answer.json()]).toMatchObject([403, { code: 'SSO_REQUIRED' }]);
    expect(await browser.token()).toBeNull();
  });

  async function passkeyOf(actor: Actor) {
    const browser = social.browser();
    await browser.signIn(actor);
    const authenticator = createSoftwareAuthenticator();
    const response = authenticator.create(await optionsOf(browser, 'register'));
    expect((await browser.post('/auth/passkey/register', { response, name: 'Safe' })).statusCode).toBe(200);
    return authenticator;
  }

  async function withPasskey(authenticator: ReturnType<typeof createSoftwareAuthenticator>) {
    const browser = social.browser();
    const response = authenticator.get(await optionsOf(browser, 'sign-in'));
    return { browser, answer: await browser.post('/auth/passkey/sign-in', { response }) };
  }

  async function optionsOf(browser: Browser, way: 'register' | 'sign-in') {
    type Options = Parameters<ReturnType<typeof createSoftwareAuthenticator>['create']>[0] & { rpId?: string };
    return (await browser.post(`/auth/passkey/${way}/options`)).json<{ options: Options }>().options;
  }

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

function codeOf(actor: Actor, stepsAhead = 0): string {
  const step = Math.floor(Date.now() / 1000 / TOTP_PERIOD_S) + stepsAhead;
  return totpCode(keyOfSecret(actor.totpSecret ?? ''), step);
}
