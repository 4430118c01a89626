import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { GUESSES_MAX } from './attempt-guard.ts';
import { MAILS_PER_ADDRESS, MAILS_PER_NETWORK } from './password-recovery.ts';
import { codeIn, codeOf, createTestBrowser, mailsTo, type TestAnswer, type TestBrowser } from './test-browser.ts';

const NEW_PASSWORD = 'tulip-margin-orbit-42';

let server: TestServer;
let home: string;
let owner: pg.Client;
let clients = 0;

beforeAll(async () => {
  server = await createTestServer();
  home = await server.createTenant();
  owner = new pg.Client({ connectionString: server.stores.url });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await server?.close();
});

const newcomer = () => server.createActor({ home, roles: { [home]: 'Analyst' } });
const requireNewPassword = (externalId: string) =>
  server.stores.database.system((tx) => server.composition.identity.users.requirePasswordReset(tx, externalId));
/** The one in which somebody asks for codes and types them. */
const browsers = new Map<string, TestBrowser>();
function browserOf({ email }: Pick<Actor, 'email'>): TestBrowser {
  const known = browsers.get(email) ?? visitor();
  browsers.set(email, known);
  return known;
}
/** Every one from an address of its own, so that the limit per client is met only where it is meant. */
const visitor = () => createTestBrowser(server, `192.0.2.${(clients++ % 250) + 1}`);

async function mailedCode(email: string, count = 1): Promise<string> {
  const codes = async () => (await mailsTo(server, email)).map(codeIn).filter((code) => code !== '');
  await expect.poll(async () => (await codes()).length).toBe(count);
  return (await codes())[0] ?? '';
}

async function askForCode(actor: Actor, count = 1): Promise<string> {
  expect(await browserOf(actor).post('/forgot-password', { email: actor.email })).toEqual({
    status: 200,
    body: { sent: true },
  });
  return await mailedCode(actor.email, count);
}

function reset(actor: Actor, code: string, password = NEW_PASSWORD): Promise<TestAnswer> {
  return browserOf(actor).post('/reset-password', { email: actor.email, code, password });
}

/** The n-th of those that begin otherwise. */
function wrongCode(code: string, n: number): string {
  return String(n).padStart(8, code.startsWith('0') ? '1' : '0');
}

function sql(statement: string, values: unknown[] = []) {
  return owner.query(statement, values);
}

