import { serverLimits } from '@airdeck/contracts/server-limits';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import { calledWithin } from '../../storage/test-waiting.ts';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from './passkey-fixture.ts';
import { type Browser, createBrowser } from './test-browser.ts';

type Creation = { challenge: string; rp: { id: string }; user: { id: string }; authenticatorSelection: object };
type Request = { challenge: string; rpId: string; userVerification: string; allowCredentials?: unknown };

let server: TestServer;
let home: string;
let offsetMs = 0;

beforeAll(async () => {
  server = await createTestServer({ now: () => new Date(Date.now() + offsetMs) });
  home = await server.createTenant();
});
afterAll(() => server?.close());

async function signedIn(): Promise<{ actor: Actor; browser: Browser }> {
  offsetMs = 0;
  const actor = await server.createActor({ home, roles: { [home]: 'Analyst' } });
  const browser = createBrowser(server);
  await browser.signIn(actor);
  return { actor, browser };
}

const creationOptions = async (browser: Browser) =>
  (await browser.post('/auth/passkey/register/options')).json<{ options: Creation }>().options;
const requestOptions = async (browser: Browser) =>
  (await browser.post('/auth/passkey/sign-in/options')).json<{ options: Request }>().options;

async function register(browser: Browser, authenticator = createSoftwareAuthenticator(), name = 'Laptop') {
  const response = authenticator.create(await creationOptions(browser));
  const answer = await browser.post('/auth/passkey/register', { response, name });
  return { authenticator, answer, id: answer.json<{ passkey?: { id: string } }>().passkey?.id ?? '' };
}

async function withPasskey() {
  const { actor, browser } = await signedIn();
  return { actor, browser, ...(await register(browser)) };
}

async function signIn(authenticator: SoftwareAuthenticator, how: Parameters<SoftwareAuthenticator['get']>[1] = {}) {
  const browser = createBrowser(server);
  const response = authenticator.get(await requestOptions(browser), how);
  return { browser, response, answer: await browser.post('/auth/passkey/sign-in', { response }) };
}

const refused = { code: 'PASSKEY_REFUSED' };

async function auditOf(actor: Actor, action: string, outcome: 'ok' | 'refused') {
  return await server.stores.database.system((tx) =>
    tx
      .selectFrom('audit_record')
      .select('data')
      .where('actor_id', '=', actor.id)
      .where('action', '=', action)
      .where('outcome', '=', outcome)
      .execute(),
  );
}

