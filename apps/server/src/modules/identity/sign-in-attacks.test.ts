import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { GUESSES_MAX } from './attempt-guard.ts';
import { presentCost } from './password-hash.ts';
import { passwordSubject } from './password-store.ts';
import { codeOf, createTestBrowser, wrongCodeOf } from './test-browser.ts';

let server: TestServer;
let home: string;
let owner: pg.Client;
/** Stands still where a code must stay as far away as it was. */
let clock: Date | undefined;

beforeAll(async () => {
  server = await createTestServer({ now: () => clock ?? new Date(), passwordCost: presentCost });
  home = await server.createTenant();
  owner = new pg.Client({ connectionString: server.stores.url });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await server?.close();
});

const newcomer = () => server.createActor({ home, roles: { [home]: 'Analyst' } });

async function atSecondStep(actor: Actor) {
  const browser = createTestBrowser(server);
  const { body } = await browser.post('/sign-in/email', { email: actor.email, password: actor.password });
  expect(body).toMatchObject({ twoFactorRedirect: true });
  return browser;
}

async function tryCode(actor: Actor, code: string) {
  return await (await atSecondStep(actor)).post('/two-factor/verify-totp', { code });
}

describe('an authenticator code is refused', () => {
  it.each([
    ['of two steps ago', (secret: string) => codeOf(secret, -2)],
    ['of two steps ahead', (secret: string) => codeOf(secret, 2)],
    ['with five digits', (secret: string) => codeOf(secret).slice(0, 5)],
    ['with seven digits', (secret: string) => `${codeOf(secret)}0`],
    ['with eight digits', (secret: string) => `00${codeOf(secret)}`],
    ['with blanks around it', (secret: string) => ` ${codeOf(secret)} `],
    ['with a blank inside', (secret: string) => codeOf(secret).replace(/^.../, '$& ')],
    [
      'in full-width digits',
      (secret: string) => codeOf(secret).replace(/\d/g, (d) => String.fromCharCode(0xff10 + Number(d))),
    ],
    [
      'in Arabic digits',
      (secret: string) => codeOf(secret).replace(/\d/g, (d) => String.fromCharCode(0x660 + Number(d))),
    ],
    ['as a number in another notation', () => '1e5'],
  ])('%s', async (_what, written) => {
    const actor = await newcomer();
    const browser = await atSecondStep(actor);
    clock = new Date();
    const code = written(actor.totpSecret ?? '');
    const answer = await browser.post('/two-factor/verify-totp', { code });
    clock = undefined;
    expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_CODE' } });
  });

  it('the second time, and when it is older than the last one used', async () => {
    const actor = await newcomer();
    const secret = actor.totpSecret ?? '';
    const code = codeOf(secret);
    const older = codeOf(secret, -1);
    expect((await tryCode(actor, code)).status).toBe(200);
    expect((await tryCode(actor, code)).status).toBe(401);
    expect((await tryCode(actor, older)).status).toBe(401);
    expect((await tryCode(actor, codeOf(secret, 1))).status).toBe(200);
  });

  it('when it is another user’s', async () => {
    const [actor, other] = [await newcomer(), await newcomer()];
    expect((await tryCode(actor, codeOf(other.totpSecret ?? ''))).status).toBe(401);
  });
});

describe('a hundred parallel wrong guesses', () => {
  it('at a password are judged five times, and nobody else has to wait for a place', async () => {
    const [actor, other] = [await newcomer(), await newcomer()];
    const browsers = Array.from({ length: 100 }, () => createTestBrowser(server));
    const [others, ...answers] = await Promise.all([
      createTestBrowser(server).signIn(other),
      ...browsers.map((browser, n) =>
        browser.post('/sign-in/email', { email: actor.email, password: `wrong password ${n}` }),
      ),
    ]);
    const codes = answers.map(({ body }) => body.code);
    expect(codes.filter((code) => code === 'INVALID_EMAIL_OR_PASSWORD')).toHaveLength(GUESSES_MAX);
    expect(codes.filter((code) => code === 'ACCOUNT_TEMPORARILY_LOCKED')).toHaveLength(100 - GUESSES_MAX);
    expect(others.body).toEqual({ signedIn: true });
    expect(await createTestBrowser(server).signIn(actor)).toMatchObject({ status: 429 });
  });

  it('at an authenticator are judged five times, over any number of sign-ins', async () => {
    const [actor, other] = [await newcomer(), await newcomer()];
    const browsers = await Promise.all(Array.from({ length: 5 }, () => atSecondStep(actor)));
    const wrong = wrongCodeOf(actor.totpSecret ?? '');
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => browsers[n % 5]?.post('/two-factor/verify-totp', { code: wrong })),
    );
    const codes = answers.map((answer) => answer?.body.code);
    expect(codes.filter((code) => code === 'INVALID_CODE')).toHaveLength(GUESSES_MAX);
    expect(codes.filter((code) => code === 'ACCOUNT_TEMPORARILY_LOCKED')).toHaveLength(100 - GUESSES_MAX);
    expect((await tryCode(actor, codeOf(actor.totpSecret ?? ''))).status).toBe(429);
    expect((await tryCode(other, codeOf(other.totpSecret ?? ''))).status).toBe(200);
  });

  it('do not count what was never judged: a guess that found no place is given back', {
    timeout: 120_000,
  }, async () => {
    // Together more than the line for hashing holds.
    const strangers = Array.from({ length: 12 }, (_, n) => `stranger${n}@example.com`);
    const answers = await Promise.all(
      strangers.flatMap((email) =>
        Array.from({ length: GUESSES_MAX }, () =>
          createTestBrowser(server).post('/sign-in/email', { email, password: 'wrong wrong wrong' }),
        ),
      ),
    );
    const judged = answers.filter(({ body }) => body.code === 'INVALID_EMAIL_OR_PASSWORD').length;
    expect(answers.some(({ body }) => body.code === 'OVERLOADED')).toBe(true);
    const { rows } = await owner.query<{ failures: number }>(
      'select coalesce(sum(failures), 0)::int as failures from identity.attempt_guard where subject = any($1)',
      [strangers.map(passwordSubject)],
    );
    expect(rows[0]?.failures).toBe(judged);
  });
});