describe('a forgotten password', () => {
  it('is replaced with a mailed code, which ends every session and leaves the authenticator asked for', async () => {
    const actor = await newcomer();
    const before = createTestBrowser(server);
    await before.signIn(actor);
    expect(await before.bearer()).toBeDefined();
    const code = await askForCode(actor);
    expect(code).toMatch(/^\d{8}$/);
    expect((await browserOf(actor).post('/confirm-code', { email: actor.email, code })).body).toEqual({
      confirmed: true,
    });
    expect((await reset(actor, code)).body).toEqual({ reset: true });

    expect(await before.bearer()).toBeUndefined();
    expect((await server.inject({ url: '/me', headers: actor.headers })).statusCode).toBe(401);
    const again = createTestBrowser(server);
    expect((await again.signIn(actor)).body).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' });
    const first = await again.post('/sign-in/email', { email: actor.email, password: NEW_PASSWORD });
    expect(first.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
    expect(await again.bearer()).toBeUndefined();
    const subjects = (await mailsTo(server, actor.email)).map(({ subject }) => subject);
    expect(subjects).toContain('AIRdeck: Your password was changed');
  });

  it('is set only in the browser that asked for the code, as often as its page is loaded anew', async () => {
    const actor = await newcomer();
    const code = await askForCode(actor);
    const stranger = visitor();
    await stranger.post('/forgot-password', { email: 'somebody-else@example.com' });
    const forged = visitor();
    forged.cookies.set('air_recovery', 'forged.signature');
    for (const other of [visitor(), stranger, forged]) {
      for (const [path, more] of [
        ['/confirm-code', {}],
        ['/reset-password', { password: NEW_PASSWORD }],
      ] as const) {
        // Each counts like a wrong one; the lock is not what is looked at here.
        await sql('update identity.attempt_guard set failures = 0, locked_until = null');
        const answer = await other.post(path, { email: actor.email, code, ...more });
        expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } });
      }
    }
    const reloaded = visitor();
    for (const [name, value] of browserOf(actor).cookies) reloaded.cookies.set(name, value);
    expect((await reloaded.post('/confirm-code', { email: actor.email, code })).body).toEqual({ confirmed: true });
    expect((await reset(actor, code)).body).toEqual({ reset: true });
  });

  it('the right code elsewhere is counted as a guess, and locks nothing where it was asked for', async () => {
    const actor = await newcomer();
    const code = await askForCode(actor);
    const tries = [];
    for (let n = 0; n <= GUESSES_MAX; n++) {
      tries.push((await visitor().post('/confirm-code', { email: actor.email, code })).status);
    }
    expect(tries).toEqual([...Array.from({ length: GUESSES_MAX }, () => 401), 429]);
    expect((await reset(actor, code)).body).toEqual({ reset: true });
  });

  it('is asked for with the same answer when nobody has the address, and nothing is mailed', async () => {
    const answer = await visitor().post('/forgot-password', { email: 'nobody@example.com' });
    expect(answer).toEqual({ status: 200, body: { sent: true } });
    const actor = await newcomer();
    await askForCode(actor);
    expect(await mailsTo(server, 'nobody@example.com')).toEqual([]);
  });

  it('is mailed about at most three times in a quarter of an hour, and only the newest code works', async () => {
    const actor = await newcomer();
    const first = await askForCode(actor);
    await askForCode(actor, 2);
    const third = await askForCode(actor, 3);
    expect((await browserOf(actor).post('/forgot-password', { email: actor.email })).body).toEqual({ sent: true });
    await server.composition.identity.settled();
    expect(await mailsTo(server, actor.email)).toHaveLength(3);
    expect((await reset(actor, first)).body).toMatchObject({ code: 'INVALID_CODE' });
    expect((await reset(actor, third)).body).toEqual({ reset: true });
  });

  it('may be asked for thirty times by one client, whichever addresses it names', async () => {
    const client = createTestBrowser(server, '198.51.100.7');
    const statuses: number[] = [];
    for (let n = 0; n < 31; n++) {
      statuses.push((await client.post('/forgot-password', { email: `stranger${n}@example.com` })).status);
    }
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect((await visitor().post('/forgot-password', { email: 'other@example.com' })).status).toBe(200);
  });

  it('is not replaced with a code that was used, has run out or belongs to somebody else', async () => {
    const [actor, other] = [await newcomer(), await newcomer()];
    const code = await askForCode(actor);
    const othersCode = await askForCode(other);
    expect((await reset(actor, othersCode)).body).toMatchObject({ code: 'INVALID_CODE' });
    const answers = await Promise.all([1, 2, 3, 4].map((n) => reset(actor, code, `${NEW_PASSWORD}-${n}`)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await reset(actor, code)).body).toMatchObject({ code: 'INVALID_CODE' });
    await sql(`update identity.mail_code set expires_at = now() - interval '1 second'`);
    expect((await reset(other, othersCode)).body).toMatchObject({ code: 'INVALID_CODE' });
    expect((await browserOf(other).post('/confirm-code', { email: other.email, code: othersCode })).status).toBe(401);
  });

  it.each([
    ['too short', 'short'],
    ['too long', 'x1'.repeat(80)],
    ['a leaked one', 'jonasbrothers'],
    ['a row of keys', 'qwertyuiopasdf'],
    ['one character repeated', 'bbbbbbbbbbbbbb'],
  ])('is not replaced with one that is %s, and the code stays good', async (_why, password) => {
    const actor = await newcomer();
    const code = await askForCode(actor);
    expect(await reset(actor, code, password)).toMatchObject({ status: 400, body: { code: 'PASSWORD_WEAK' } });
    expect((await reset(actor, code)).status).toBe(200);
  });

  // Some twenty hashings, which a busy machine takes its time for.
  it('is not replaced with any of the last five', { timeout: 120_000 }, async () => {
    const [actor, other] = [await newcomer(), await newcomer()];
    expect((await reset(actor, await askForCode(actor))).body).toEqual({ reset: true });
    const code = await askForCode(actor, 2);
    const olderPasswords = (count: number) =>
      sql(
        `insert into identity.password_history (user_id, hash)
         select u."id", a."password" from identity."user" u, identity."account" a, generate_series(1, $3)
         where u."externalId" = $1
           and a."userId" = (select o."id" from identity."user" o where o."externalId" = $2)`,
        [actor.id, other.id, count],
      );
    expect((await reset(actor, code)).body).toMatchObject({ code: 'PASSWORD_REUSED' });
    // The first one, with three between it and the present one.
    await olderPasswords(3);
    expect((await reset(actor, code, actor.password)).body).toMatchObject({ code: 'PASSWORD_REUSED' });
    expect((await reset(actor, code, other.password)).body).toMatchObject({ code: 'PASSWORD_REUSED' });
    await olderPasswords(1);
    expect((await reset(actor, code, actor.password)).body).toEqual({ reset: true });
    const { rows } = await sql(
      `select 1 from identity.password_history h join identity."user" u on u."id" = h.user_id where u."externalId" = $1`,
      [actor.id],
    );
    expect(rows).toHaveLength(4);
  });

  it('links to the configured address, whatever the request calls itself', async () => {
    const outside = await createTestServer({ env: { PUBLIC_URL: 'https://air.example.com' } });
    const tenant = await outside.createTenant();
    const actor = await outside.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const evil = await outside.inject({
      method: 'POST',
      url: '/auth/forgot-password',
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      payload: { email: actor.email },
    });
    expect(evil.statusCode).toBe(403);
    await outside.inject({
      method: 'POST',
      url: '/auth/forgot-password',
      headers: { host: 'localhost', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
      payload: { email: actor.email },
    });
    await outside.composition.identity.settled();
    const [mail] = await mailsTo(outside, actor.email);
    expect(mail?.text).toContain(`https://air.example.com/confirm-code?email=${encodeURIComponent(actor.email)}`);
    expect(mail?.text).not.toMatch(/evil/);
    expect(mail?.text.match(/https?:\/\//g)).toHaveLength(1);
    await outside.close();
  });

  it('lifts the lock on guesses at the password', async () => {
    const actor = await newcomer();
    const guesser = createTestBrowser(server);
    for (let n = 0; n <= GUESSES_MAX; n++) {
      await guesser.post('/sign-in/email', { email: actor.email, password: 'wrong wrong wrong' });
    }
    expect((await guesser.signIn(actor)).status).toBe(429);
    expect((await reset(actor, await askForCode(actor))).status).toBe(200);
    expect((await guesser.signIn({ ...actor, password: NEW_PASSWORD })).body).toEqual({ signedIn: true });
  });

  it('is audited: asked for, refused, replaced', async () => {
    const tenant = await server.createTenant();
    const actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const code = await askForCode(actor);
    await reset(actor, code === '12345678' ? '12345679' : '12345678');
    await server.composition.identity.settled();
    await reset(actor, code);
    const records = await server.stores.database.system((tx) =>
      tx
        .selectFrom('audit_record')
        .select(['action', 'outcome', 'data'])
        .where('tenant_id', '=', tenant)
        .where('action', 'like', 'password.%')
        .orderBy('sequence')
        .execute(),
    );
    expect(records).toEqual([
      { action: 'password.reset_request', outcome: 'ok', data: {} },
      { action: 'password.reset', outcome: 'refused', data: { reason: 'INVALID_CODE' } },
      { action: 'password.reset', outcome: 'ok', data: {} },
    ]);
    expect(JSON.stringify(records)).not.toContain(code);
  });
});

describe('guesses at a mailed code', () => {
  it('are judged five times of a hundred parallel ones, known address or not, and new codes give no new guesses', async () => {
    const [actor, other] = [await newcomer(), await newcomer()];
    const code = await askForCode(actor);
    for (const email of [actor.email, 'unknown@example.com']) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) =>
          browserOf({ email }).post('/confirm-code', { email, code: wrongCode(code, n) }),
        ),
      );
      const codes = answers.map(({ body }) => body.code);
      expect(codes.filter((each) => each === 'INVALID_CODE')).toHaveLength(GUESSES_MAX);
      expect(codes.filter((each) => each === 'ACCOUNT_TEMPORARILY_LOCKED')).toHaveLength(100 - GUESSES_MAX);
    }
    expect(await reset(actor, code)).toMatchObject({ status: 429 });
    const second = await askForCode(actor, 2);
    expect(await reset(actor, second)).toMatchObject({ status: 429 });
    expect((await reset(other, await askForCode(other))).status).toBe(200);
  });

  it('of a stranger neither replace nor lock the code of whoever asked elsewhere, nor keep them from another', async () => {
    const actor = await newcomer();
    const code = await askForCode(actor);
    const { email } = actor;
    const stranger = visitor();
    for (let n = 0; n < 4; n++) await stranger.post('/forgot-password', { email });
    await server.composition.identity.settled();
    expect(await mailsTo(server, email)).toHaveLength(1 + MAILS_PER_NETWORK);
    for (const browser of [stranger, visitor()]) {
      for (let n = 0; n <= GUESSES_MAX; n++) await browser.post('/confirm-code', { email, code: wrongCode(code, n) });
      expect((await browser.post('/confirm-code', { email, code })).status).toBe(429);
    }
    expect((await browserOf(actor).post('/confirm-code', { email, code })).body).toEqual({ confirmed: true });
    const second = await askForCode(actor, 2 + MAILS_PER_NETWORK);
    expect((await reset(actor, second)).body).toEqual({ reset: true });
  });

  it('of many browsers and networks are five for each of ten codes in a quarter of an hour', async () => {
    const { email } = await newcomer();
    const attackers = Array.from({ length: MAILS_PER_ADDRESS + 2 }, visitor);
    for (const attacker of attackers) await attacker.post('/forgot-password', { email });
    await server.composition.identity.settled();
    const mails = await mailsTo(server, email);
    expect(mails).toHaveLength(10);
    const right = new Set(mails.map(codeIn));
    const wrong = Array.from({ length: 20 }, (_, n) => wrongCode('9', n)).filter((guess) => !right.has(guess));
    for (const attacker of attackers) {
      const statuses = [];
      for (const code of wrong.slice(0, GUESSES_MAX + 1)) {
        statuses.push((await attacker.post('/confirm-code', { email, code })).status);
      }
      expect(statuses).toEqual([...Array.from({ length: GUESSES_MAX }, () => 401), 429]);
    }
  });

  it('of a network of IPv6 count as those of one', async () => {
    const { email } = await newcomer();
    for (let n = 0; n <= MAILS_PER_NETWORK; n++) {
      await createTestBrowser(server, `2001:db8:1:2::${n}`).post('/forgot-password', { email });
    }
    await server.composition.identity.settled();
    expect(await mailsTo(server, email)).toHaveLength(MAILS_PER_NETWORK);
  });

  it.each(['1234567', '123456789', '1234 5678', '１２３４５６７８', '%', "' or 1=1--"])(
    'such as %j are refused',
    async (code) => {
      const actor = await newcomer();
      expect(await reset(actor, code)).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } });
    },
  );
});

