import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { addressSubject, GUESSES_MAX } from './attempt-guard.ts';
import { keyOfSecret, TOTP_PERIOD_S, totpCode } from './totp.ts';

let server: TestServer;
let home: string;
const logged: { msg: string; [field: string]: unknown }[] = [];

beforeAll(async () => {
  const log = pino({ level: 'warn' }, { write: (line) => logged.push(JSON.parse(line)) });
  server = await createTestServer({ log });
  home = await server.createTenant();
});
afterAll(() => server?.close());

function newcomer(): Promise<Actor> {
  return server.createActor({ home, roles: { [home]: 'Analyst' } });
}

function post(url: string, payload: object, cookie?: string) {
  return server.inject({
    method: 'POST',
    url,
    payload,
    headers: { origin: 'http://localhost:80', ...(cookie ? { cookie } : {}) },
  });
}

function cookiesOf(answer: { headers: Record<string, unknown> }): string {
  const header = answer.headers['set-cookie'];
  const all = Array.isArray(header) ? header.map(String) : header === undefined ? [] : [String(header)];
  return all.map((cookie) => cookie.split(';', 1)[0]).join('; ');
}

function codeOf(actor: Actor, stepsAhead = 0): string {
  const step = Math.floor(Date.now() / 1000 / TOTP_PERIOD_S) + stepsAhead;
  return totpCode(keyOfSecret(actor.totpSecret ?? ''), step);
}

function setStatus({ id }: Actor, status: 'active' | 'disabled'): Promise<unknown> {
  const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
  return server.stores.database.system((tx) => server.composition.tenants.setUserStatus(tx, id, status, by));
}

/** Outcome and data of the records of an account's sign-ins, in order. */
function signInsOf({ id }: Actor) {
  return server.stores.database.system((tx) =>
    tx
      .selectFrom('audit_record')
      .select(['outcome', 'data'])
      .where('actor_id', '=', id)
      .where('action', '=', 'session.sign_in')
      .orderBy('sequence')
      .execute(),
  );
}

const swapped = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());

async function firstStep(actor: Actor): Promise<string> {
  const answer = await post('/auth/sign-in/email', { email: actor.email, password: actor.password });
  expect(answer.json()).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  return cookiesOf(answer);
}

