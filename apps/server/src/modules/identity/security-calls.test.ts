import { randomBytes } from 'node:crypto';
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { GUESSES_MAX } from './attempt-guard.ts';
import { keptRecoveryCode } from './recovery-codes.ts';
import { codeOf, createTestBrowser, mailsTo, type TestBrowser, wrongCodeOf } from './test-browser.ts';

const NEW_PASSWORD = 'tulip-margin-orbit-42';
const identitySecret = randomBytes(48).toString('base64url');

let server: TestServer;
let home: string;
let owner: pg.Client;

beforeAll(async () => {
  server = await createTestServer({ identitySecret });
  home = await server.createTenant();
  owner = new pg.Client({ connectionString: server.stores.url });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await server?.close();
});

const newcomer = (mfa = true) => server.createActor({ home, roles: { [home]: 'Analyst' }, mfa });

async function signedIn(mfa = true): Promise<{ actor: Actor; browser: TestBrowser; secret: string }> {
  const actor = await newcomer(mfa);
  const browser = createTestBrowser(server);
  expect((await browser.signIn(actor)).body).toEqual({ signedIn: true });
  // The code of this step has not been used, as far as the following test is concerned.
  await owner.query('update identity.attempt_guard set last_step = 0');
  return { actor, browser, secret: actor.totpSecret ?? '' };
}

/** As if the proofs of all sessions were that old. */
function age(minutes: number) {
  return owner.query(
    `update identity.session set "createdAt" = now() - $1 * interval '1 minute', "provenAt" = now() - $1 * interval '1 minute'`,
    [minutes],
  );
}

const subjectsTo = async (email: string) => (await mailsTo(server, email)).map(({ subject }) => subject);

async function enrol(browser: TestBrowser) {
  const { body } = await browser.post('/totp/begin');
  const secret = String(body.secret);
  const code = codeOf(secret);
  const confirmed = await browser.post('/totp/confirm', { code });
  return { secret, code, recoveryCodes: confirmed.body.recovery_codes as string[] };
}

async function atSecondStep({ email, password }: Actor): Promise<TestBrowser> {
  const browser = createTestBrowser(server);
  expect((await browser.post('/sign-in/email', { email, password })).body).toMatchObject({ twoFactorRedirect: true });
  return browser;
}

it.each([
  ['GET', '/account', undefined],
  ['POST', '/prove', { code: '123456' }],
  ['POST', '/password/change', { current_password: 'x', new_password: NEW_PASSWORD }],
  ['POST', '/totp/begin', {}],
  ['POST', '/totp/confirm', { code: '123456' }],
  ['POST', '/recovery-codes/regenerate', {}],
])('%s %s needs a session, and a planted or broken cookie is none', async (method, path, body) => {
  const browser = createTestBrowser(server);
  for (const cookie of [undefined, 'x', 'a.b', '%', 'token.AAAA', 'x'.repeat(3000)]) {
    if (cookie !== undefined) browser.cookies.set('air_session', cookie);
    const answer = method === 'GET' ? await browser.get(path) : await browser.post(path, body);
    expect(answer).toMatchObject({ status: 401, body: { code: 'TOKEN_MISSING' } });
  }
});

describe('the account', () => {
  it('shows its ways in, to its owner', async () => {
    const { actor, browser } = await signedIn();
    expect((await browser.get('/account')).body).toEqual({
      email: actor.email,
      has_password: true,
      has_totp: true,
      recovery_codes_left: 10,
      passkeys: [],
      external: [],
    });
    const bare = await signedIn(false);
    expect((await bare.browser.get('/account')).body).toMatchObject({ has_totp: false, recovery_codes_left: 0 });
  });
});