describe('a new password an administrator asked for', () => {
  it('comes before anything else: sessions end, the right password opens nothing, the mailed code sets a new one', async () => {
    const actor = await newcomer();
    const browser = createTestBrowser(server);
    await browser.signIn(actor);
    await requireNewPassword(actor.id);
    expect(await browser.bearer()).toBeUndefined();
    expect((await server.inject({ url: '/me', headers: actor.headers })).statusCode).toBe(401);

    const wrong = await browser.post('/sign-in/email', { email: actor.email, password: 'not the password' });
    expect(wrong.body).toMatchObject({ code: 'INVALID_EMAIL_OR_PASSWORD' });
    const other = createTestBrowser(server);
    const right = await other.post('/sign-in/email', { email: actor.email, password: actor.password });
    expect(right).toEqual({ status: 200, body: { newPasswordRequired: true } });
    expect([...other.cookies.keys()]).toEqual(['air_recovery']);
    const code = await mailedCode(actor.email, 1);
    expect((await reset(actor, code)).body).toMatchObject({ code: 'INVALID_CODE' });
    browsers.set(actor.email, other);
    expect((await reset(actor, code, actor.password)).body).toMatchObject({ code: 'PASSWORD_REUSED' });
    expect((await reset(actor, code)).body).toEqual({ reset: true });
    expect([...other.cookies.keys()]).toEqual([]);
    const [asked] = (await mailsTo(server, actor.email)).filter(({ subject }) => /choose a new/.test(subject));
    expect(asked?.text).toContain('/forgot-password');
    expect(asked?.text).not.toMatch(/\d{8}/);
    expect((await browser.signIn({ ...actor, password: NEW_PASSWORD }, 1)).body).toEqual({ signedIn: true });
  });

  it('is asked for also when strangers have used up the mails of the address', async () => {
    const actor = await newcomer();
    const strangers = Array.from({ length: MAILS_PER_ADDRESS + 1 }, visitor);
    for (const stranger of strangers) await stranger.post('/forgot-password', { email: actor.email });
    await server.composition.identity.settled();
    await requireNewPassword(actor.id);
    const subjects = (await mailsTo(server, actor.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => /choose a new/.test(subject))).toHaveLength(1);
    expect(subjects).toHaveLength(MAILS_PER_ADDRESS + 1);
  });

  it('ends a sign-in that waits for its second factor', async () => {
    const actor = await newcomer();
    const browser = createTestBrowser(server);
    await browser.post('/sign-in/email', { email: actor.email, password: actor.password });
    await requireNewPassword(actor.id);
    expect((await browser.post('/two-factor/verify-totp', { code: '123456' })).body).toMatchObject({
      code: 'INVALID_TWO_FACTOR_COOKIE',
    });
  });

  it('is not asked of somebody unknown', async () => {
    await expect(requireNewPassword('nobody')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });
});

it('opens no session with a password that was replaced while it was looked at', async () => {
  const actor = await newcomer();
  const code = await askForCode(actor);
  const browsers = Array.from({ length: 6 }, () => createTestBrowser(server));
  const [resetAnswer] = await Promise.all([reset(actor, code), ...browsers.map((browser) => browser.signIn(actor))]);
  expect(resetAnswer.body).toEqual({ reset: true });
  for (const browser of browsers) expect(await browser.bearer()).toBeUndefined();
});

it('opens no session with a second step that was under way while the password was replaced', async () => {
  const actor = await newcomer();
  const browser = createTestBrowser(server);
  await browser.post('/sign-in/email', { email: actor.email, password: actor.password });
  const replacing = new pg.Client({ connectionString: server.stores.url });
  await replacing.connect();
  try {
    // As a replacement does it: the row is held, and the session that is being opened waits for it.
    await replacing.query('begin');
    await replacing.query('select from identity."user" where "email" = $1 for update', [actor.email]);
    const step = browser.post('/two-factor/verify-totp', { code: codeOf(actor.totpSecret ?? '') });
    await expect.poll(() => waitingForLocks(replacing)).toBeGreaterThan(0);
    await replacing.query('update identity."user" set "passwordVersion" = "passwordVersion" + 1 where "email" = $1', [
      actor.email,
    ]);
    await replacing.query('commit');
    expect(await step).toMatchObject({ status: 401, body: { code: 'INVALID_EMAIL_OR_PASSWORD' } });
    expect(await browser.bearer()).toBeUndefined();
  } finally {
    await replacing.end();
  }
});

async function waitingForLocks(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ waiting: number }>(
    `select count(*)::int as waiting from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0]?.waiting ?? 0;
}