describe('registering a passkey', () => {
  it('asks for one that is found by itself and verifies the person, for this host only', async () => {
    const { browser, actor } = await signedIn();
    const options = await creationOptions(browser);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'AIRdeck' },
      user: { name: actor.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options.user.id, 'base64url').toString()).not.toContain('@');
  });

  it('shows what was added, and records it', async () => {
    const { answer, actor, id } = await withPasskey();
    expect(answer.json()).toEqual({
      passkey: { id, name: 'Laptop', created_at: expect.any(String), last_used_at: null },
    });
    expect(await auditOf(actor, 'passkey.add', 'ok')).toMatchObject([{ data: { passkey: id, name: 'Laptop' } }]);
  });

  it('needs a session that was proved a moment ago', async () => {
    expect((await createBrowser(server).post('/auth/passkey/register/options')).statusCode).toBe(401);
    const { browser } = await signedIn();
    offsetMs = 11 * 60_000;
    for (const path of ['register/options', 'register', 'remove']) {
      const response = createSoftwareAuthenticator().create({
        challenge: 'x',
        rp: { id: 'localhost' },
        user: { id: 'x' },
      });
      const body = path === 'remove' ? { id: 'x' } : path === 'register' ? { response, name: 'Late' } : {};
      const answer = await browser.post(`/auth/passkey/${path}`, body);
      expect(answer.json(), path).toMatchObject({ code: 'REAUTHENTICATION_REQUIRED' });
    }
  });

  it.each<[string, Parameters<SoftwareAuthenticator['create']>[1]]>([
    ['made on another site', { origin: 'http://evil.example' }],
    ['made for another host', { rpId: 'evil.example' }],
    ['that did not verify the person', { userVerified: false }],
  ])('refuses one %s', async (_name, how) => {
    const { browser } = await signedIn();
    const response = createSoftwareAuthenticator().create(await creationOptions(browser), how);
    const answer = await browser.post('/auth/passkey/register', { response, name: 'Laptop' });
    expect(answer.json()).toMatchObject(refused);
  });

  it('takes an answer once, from the account that was asked, within five minutes', async () => {
    const { browser } = await signedIn();
    const cookies = browser.cookie();
    const authenticator = createSoftwareAuthenticator();
    const response = authenticator.create(await creationOptions(browser));
    const asked = browser.cookie();
    expect((await browser.post('/auth/passkey/register', { response, name: 'One' })).statusCode).toBe(200);
    browser.setCookie(asked);
    expect((await browser.post('/auth/passkey/register', { response, name: 'Two' })).json()).toMatchObject(refused);

    const other = await signedIn();
    const options = await creationOptions(browser);
    const challenge = browser
      .cookie()
      .split('; ')
      .filter((pair) => pair.startsWith('air_passkey='));
    other.browser.setCookie([other.browser.cookie(), ...challenge].join('; '));
    const foreign = createSoftwareAuthenticator().create(options);
    const answer = await other.browser.post('/auth/passkey/register', { response: foreign, name: 'Mine' });
    expect(answer.json()).toMatchObject(refused);

    browser.setCookie(cookies);
    const late = createSoftwareAuthenticator().create(await creationOptions(browser));
    offsetMs = 301_000;
    expect((await browser.post('/auth/passkey/register', { response: late, name: 'Late' })).json()).toMatchObject(
      refused,
    );
  });

  it('refuses a credential that belongs to somebody already', async () => {
    const { authenticator } = await withPasskey();
    const { browser } = await signedIn();
    const { answer } = await register(browser, authenticator);
    expect(answer.json()).toMatchObject({ code: 'CONFLICT' });
  });

  it.each([[''], ['   '], ['x'.repeat(61)], ['a\u0007b'], [7]])('refuses %j as a name', async (name) => {
    const { browser } = await signedIn();
    const response = createSoftwareAuthenticator().create(await creationOptions(browser));
    expect((await browser.post('/auth/passkey/register', { response, name })).statusCode).toBe(400);
  });

  it(`stops at ${serverLimits.passkeysMax} for an account, also under parallel tries`, async () => {
    const { browser } = await signedIn();
    const session = browser.cookie();
    // All ask before anybody is done: who asks later is refused then.
    const asked = await Promise.all(
      Array.from({ length: serverLimits.passkeysMax + 5 }, async () => {
        const own = createBrowser(server);
        own.setCookie(session);
        return { own, response: createSoftwareAuthenticator().create(await creationOptions(own)) };
      }),
    );
    const statuses = await Promise.all(
      asked.map(async ({ own, response }) => {
        return (await own.post('/auth/passkey/register', { response, name: 'Laptop' })).statusCode;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(serverLimits.passkeysMax);
    expect((await browser.post('/auth/passkey/register/options')).json()).toMatchObject({ code: 'CONFLICT' });
  });
});

describe('signing in with a passkey', () => {
  it('opens a strong session with no address or password typed', async () => {
    const { authenticator, actor } = await withPasskey();
    const options = await requestOptions(createBrowser(server));
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const { browser, answer } = await signIn(authenticator);
    expect(answer.json()).toEqual({ signedIn: true });
    const token = (await browser.token()) ?? '';
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ external_id: actor.id, mfa: true, social: false });
    const me = await server.inject({ url: `/api/tenants/${home}`, headers: { authorization: `Bearer ${token}` } });
    expect(me.statusCode).toBe(200);
    expect(await auditOf(actor, 'session.sign_in', 'ok')).toContainEqual({ data: { method: 'passkey' } });
  });

  it('is enough for an account without an authenticator app', async () => {
    const actor = await server.createActor({ home, roles: { [home]: 'Analyst' }, mfa: false });
    const browser = createBrowser(server);
    await browser.post('/auth/sign-in/email', { email: actor.email, password: actor.password });
    const { authenticator } = await register(browser);
    const strong = await signIn(authenticator);
    const headers = { authorization: `Bearer ${await strong.browser.token()}` };
    expect((await server.inject({ url: `/api/tenants/${home}`, headers })).statusCode).toBe(200);
  });

  it('takes an assertion once, also under twenty parallel tries', async () => {
    const { authenticator } = await withPasskey();
    const browser = createBrowser(server);
    const response = authenticator.get(await requestOptions(browser));
    const cookie = browser.cookie();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => {
        const copy = createBrowser(server);
        copy.setCookie(cookie);
        return copy.post('/auth/passkey/sign-in', { response });
      }),
    );
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
    expect(answers.filter((answer) => answer.statusCode === 401)).toHaveLength(19);
  });

  it('does not take an assertion for the challenge of another browser', async () => {
    const { authenticator } = await withPasskey();
    const [victim, thief] = [createBrowser(server), createBrowser(server)];
    const response = authenticator.get(await requestOptions(victim));
    await requestOptions(thief);
    expect((await thief.post('/auth/passkey/sign-in', { response })).json()).toMatchObject(refused);
    const without = createBrowser(server);
    expect((await without.post('/auth/passkey/sign-in', { response })).json()).toMatchObject(refused);
  });

  it.each<[string, Parameters<SoftwareAuthenticator['get']>[1]]>([
    ['made on another site', { origin: 'http://evil.example' }],
    ['made for another host', { rpId: 'evil.example' }],
    ['that did not verify the person', { userVerified: false }],
    ['that names nobody we know', { userHandle: Buffer.from('somebody').toString('base64url') }],
    ['of an unknown credential', { credentialId: Buffer.alloc(32, 7).toString('base64url') }],
  ])('refuses one %s', async (_name, how) => {
    const { authenticator } = await withPasskey();
    const { answer, browser } = await signIn(authenticator, how);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject(refused);
    expect(await browser.token()).toBeNull();
  });

  it("refuses a signature with one's own key under another user's credential", async () => {
    const victim = await withPasskey();
    const attacker = await withPasskey();
    const handle = victim.authenticator.get({ challenge: 'x' }).response.userHandle;
    const how = { credentialId: victim.authenticator.credentialId, userHandle: handle };
    expect((await signIn(attacker.authenticator, how)).answer.json()).toMatchObject(refused);
    expect(await auditOf(victim.actor, 'session.sign_in', 'refused')).toMatchObject([
      { data: { reason: 'PASSKEY_REFUSED' } },
    ]);
  });

  it('refuses a copy whose counter stands still or runs behind, and records it', async () => {
    const { authenticator, actor } = await withPasskey();
    authenticator.counter = 40;
    expect((await signIn(authenticator)).answer.statusCode).toBe(200);
    for (const counter of [40, 10]) {
      authenticator.counter = counter;
      expect((await signIn(authenticator)).answer.json()).toMatchObject(refused);
    }
    const records = await auditOf(actor, 'session.sign_in', 'refused');
    expect(records.map(({ data }) => data)).toMatchObject([
      { reason: 'COUNTER_REGRESSED' },
      { reason: 'COUNTER_REGRESSED' },
    ]);
    authenticator.counter = 41;
    expect((await signIn(authenticator)).answer.statusCode).toBe(200);
  });

  it.each([{}, { response: {} }, { response: null }, { response: { id: 'x'.repeat(2000) } }, { response: [] }])(
    'refuses %j before anything is looked up',
    async (body) => {
      expect((await createBrowser(server).post('/auth/passkey/sign-in', body)).statusCode).toBe(400);
    },
  );

  it('opens nothing for a disabled account', async () => {
    const { authenticator, actor } = await withPasskey();
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) => server.composition.tenants.setUserStatus(tx, actor.id, 'disabled', by));
    const { answer, browser } = await signIn(authenticator);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'USER_DISABLED' });
    expect(await browser.token()).toBeNull();
    expect(await auditOf(actor, 'session.sign_in', 'refused')).toMatchObject([{ data: { reason: 'USER_DISABLED' } }]);
  });

  it('ends with the passkey', async () => {
    const { authenticator, browser, id, actor } = await withPasskey();
    const stranger = await signedIn();
    expect((await stranger.browser.post('/auth/passkey/remove', { id })).statusCode).toBe(404);
    expect((await browser.post('/auth/passkey/remove', { id })).json()).toEqual({ removed: true });
    expect((await browser.post('/auth/passkey/remove', { id })).statusCode).toBe(404);
    expect((await signIn(authenticator)).answer.json()).toMatchObject(refused);
    expect(await auditOf(actor, 'passkey.remove', 'ok')).toMatchObject([{ data: { passkey: id, sessions_ended: 0 } }]);
  });

  it('ends with one of the passkeys everywhere else, in sessions that began with any of them', async () => {
    const { authenticator: first, actor, browser, id } = await withPasskey();
    const { authenticator: second } = await register(browser, createSoftwareAuthenticator(), 'Phone');
    const [here, there, elsewhere] = [await signIn(first), await signIn(first), await signIn(second)];
    const somebody = await withPasskey();
    const theirs = await signIn(somebody.authenticator);
    const authorization = `Bearer ${await there.browser.token()}`;
    expect((await here.browser.post('/auth/passkey/remove', { id })).json()).toEqual({ removed: true });
    expect(await there.browser.token()).toBeNull();
    expect(await elsewhere.browser.token()).toBeNull();
    for (const kept of [here.browser, browser, theirs.browser]) expect(await kept.token()).not.toBeNull();
    await expect
      .poll(async () => (await server.inject({ url: '/me', headers: { authorization } })).statusCode)
      .toBe(401);
    expect(await auditOf(actor, 'passkey.remove', 'ok')).toMatchObject([{ data: { passkey: id, sessions_ended: 2 } }]);
  });

  it('opens nothing for a passkey that is removed while it signs in', async () => {
    const { authenticator, actor, id } = await withPasskey();
    const { answer } = await server.stores.database.system(async (tx) => {
      const sql = sqlClient(tx);
      await sql.query('select from identity."user" where "externalId" = $1 for update', [actor.id]);
      const signingIn = await calledWithin(tx, () => signIn(authenticator));
      await sql.query('delete from identity.passkey where id = $1', [id]);
      return signingIn;
    });
    const { answer: refusal, browser } = await answer;
    expect(refusal.json()).toMatchObject(refused);
    expect(await browser.token()).toBeNull();
    expect(await auditOf(actor, 'session.sign_in', 'refused')).toMatchObject([{ data: { reason: 'PASSKEY_UNKNOWN' } }]);
  });
});