describe('a proof', () => {
  it('is asked for by sensitive changes after ten minutes, and given with a code', async () => {
    const { browser, secret } = await signedIn();
    const change = { current_password: 'x', new_password: NEW_PASSWORD };
    await age(11);
    for (const [path, body] of [
      ['/password/change', change],
      ['/totp/begin', {}],
      ['/recovery-codes/regenerate', {}],
    ] as const) {
      expect(await browser.post(path, body)).toMatchObject({
        status: 403,
        body: { code: 'REAUTHENTICATION_REQUIRED' },
      });
    }
    expect((await browser.post('/prove', { code: codeOf(secret) })).body).toEqual({ proven: true });
    expect((await browser.post('/totp/begin')).status).toBe(200);
  });

  it('takes a code once, here and at sign-in together', async () => {
    const { actor, browser, secret } = await signedIn();
    const code = codeOf(secret);
    const proofs = await Promise.all(Array.from({ length: 20 }, () => browser.post('/prove', { code })));
    expect(proofs.filter(({ status }) => status === 200)).toHaveLength(1);
    await owner.query('update identity.attempt_guard set failures = 0, locked_until = null');
    const other = await atSecondStep(actor);
    expect((await other.post('/two-factor/verify-totp', { code })).body).toMatchObject({ code: 'INVALID_CODE' });
  });

  it('takes the password only from an account without an authenticator', async () => {
    const { actor, browser } = await signedIn();
    expect(await browser.post('/prove', { password: actor.password })).toMatchObject({
      status: 401,
      body: { code: 'INVALID_CODE' },
    });
    const bare = await signedIn(false);
    await age(11);
    const wrong = await bare.browser.post('/prove', { password: 'not the password' });
    expect(wrong).toMatchObject({ status: 401, body: { code: 'INVALID_EMAIL_OR_PASSWORD' } });
    expect((await bare.browser.post('/prove', { password: bare.actor.password })).body).toEqual({ proven: true });
  });

  it('is judged five times of a hundred parallel wrong ones; then the right one is not looked at, others are', async () => {
    const { browser, secret } = await signedIn();
    const other = await signedIn();
    const wrong = wrongCodeOf(secret);
    const answers = await Promise.all(Array.from({ length: 100 }, () => browser.post('/prove', { code: wrong })));
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'INVALID_CODE')).toHaveLength(GUESSES_MAX);
    expect(codes.filter((code) => code === 'ACCOUNT_TEMPORARILY_LOCKED')).toHaveLength(100 - GUESSES_MAX);
    expect((await browser.post('/prove', { code: codeOf(secret) })).status).toBe(429);
    expect((await other.browser.post('/prove', { code: codeOf(other.secret) })).status).toBe(200);
  });
});

describe('changing the password', () => {
  it('needs the present one, ends the other sessions and keeps this one', async () => {
    const { actor, browser } = await signedIn();
    const elsewhere = createTestBrowser(server);
    await elsewhere.signIn(actor);
    const change = (current: string, next: string) =>
      browser.post('/password/change', { current_password: current, new_password: next });
    expect((await change('not the password', NEW_PASSWORD)).body).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' });
    expect((await change(actor.password, 'jonasbrothers')).body).toMatchObject({
      code: 'PASSWORD_WEAK',
      why: 'common',
    });
    expect((await change(actor.password, actor.password)).body).toMatchObject({ code: 'PASSWORD_REUSED' });
    expect(await change(actor.password, NEW_PASSWORD)).toEqual({ status: 200, body: { changed: true } });
    expect(await elsewhere.bearer()).toBeUndefined();
    expect(await browser.bearer()).toBeDefined();
    expect((await server.inject({ url: '/me', headers: actor.headers })).statusCode).toBe(401);
    expect(await subjectsTo(actor.email)).toContain('AIRdeck: Your password was changed');
    const again = await createTestBrowser(server).signIn({ ...actor, password: NEW_PASSWORD }, 1);
    expect(again.body).toEqual({ signedIn: true });
  });
});

