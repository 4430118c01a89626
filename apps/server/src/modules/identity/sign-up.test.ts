import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestServer, type TestServer } from '../../http/test-server.ts';
import { type AfterAnswer, createAfterAnswer } from './after-answer.ts';
import { createAttemptGuard } from './attempt-guard.ts';
import type { AuthAnswer, AuthCall } from './auth-call.ts';
import { createBrowserSessions } from './browser-sessions.ts';
import { openIdentityPool } from './identity-pool.ts';
import { createMailCodes } from './mail-codes.ts';
import { createSignUp, type Purchases } from './sign-up.ts';
import { createSignUpCalls } from './sign-up-calls.ts';
import { createSignUpStore } from './sign-up-store.ts';
import { createSignedCookies } from './signed-cookies.ts';
import { codeIn, mailsTo } from './test-browser.ts';

const PURCHASE = 'a genuine purchase';
const PASSWORD = 'a harbour full of ships';
const secret = randomBytes(48).toString('base64url');

let server: TestServer;
let pool: Pool;
let afterAnswer: AfterAnswer;
let calls: ReturnType<typeof createSignUpCalls>;
let hashed: string[];
let clock = Date.now();
let people = 0;

const now = () => new Date(clock);

/** The calls over real stores; only who sells plans is made up. */
beforeAll(async () => {
  server = await createTestServer();
  pool = openIdentityPool({ url: server.stores.url, log: { warn: () => undefined } });
  afterAnswer = createAfterAnswer({
    log: {
      error: (fields) => {
        throw new Error(JSON.stringify(fields));
      },
    },
  });
  calls = callsFor({ isGenuine: async (token) => token === PURCHASE });
});
afterAll(async () => {
  await afterAnswer?.settled();
  await pool?.end();
  await server?.close();
});
beforeEach(() => {
  hashed = [];
});

function callsFor(purchases: Purchases | undefined) {
  const common = { pool, now, ids: v7, randomBytes, secret };
  const cookies = createSignedCookies({ secret, secure: false });
  const signUp = createSignUp({
    ...common,
    db: server.stores.database,
    users: server.composition.identity.users,
    tenants: server.composition.tenants,
    policy: { onlyConnections: async () => undefined },
    hashPassword: async (password) => {
      hashed.push(password);
      return `hash of ${password}`;
    },
    store: createSignUpStore(common),
    codes: createMailCodes({ ...common, guard: createAttemptGuard(common) }),
    mail: server.composition.mail,
    afterAnswer,
    tickets: {
      find: (ticket) => server.composition.invitations.find(ticket),
      lock: () => Promise.reject(new Error('No ticket is used here.')),
    },
    purchases,
    productName: 'AIRdeck',
  });
  return createSignUpCalls({
    ...{ signUp, cookies, randomBytes, browser: createBrowserSessions({ ...common, cookies, sessionIdleS: 1_800 }) },
    record: () => Promise.resolve(),
  });
}

const newAddress = () => `buyer${++people}@example.com`;

function callOf<Body>(body: Body, cookie?: string): AuthCall<Body> {
  const clientAddress = `192.0.2.${people % 250}`;
  return {
    id: '',
    body,
    cookie,
    userAgent: 'Test',
    languages: undefined,
    clientAddress,
    origin: 'http://localhost',
    requestId: v7(),
  };
}

/** Begins a sign-up and waits until what follows the answer is done; the cookie binds it to a browser. */
async function begin(email: string, change: { password?: string; purchase_token?: string } = {}, kept?: string) {
  const body = { email, fullname: 'Ana Souza', password: PASSWORD, purchase_token: PURCHASE, ...change };
  const answer = await calls['POST /sign-up/email'](callOf(body, kept));
  await afterAnswer.settled();
  return { answer, cookie: answer.setCookies.map((line) => line.split(';', 1)[0]).join('; ') };
}

const verify = (email: string, code: string, cookie?: string): Promise<AuthAnswer> =>
  calls['POST /sign-up/verify'](callOf({ email, code }, cookie));

const codeFor = async (email: string) => codeIn((await mailsTo(server, email))[0]);