describe('sign-in', () => {
  it('takes password and authenticator code, then gives access tokens until sign-out', async () => {
    const actor = await newcomer();
    const pending = await firstStep(actor);
    expect((await server.inject({ url: '/auth/token', headers: { cookie: pending } })).json()).toEqual({ token: null });

    const verified = await post('/auth/two-factor/verify-totp', { code: codeOf(actor) }, pending);
    expect(verified.json()).toEqual({ signedIn: true });
    const [session = ''] = [verified.headers['set-cookie']]
      .flat()
      .filter((cookie) => String(cookie).startsWith('air_session='));
    expect(session).toMatch(/HttpOnly/i);
    expect(session).toMatch(/SameSite=Lax/i);
    const cookie = cookiesOf(verified);

    const { token } = (await server.inject({ url: '/auth/token', headers: { cookie } })).json<{ token: string }>();
    const headers = { authorization: `Bearer ${token}` };
    expect((await server.inject({ url: '/me', headers })).json()).toMatchObject({
      user: { id: actor.id, external_id: actor.id, mfa_enabled: true },
      tenant_roles: { [home]: 'Analyst' },
    });

    expect((await post('/auth/sign-out', {}, cookie)).json()).toEqual({ signedOut: true });
    expect((await server.inject({ url: '/auth/token', headers: { cookie } })).json()).toEqual({ token: null });
    await expect.poll(async () => (await server.inject({ url: '/me', headers })).statusCode).toBe(401);
  });

  it.each<[string, (password: string) => string]>([
    ['another case', (password) => password.replace(/[a-z]/gi, (letter) => swapped(letter))],
    ['a space behind it', (password) => `${password} `],
    ['a space before it', (password) => ` ${password}`],
    ['its last sign missing', (password) => password.slice(0, -1)],
    ['a sign more', (password) => `${password}x`],
  ])('compares a password as it was typed: not with %s', async (_what, change) => {
    const actor = await newcomer();
    const answer = await post('/auth/sign-in/email', { email: actor.email, password: change(actor.password) });
    expect(answer.statusCode).toBe(401);
    await firstStep(actor);
  });

  it('opens nothing for a disabled account, and says so only to who knows the password', async () => {
    const actor = await newcomer();
    await setStatus(actor, 'disabled');
    const wrong = await post('/auth/sign-in/email', { email: actor.email, password: 'not the password' });
    expect(wrong.json()).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' });
    const right = await post('/auth/sign-in/email', { email: actor.email, password: actor.password });
    expect(right.statusCode).toBe(403);
    expect(right.json()).toMatchObject({ code: 'USER_DISABLED' });
    expect(right.headers['set-cookie']).toBeUndefined();
    expect(await signInsOf(actor)).toEqual([
      { outcome: 'refused', data: { reason: 'INVALID_EMAIL_OR_PASSWORD' } },
      { outcome: 'refused', data: { reason: 'USER_DISABLED' } },
    ]);
    await setStatus(actor, 'active');
    await firstStep(actor);
  });

  it('opens nothing for an account that is disabled between password and code', async () => {
    const actor = await newcomer();
    const pending = await firstStep(actor);
    await setStatus(actor, 'disabled');
    const answer = await post('/auth/two-factor/verify-totp', { code: codeOf(actor) }, pending);
    expect(answer.json()).toMatchObject({ code: 'USER_DISABLED' });
    const cookie = cookiesOf(answer);
    expect((await server.inject({ url: '/auth/token', headers: { cookie } })).json()).toEqual({ token: null });
    expect(await signInsOf(actor)).toEqual([{ outcome: 'refused', data: { reason: 'USER_DISABLED' } }]);
  });

  it('does not say whether an address is known', async () => {
    const actor = await newcomer();
    const wrong = await post('/auth/sign-in/email', { email: actor.email, password: 'not the password' });
    const unknown = await post('/auth/sign-in/email', { email: 'nobody@example.com', password: 'not the password' });
    expect(wrong.statusCode).toBe(401);
    expect({ ...wrong.json(), request_id: '' }).toEqual({ ...unknown.json(), request_id: '' });
    expect(wrong.json()).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' });
  });

  it('accepts one authenticator code once, also under fifty parallel tries with it', async () => {
    const actor = await newcomer();
    const pending: string[] = [];
    for (let n = 0; n < 4; n++) pending.push(await firstStep(actor));
    const code = codeOf(actor);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => post('/auth/two-factor/verify-totp', { code }, pending[n % 4])),
    );
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
  });

  it('does not accept a code older than the last one used', async () => {
    const actor = await newcomer();
    const first = await post('/auth/two-factor/verify-totp', { code: codeOf(actor, 1) }, await firstStep(actor));
    expect(first.statusCode).toBe(200);
    const older = await post('/auth/two-factor/verify-totp', { code: codeOf(actor) }, await firstStep(actor));
    expect(older.json()).toMatchObject({ code: 'INVALID_CODE' });
  });

  it('judges exactly five wrong codes of twenty parallel ones, then locks out the right one too', async () => {
    const actor = await newcomer();
    const pending = await firstStep(actor);
    const wrong = codeOf(actor) === '000000' ? '000001' : '000000';
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => post('/auth/two-factor/verify-totp', { code: wrong }, pending)),
    );
    const codes = answers.map((answer) => answer.json<{ code: string }>().code);
    expect(codes.filter((code) => code === 'INVALID_CODE')).toHaveLength(GUESSES_MAX);
    expect(codes.filter((code) => code === 'ACCOUNT_TEMPORARILY_LOCKED')).toHaveLength(20 - GUESSES_MAX);
    const right = await post('/auth/two-factor/verify-totp', { code: codeOf(actor) }, pending);
    expect(right.json()).toMatchObject({ code: 'ACCOUNT_TEMPORARILY_LOCKED' });
    expect(right.statusCode).toBe(429);
  });

  it('judges five wrong passwords, known address or not, and then none', async () => {
    const actor = await newcomer();
    for (const email of [actor.email, 'stranger@example.com']) {
      const codes: string[] = [];
      for (let n = 0; n < GUESSES_MAX + 2; n++) {
        const password = n < GUESSES_MAX ? 'wrong wrong wrong' : actor.password;
        codes.push((await post('/auth/sign-in/email', { email, password })).json<{ code: string }>().code);
      }
      expect(codes).toEqual([
        ...Array.from({ length: GUESSES_MAX }, () => 'INVALID_EMAIL_OR_PASSWORD'),
        'ACCOUNT_TEMPORARILY_LOCKED',
        'ACCOUNT_TEMPORARILY_LOCKED',
      ]);
    }
  });

  it('takes a recovery code instead, each one once, also under parallel tries', async () => {
    const actor = await newcomer();
    const [first = '', second = ''] = actor.recoveryCodes;
    const pending = [await firstStep(actor), await firstStep(actor), await firstStep(actor)];
    const verify = (code: string, cookie = '') => post('/auth/two-factor/verify-backup-code', { code }, cookie);
    const answers = await Promise.all(pending.map((cookie) => verify(first, cookie)));
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    expect((await verify(first, await firstStep(actor))).json()).toMatchObject({ code: 'INVALID_BACKUP_CODE' });
    expect((await verify(second, await firstStep(actor))).json()).toEqual({ signedIn: true });
  });

  it('keeps its cookies for this host alone and off plain http where there is https', async () => {
    const secure = await createTestServer({
      env: { PUBLIC_URL: 'https://air.example.com', TRUSTED_PROXIES: '127.0.0.1' },
    });
    const tenant = await secure.createTenant();
    const actor = await secure.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const headers = { host: 'air.example.com', origin: 'https://air.example.com', 'x-forwarded-proto': 'https' };
    const call = (url: string, payload: object, cookie = '') =>
      secure.inject({ method: 'POST', url, payload, headers: { ...headers, ...(cookie ? { cookie } : {}) } });
    const first = await call('/auth/sign-in/email', { email: actor.email, password: actor.password });
    const verified = await call('/auth/two-factor/verify-totp', { code: codeOf(actor) }, cookiesOf(first));
    expect(verified.json()).toEqual({ signedIn: true });
    const cookies = [first.headers['set-cookie'], verified.headers['set-cookie']].flat().map(String);
    const kept = cookies.filter((cookie) => !/Max-Age=0/i.test(cookie));
    expect(kept.map((cookie) => cookie.split('=', 1)[0])).toEqual(['__Host-air_second_factor', '__Host-air_session']);
    for (const cookie of kept)
      expect(cookie).toMatch(/^(?=.*; Secure)(?=.*; HttpOnly)(?=.*; Path=\/(;|$))(?!.*Domain)/i);
    await secure.close();
  });

  it.each(['%00', '%', 'a%ff', '..', '"; drop'])('knows no second step by the cookie %s', async (text) => {
    const answer = await post('/auth/two-factor/verify-totp', { code: '123456' }, `air_second_factor=${text}.c2ln`);
    expect(answer.json()).toMatchObject({ code: 'INVALID_TWO_FACTOR_COOKIE' });
  });

  it.each([
    ['trust this device', '/auth/two-factor/verify-totp', { code: '123456', trustDevice: true }],
    [
      'another sign-in path',
      '/auth/sign-up/email',
      { email: 'a@example.com', password: 'long enough to pass', name: 'A' },
    ],
    ['changing the user', '/auth/update-user', { name: 'B' }],
    ['setting up the second factor', '/auth/two-factor/disable', { password: 'x' }],
  ])('does not offer %s', async (_name, url, payload) => {
    expect([400, 404]).toContain((await post(url, payload)).statusCode);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['a null origin', { origin: 'null' }],
    ['another site', { origin: 'http://localhost:80', 'sec-fetch-site': 'cross-site' }],
    ['a foreign name of this machine', { origin: 'http://evil.example', host: 'evil.example' }],
    ['a cookie without an origin', { cookie: 'air_session=x' }],
  ])('refuses a call from %s', async (_name, headers) => {
    const answer = await server.inject({ method: 'POST', url: '/auth/sign-out', headers, payload: {} });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' });
  });

  it('lets a user without an authenticator find out who they are and nothing else', async () => {
    const actor = await server.createActor({ home, roles: { [home]: 'Admin' }, mfa: false });
    const { headers } = actor;
    expect((await server.inject({ url: '/me', headers })).json()).toMatchObject({ user: { mfa_enabled: false } });
    expect((await server.inject({ url: `/api/tenants/${home}`, headers })).json()).toMatchObject({
      code: 'MFA_REQUIRED',
    });
    expect((await server.inject({ url: '/me/api_keys', headers })).json()).toMatchObject({ code: 'MFA_REQUIRED' });
  });

  it('writes sign-ins and refused ones into the audit of the home tenant', async () => {
    const tenant = await server.createTenant();
    const actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    await post('/auth/sign-in/email', { email: actor.email, password: 'not the password' });
    await post('/auth/two-factor/verify-totp', { code: codeOf(actor) }, await firstStep(actor));
    const records = await server.stores.database.system((tx) =>
      tx
        .selectFrom('audit_record')
        .selectAll()
        .where('tenant_id', '=', tenant)
        .where('action', '=', 'session.sign_in')
        .orderBy('sequence')
        .execute(),
    );
    expect(records.map(({ outcome, actor_id, data }) => ({ outcome, actor_id, data }))).toEqual([
      { outcome: 'refused', actor_id: actor.id, data: { reason: 'INVALID_EMAIL_OR_PASSWORD' } },
      { outcome: 'ok', actor_id: actor.id, data: {} },
    ]);
  });
});

describe('the process log', () => {
  const refusals = () =>
    logged.filter(({ msg }) => msg === 'sign-in refused').map(({ reason, account }) => [reason, account]);

  it('has refused sign-ins that no audit record has: of unknown addresses, and of locked accounts', async () => {
    const email = 'nobody.at.all@example.com';
    const actor = await newcomer();
    logged.length = 0;
    expect((await post('/auth/sign-in/email', { email, password: 'not the password' })).statusCode).toBe(401);
    for (let guess = 0; guess <= GUESSES_MAX; guess++) {
      await post('/auth/sign-in/email', { email: actor.email, password: 'not the password' });
    }
    expect(refusals()).toEqual([
      ['INVALID_EMAIL_OR_PASSWORD', addressSubject('password', email)],
      ['ACCOUNT_TEMPORARILY_LOCKED', actor.id],
    ]);
    expect(JSON.stringify(logged)).not.toContain(email);
    expect(await signInsOf(actor)).toHaveLength(GUESSES_MAX);
  });
});