describe('setting up an authenticator', () => {
  it('lets a user without one do nothing else, and everything afterwards', async () => {
    const { actor, browser } = await signedIn(false);
    const before = await browser.bearer();
    const tenantUrl = `/api/tenants/${home}`;
    expect((await server.inject({ url: '/me', headers: before ?? {} })).statusCode).toBe(200);
    for (const url of [tenantUrl, '/me/api_keys', `/api/tenants/${home}/case`]) {
      const answer = await server.inject({ url, headers: before ?? {} });
      expect(answer.json()).toMatchObject({ code: 'MFA_REQUIRED' });
    }
    const { body } = await browser.post('/totp/begin');
    expect(body.uri).toBe(
      `otpauth://totp/AIRdeck:${encodeURIComponent(actor.email)}?secret=${body.secret}&issuer=AIRdeck&algorithm=SHA1&digits=6&period=30`,
    );
    const stillBefore = await browser.bearer();
    expect((await server.inject({ url: tenantUrl, headers: stillBefore ?? {} })).statusCode).toBe(403);
    const confirmed = await browser.post('/totp/confirm', { code: codeOf(String(body.secret)) });
    expect(confirmed.body.recovery_codes).toHaveLength(10);
    const after = await browser.bearer();
    expect((await server.inject({ url: tenantUrl, headers: after ?? {} })).statusCode).toBe(200);
    expect((await server.inject({ url: tenantUrl, headers: actor.headers })).statusCode).toBe(401);
  });

  it('counts the confirming code as used: it does not also sign in, the next one does', async () => {
    const { actor, browser } = await signedIn(false);
    const { secret, code } = await enrol(browser);
    const other = await atSecondStep(actor);
    expect((await other.post('/two-factor/verify-totp', { code })).body).toMatchObject({ code: 'INVALID_CODE' });
    expect((await other.post('/two-factor/verify-totp', { code: codeOf(secret, 1) })).body).toEqual({ signedIn: true });
  });

  it('replaces the old one only when a code of the new one was right, and ends the other sessions', async () => {
    const { actor, browser, secret: old } = await signedIn();
    const elsewhere = createTestBrowser(server);
    await elsewhere.signIn(actor);
    const { body } = await browser.post('/totp/begin');
    const secret = String(body.secret);
    expect((await browser.post('/totp/confirm', { code: wrongCodeOf(secret) })).status).toBe(401);
    expect((await browser.post('/totp/confirm', { code: codeOf(old, 1) })).status).toBe(401);
    expect(await elsewhere.bearer()).toBeDefined();
    expect((await browser.post('/totp/confirm', { code: codeOf(secret) })).status).toBe(200);
    expect(await elsewhere.bearer()).toBeUndefined();
    expect(await browser.bearer()).toBeDefined();
    expect((await createTestBrowser(server).signIn({ ...actor, totpSecret: old }, 1)).status).toBe(401);
    expect((await createTestBrowser(server).signIn({ ...actor, totpSecret: secret }, 1)).status).toBe(200);
    expect(await subjectsTo(actor.email)).toContain('AIRdeck: A new authenticator app was set up');
  });

  it('happens once of twenty parallel confirmations, and not after a quarter of an hour', async () => {
    const { browser } = await signedIn(false);
    const secret = String((await browser.post('/totp/begin')).body.secret);
    await owner.query(`update identity.pending_totp set expires_at = now() - interval '1 second'`);
    expect((await browser.post('/totp/confirm', { code: codeOf(secret) })).status).toBe(401);
    const again = String((await browser.post('/totp/begin')).body.secret);
    expect(again).not.toBe(secret);
    const code = codeOf(again);
    const answers = await Promise.all(Array.from({ length: 20 }, () => browser.post('/totp/confirm', { code })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await browser.get('/account')).body).toMatchObject({ has_totp: true, recovery_codes_left: 10 });
  });

  it('keeps the secret encrypted', async () => {
    const { browser } = await signedIn(false);
    const { secret } = await enrol(browser);
    await browser.post('/totp/begin');
    const { rows } = await owner.query(
      `select secret from identity.pending_totp union all select secret from identity."twoFactor"`,
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
    for (const row of rows as { secret: string }[]) expect(row.secret).toMatch(/^[0-9a-f]{80,}$/);
  });

  it('is not for a session begun with the password alone when the account has a passkey', async () => {
    const { actor, browser } = await signedIn(false);
    await owner.query(
      `insert into identity.passkey (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
       select $1, "id", $1, '\\x00', 0, '{}', 'Key', now() from identity."user" where "externalId" = $1`,
      [actor.id],
    );
    const answers = [
      await browser.post('/totp/begin'),
      await browser.post('/totp/confirm', { code: '123456' }),
      await browser.post('/passkey/register/options'),
      await browser.post('/passkey/remove', { id: actor.id }),
      await browser.post('/external/start', { connection: 'any', purpose: { for: 'link' } }),
      await browser.post('/password/change', { current_password: actor.password, new_password: NEW_PASSWORD }),
    ];
    for (const answer of answers) expect(answer.body).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
  });
});

describe('recovery codes', () => {
  it('work once each, also under parallel tries, and new ones end the old ones', async () => {
    const { actor, browser } = await signedIn(false);
    const { recoveryCodes, secret } = await enrol(browser);
    const [first = '', second = ''] = recoveryCodes;
    const pending = async () => {
      const other = createTestBrowser(server);
      await other.post('/sign-in/email', { email: actor.email, password: actor.password });
      return other;
    };
    const browsers = await Promise.all([pending(), pending(), pending(), pending()]);
    const tries = await Promise.all(
      browsers.map((each) => each.post('/two-factor/verify-backup-code', { code: first })),
    );
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await browser.get('/account')).body).toMatchObject({ recovery_codes_left: 9 });

    const made = await browser.post('/recovery-codes/regenerate');
    const fresh = made.body.recovery_codes as string[];
    expect(new Set([...fresh, ...recoveryCodes]).size).toBe(20);
    const old = await (await pending()).post('/two-factor/verify-backup-code', { code: second });
    expect(old.body).toMatchObject({ code: 'INVALID_BACKUP_CODE' });
    const used = await (await pending()).post('/two-factor/verify-backup-code', { code: fresh[0] });
    expect(used.body).toEqual({ signedIn: true });
    const { rows } = await owner.query('select "backupCodes" from identity."twoFactor"');
    expect(JSON.stringify(rows)).not.toContain(fresh[1]);
    expect(secret).not.toBe('');
  });

  it('of the release before, enciphered as they are, go on working once each until new ones are made', async () => {
    const { actor, browser } = await signedIn();
    const older = ['01234567-89abcdef', 'fedcba98-76543210', '00112233-44556677'];
    const sealed = await symmetricEncrypt({ key: identitySecret, data: JSON.stringify(older) });
    await owner.query(
      `update identity."twoFactor" set "backupCodes" = $1
       where "userId" = (select "id" from identity."user" where "externalId" = $2)`,
      [sealed, actor.id],
    );
    const signInWith = async (code: string) => {
      const other = createTestBrowser(server);
      await other.post('/sign-in/email', { email: actor.email, password: actor.password });
      return () => other.post('/two-factor/verify-backup-code', { code });
    };
    const ready = await Promise.all([1, 2, 3].map(() => signInWith('01234567-89ABCDEF')));
    const tries = await Promise.all(ready.map((type) => type()));
    expect(tries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await (await signInWith('fedcba9876543210'))()).body).toEqual({ signedIn: true });
    expect((await browser.get('/account')).body).toMatchObject({ recovery_codes_left: 1 });
    const { body } = await browser.post('/recovery-codes/regenerate');
    expect((await (await signInWith('00112233-44556677'))()).body).toMatchObject({ code: 'INVALID_BACKUP_CODE' });
    const [fresh = ''] = body.recovery_codes as string[];
    expect((await (await signInWith(` ${fresh.toLowerCase().replaceAll('-', ' ')}`))()).body).toEqual({
      signedIn: true,
    });
  });

  it('are kept as hashes, which open nothing when somebody who reads the list types them', async () => {
    const { actor } = await signedIn();
    const { rows } = await owner.query<{ backupCodes: string }>(
      `select "backupCodes" from identity."twoFactor"
       where "userId" = (select "id" from identity."user" where "externalId" = $1)`,
      [actor.id],
    );
    const kept: string[] = JSON.parse(
      await symmetricDecrypt({ key: identitySecret, data: rows[0]?.backupCodes ?? '' }),
    );
    expect(kept).toEqual(actor.recoveryCodes.map(keptRecoveryCode));
    const other = createTestBrowser(server);
    await other.post('/sign-in/email', { email: actor.email, password: actor.password });
    for (const code of [kept[0] ?? '', (kept[0] ?? '').slice('sha256:'.length)]) {
      expect(await other.post('/two-factor/verify-backup-code', { code })).toMatchObject({ status: 401 });
    }
  });

  it('are not made for an account without an authenticator', async () => {
    const { browser } = await signedIn(false);
    expect(await browser.post('/recovery-codes/regenerate')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });
});