describe('signing up by e-mail', () => {
  it('makes a sign-in once the mailed code is typed, in the browser that began', async () => {
    const email = newAddress();
    const { answer, cookie } = await begin(email.toUpperCase());
    expect(answer.body).toEqual({ sent: true });
    expect(await server.composition.identity.users.findExternalId(email)).toBeUndefined();
    const code = await codeFor(email);
    expect(code).toMatch(/^\d{8}$/);
    const done = await verify(email, code, cookie);
    expect(done.body).toEqual({ signedIn: true });
    expect(done.setCookies.join()).toContain('air_session=');
    expect(await server.composition.identity.users.findExternalId(email)).toBeDefined();
    expect((await verify(email, code, cookie)).body).toMatchObject({ code: 'INVALID_CODE' });
  });

  it('cannot be finished in another browser, nor with the password somebody else began it with', async () => {
    const email = newAddress();
    const mine = await begin(email);
    const code = await codeFor(email);
    const theirs = await begin(email, { password: 'a password of the thief' });
    for (const cookie of [undefined, theirs.cookie, 'air_sign_up=forged.signature']) {
      expect(await verify(email, code, cookie)).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } });
    }
    expect((await verify(email, code, mine.cookie)).body).toEqual({ signedIn: true });
    const { rows } = await pool.query<{ password: string }>(
      'select a."password" from identity."account" a join identity."user" u on u."id" = a."userId" where u."email" = $1',
      [email],
    );
    expect(rows).toEqual([{ password: `hash of ${PASSWORD}` }]);
  });

  it('answers and works alike for an address that has an account, whose owner is told by mail', async () => {
    const home = await server.createTenant();
    const known = await server.createActor({ home });
    const unknown = newAddress();
    const first = await begin(unknown);
    const second = await begin(known.email);
    expect(hashed).toEqual([PASSWORD, PASSWORD]);
    expect({ status: first.answer.status, body: first.answer.body }).toEqual({
      status: second.answer.status,
      body: second.answer.body,
    });
    const shape = (lines: string[]) => lines.map((line) => line.replace(/=[^;]*/, ''));
    expect(shape(first.answer.setCookies)).toEqual(shape(second.answer.setCookies));
    const [mail] = await mailsTo(server, known.email);
    expect(mail?.text).toContain('There is an account with it already');
    expect(mail?.text).not.toMatch(/\d{8}/);
  });

  it('is for buyers only, and for nobody where nothing is sold', async () => {
    await expect(begin(newAddress(), { purchase_token: 'made up' })).rejects.toMatchObject({
      code: 'MARKETPLACE_TOKEN_INVALID',
    });
    const email = newAddress();
    const answer = await server.inject({
      method: 'POST',
      url: '/auth/sign-up/email',
      headers: { origin: 'http://localhost:80' },
      payload: { email, fullname: 'Ana', password: PASSWORD, purchase_token: PURCHASE },
    });
    expect(answer.json()).toMatchObject({ code: 'MARKETPLACE_TOKEN_INVALID' });
    expect(await mailsTo(server, email)).toEqual([]);
  });

  it('refuses a leaked password and says why, before anything is mailed', async () => {
    const email = newAddress();
    const { answer } = await begin(email, { password: 'JonasBrothers' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'PASSWORD_WEAK', why: 'common' } });
    expect(await mailsTo(server, email)).toEqual([]);
  });

  it('judges five wrong codes of twenty at once, and lets no code live longer than ten minutes', async () => {
    const email = newAddress();
    const { cookie } = await begin(email);
    const code = await codeFor(email);
    const wrong = code === '00000000' ? '00000001' : '00000000';
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(email, wrong, cookie)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect((await verify(email, code, cookie)).body).toMatchObject({ code: 'ACCOUNT_TEMPORARILY_LOCKED' });
    const later = newAddress();
    const started = await begin(later);
    clock += 10 * 60_000;
    expect((await verify(later, await codeFor(later), started.cookie)).body).toMatchObject({ code: 'INVALID_CODE' });
  });

  it('makes one sign-in when the right code arrives twenty times at once', async () => {
    const email = newAddress();
    const { cookie } = await begin(email);
    const code = await codeFor(email);
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(email, code, cookie)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('mails at most three times in a quarter of an hour to one address', async () => {
    const email = newAddress();
    for (let n = 0; n < 5; n++) expect((await begin(email)).answer.body).toEqual({ sent: true });
    expect(await mailsTo(server, email)).toHaveLength(3);
  });

  it('takes the code of the last mail from the browser that asked once more, with what was typed then', async () => {
    const email = newAddress();
    let { cookie } = await begin(email);
    for (let n = 0; n < 3; n++) ({ cookie } = await begin(email, { password: `${PASSWORD} ${n}` }, cookie));
    expect(await mailsTo(server, email)).toHaveLength(3);
    expect(await verify(email, await codeFor(email), cookie)).toMatchObject({ status: 200 });
    const { rows } = await pool.query<{ password: string }>(
      'select a.password from identity.account a join identity."user" u on u.id = a."userId" where u.email = $1',
      [email],
    );
    expect(rows).toEqual([{ password: `hash of ${PASSWORD} 2` }]);
  });
});