describe('what cannot be recorded', () => {
  /** Nothing is written to the audit log meanwhile; what else is under way stays as it was. */
  async function unrecorded<T>(work: () => Promise<T>): Promise<T> {
    const owner = new pg.Client({ connectionString: server.stores.url });
    await owner.connect();
    try {
      await owner.query(`create or replace function refuse_all() returns trigger language plpgsql as $$
        begin raise exception 'disk full' using errcode = '53100'; end $$`);
      await owner.query(
        'create trigger refuse_all before insert on audit_record for each row execute function refuse_all()',
      );
      return await work();
    } finally {
      await owner.query('drop trigger if exists refuse_all on audit_record');
      await owner.end();
    }
  }

  it('does not happen: a passkey that could not be recorded is neither removed nor added, and no session ends', async () => {
    const { authenticator, browser, id, actor } = await withPasskey();
    const there = await signIn(authenticator);
    const removal = await unrecorded(() => browser.post('/auth/passkey/remove', { id }));
    expect(removal.statusCode).toBeGreaterThanOrEqual(500);
    expect(await there.browser.token()).not.toBeNull();
    expect((await signIn(authenticator)).answer.statusCode).toBe(200);
    expect(await auditOf(actor, 'passkey.remove', 'ok')).toEqual([]);

    const second = createSoftwareAuthenticator();
    const response = second.create(await creationOptions(browser));
    const addition = await unrecorded(() => browser.post('/auth/passkey/register', { response, name: 'Phone' }));
    expect(addition.statusCode).toBeGreaterThanOrEqual(500);
    expect((await signIn(second)).answer.json()).toMatchObject(refused);
  });

  it('is not there for the blink of an eye either', async () => {
    const { browser } = await signedIn();
    const authenticator = createSoftwareAuthenticator();
    const response = authenticator.create(await creationOptions(browser));
    const seen = await server.stores.database.system(async (tx) => {
      const sql = sqlClient(tx);
      // Whoever records waits for the chain, with the passkey written or not.
      await sql.query('select from audit_chain where tenant_id = $1 for update', [home]);
      const adding = await calledWithin(tx, () => browser.post('/auth/passkey/register', { response, name: 'Phone' }));
      const { rows } = await sql.query<{ id: string }>('select id from identity.passkey where credential_id = $1', [
        authenticator.credentialId,
      ]);
      return { adding, rows };
    });
    expect(seen.rows).toEqual([]);
    expect((await seen.adding.answer).statusCode).toBe(200);
  });
});