it('writes every change and refusal into the audit of the home tenant, without what was typed', async () => {
  const tenant = await server.createTenant();
  const actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' }, mfa: false });
  const browser = createTestBrowser(server);
  await browser.signIn(actor);
  await browser.post('/prove', { password: 'not the password' });
  await browser.post('/prove', { password: actor.password });
  const { secret, recoveryCodes } = await enrol(browser);
  await browser.post('/recovery-codes/regenerate');
  await browser.post('/password/change', { current_password: actor.password, new_password: NEW_PASSWORD });
  const { rows } = await owner.query<{ action: string; outcome: string }>(
    `select action, outcome, data from audit_record where tenant_id = $1 and target_id = $2 order by sequence`,
    [tenant, actor.id],
  );
  expect(
    rows.map(({ action, outcome }) => `${action} ${outcome}`).filter((line) => !/^(user|membership)/.test(line)),
  ).toEqual([
    'session.sign_in ok',
    'session.prove refused',
    'session.prove ok',
    'totp.enrol ok',
    'recovery_codes.regenerate ok',
    'password.change ok',
  ]);
  for (const typed of [secret, recoveryCodes[0], actor.password, NEW_PASSWORD, 'not the password']) {
    expect(JSON.stringify(rows)).not.toContain(typed);
  }
});
