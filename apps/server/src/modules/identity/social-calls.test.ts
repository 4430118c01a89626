import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import { CLIENT, createIssuerFixture, type IssuerFixture, type Person } from '../sso/issuer-fixture.ts';
import { createSocialFixture } from './social-fixture.ts';

const REDIRECT_URI = 'http://localhost:4000/auth/external/callback';

let issuers: IssuerFixture;
let server: TestServer;
let social: ReturnType<typeof createSocialFixture>;
let home: string;
let created = 0;
const lines: string[] = [];
/** Somebody who may sign in through the issuer. */
let known: { actor: Actor; person: Person };

beforeAll(async () => {
  issuers = await createIssuerFixture(['one', 'two'], REDIRECT_URI);
  server = await createTestServer({
    sandbox: { host: issuers.host, port: issuers.port },
    log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    env: {
      SSO_ISSUER: issuers.issuer('one'),
      SSO_CLIENT_ID: CLIENT.id,
      SSO_CLIENT_SECRET: CLIENT.secret,
      SSO_LABEL: 'Harbour ID',
    },
  });
  social = createSocialFixture(server, issuers);
  home = await server.createTenant({ name: 'Home' });
  known = await linked();
});
afterAll(async () => {
  await server?.close();
  await issuers?.stop();
});

function stranger(given: Partial<Person> = {}): Person {
  const subject = `subject-${++created}`;
  return { subject, email: `${subject}@harbour.example`, email_verified: true, name: `Stranger ${created}`, ...given };
}

function newcomer(): Promise<Actor> {
  return server.createActor({ home, roles: { [home]: 'Analyst' } });
}

async function linked(): Promise<{ actor: Actor; person: Person }> {
  const actor = await newcomer();
  const browser = social.browser();
  await browser.signIn(actor);
  const person = stranger();
  const done = await social.signIn({ connection: 'sso', person, purpose: { for: 'link' } }, browser);
  expect(done.step).toBe('signed_in');
  return { actor, person };
}

function sql(text: string, values: readonly unknown[] = []) {
  return server.stores.database.system((tx) => sqlClient(tx).query(text, values));
}

/** As if the account had been made through the other provider. */
async function withoutPassword({ id }: Actor): Promise<void> {
  await sql(
    `delete from identity."account" where "providerId" = 'credential'
       and "userId" = (select "id" from identity."user" where "externalId" = $1)`,
    [id],
  );
}

async function auditOf(tenant: string, action: string) {
  return await server.stores.database.system((tx) =>
    tx
      .selectFrom('audit_record')
      .select(['outcome', 'code', 'data', 'target_id', 'actor_name'])
      .where('tenant_id', '=', tenant)
      .where('action', '=', action)
      .orderBy('sequence')
      .execute(),
  );
}

describe('signing in through another provider', () => {
  it('offers the connections of the installation', async () => {
    const answer = await social.browser().get('/auth/connections');
    expect(answer.json()).toEqual({ connections: [{ id: 'sso', kind: 'oidc', label: 'Harbour ID' }] });
  });

  it('opens the account that was linked before, once, and says how it began', async () => {
    const { actor, person } = await linked();
    const { browser, step, purpose } = await social.signIn({
      connection: 'sso',
      person,
      purpose: { for: 'sign_in', redirect: '/air/case-management?a=1' },
    });
    expect({ step, purpose }).toEqual({
      step: 'signed_in',
      purpose: { for: 'sign_in', redirect: '/air/case-management?a=1' },
    });
    expect((await social.me(browser)).user.id).toBe(actor.id);
    expect(await social.result(browser)).toMatchObject({ step: 'failed', reason: 'NOTHING_PENDING' });
    const records = await auditOf(home, 'session.sign_in');
    expect(records.at(-1)).toMatchObject({ outcome: 'ok', target_id: actor.id, data: { connection: 'sso' } });
  });

  it('knows nobody by the e-mail address, however verified', async () => {
    const actor = await newcomer();
    const done = await social.signIn({ connection: 'sso', person: stranger({ email: actor.email }) });
    expect(done.step).toBe('no_account');
    expect(await done.browser.token()).toBeNull();
  });

  it('tells a refusal at the issuer from a failure', async () => {
    expect(await social.signIn({ connection: 'sso', person: null })).toMatchObject({
      step: 'failed',
      reason: 'ACCESS_DENIED',
    });
  });

  it('lets no disabled user in', async () => {
    const { actor, person } = await linked();
    const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
    await server.stores.database.system((tx) => server.composition.tenants.setUserStatus(tx, actor.id, 'disabled', by));
    const done = await social.signIn({ connection: 'sso', person });
    expect(done).toMatchObject({ step: 'failed', reason: 'USER_DISABLED' });
    expect(await done.browser.token()).toBeNull();
    expect((await auditOf(home, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'refused',
      code: 'USER_DISABLED',
    });
  });

  it('knows no connection that is not there', async () => {
    for (const connection of ['google', '0192f0c1-7e57-7000-8000-00000000abcd', '../sso']) {
      const answer = await social.browser().post('/auth/external/start', { connection, purpose: { for: 'sign_in' } });
      expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    }
  });
});

describe('what comes back from the issuer', () => {
  it('counts once, also under twenty parallel deliveries', async () => {
    const { person } = await linked();
    const browser = social.browser();
    const back = await issuers.authorize(await social.start(browser, 'sso'), person);
    const cookie = browser.cookie();
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const copy = social.browser();
        copy.setCookie(cookie);
        await social.callback(copy, back);
        return copy;
      }),
    );
    const results = await Promise.all(answers.map((copy) => social.result(copy)));
    expect(results.filter(({ step }) => step === 'signed_in')).toHaveLength(1);
    expect(await social.result(browser)).toMatchObject({ step: 'failed' });
  });

  it('is worth nothing in another browser, so that nobody is signed in as somebody else unawares', async () => {
    const { person } = known;
    const attacker = social.browser();
    const back = await issuers.authorize(await social.start(attacker, 'sso'), person);
    const victim = social.browser();
    const answer = await social.callback(victim, back);
    expect(answer.statusCode).toBe(303);
    expect(await social.result(victim)).toMatchObject({ step: 'failed' });
    // Nor with a sign-in of its own under way.
    await social.start(victim, 'sso');
    await social.callback(victim, back);
    expect(await social.result(victim)).toMatchObject({ step: 'failed' });
    expect(await victim.token()).toBeNull();
  });

  it.each<[string, (url: URL) => void, string]>([
    ['another state', (url) => url.searchParams.set('state', 'x'.repeat(43)), 'NOTHING_PENDING'],
    ['no state', (url) => url.searchParams.delete('state'), 'NOTHING_PENDING'],
    ['another code', (url) => url.searchParams.set('code', 'x'.repeat(43)), 'ISSUER_REFUSED'],
    ['another issuer (mix-up)', (url) => url.searchParams.set('iss', 'https://evil.example'), 'ANSWER_INVALID'],
    ['no issuer where it is announced', (url) => url.searchParams.delete('iss'), 'ANSWER_INVALID'],
  ])('with %s is refused', async (_name, change, reason) => {
    const { person } = known;
    const browser = social.browser();
    const back = await issuers.authorize(await social.start(browser, 'sso'), person);
    const answer = await social.callback(browser, back, change);
    expect(answer.headers.location).toBe('/validate?oauth_callback=true');
    expect(await social.result(browser)).toMatchObject({ step: 'failed', reason });
    expect(await browser.token()).toBeNull();
  });

  it.each<[string, string, string]>([
    ['nonce', 'nonce', 'ANSWER_INVALID'],
    ['code challenge', 'code_challenge', 'ISSUER_REFUSED'],
  ])('for another %s than ours is refused', async (_name, parameter, reason) => {
    const { person } = known;
    const browser = social.browser();
    const url = new URL(await social.start(browser, 'sso'));
    url.searchParams.set(parameter, 'x'.repeat(43));
    await social.callback(browser, await issuers.authorize(url.href, person));
    expect(await social.result(browser)).toMatchObject({ step: 'failed', reason });
  });

  it('is not taken after ten minutes', async () => {
    const { person } = known;
    const browser = social.browser();
    const back = await issuers.authorize(await social.start(browser, 'sso'), person);
    await sql(`update identity.external_sign_in set expires_at = now() - interval '1 second'`);
    await social.callback(browser, back);
    expect(await social.result(browser)).toMatchObject({ step: 'failed', reason: 'NOTHING_PENDING' });
  });

  it('is a page that is opened, not something a foreign page loads', async () => {
    for (const headers of [
      { 'sec-fetch-mode': 'no-cors' },
      { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ]) {
      const answer = await server.inject({ url: '/auth/external/callback?state=x', headers });
      expect(answer.json()).toMatchObject({ code: 'ORIGIN_NOT_ALLOWED' });
    }
    const navigated = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect((await server.inject({ url: '/auth/external/callback?state=x', headers: navigated })).statusCode).toBe(303);
    const twice = await server.inject({
      url: '/auth/external/callback?state=x&state=y&code[]=1&__proto__=1',
      headers: navigated,
    });
    expect(twice.statusCode).toBe(303);
  });
});

describe('where a sign-in leads', () => {
  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/login',
    '/auth/token',
    '/%2f%2fevil.example',
  ])('is home instead of %s', async (redirect) => {
    const done = await social.signIn({ connection: 'sso', person: stranger(), purpose: { for: 'sign_in', redirect } });
    expect(done.purpose.redirect).toBe('/home');
  });
});

describe('linking', () => {
  it('needs a session, and a fresh one', async () => {
    const body = { connection: 'sso', purpose: { for: 'link' } };
    expect((await social.browser().post('/auth/external/start', body)).json()).toMatchObject({ code: 'TOKEN_MISSING' });
    const actor = await newcomer();
    const browser = social.browser();
    await browser.signIn(actor);
    await sql(`update identity."session" set "provenAt" = null, "createdAt" = now() - interval '11 minutes'`);
    expect((await browser.post('/auth/external/start', body)).json()).toMatchObject({
      code: 'REAUTHENTICATION_REQUIRED',
    });
  });

  it('is written down, and refused for an account that opens another one', async () => {
    const { actor, person } = await linked();
    const records = await auditOf(home, 'external_account.link');
    expect(records.at(-1)).toMatchObject({ outcome: 'ok', target_id: actor.id });
    const other = await newcomer();
    const browser = social.browser();
    await browser.signIn(other);
    const done = await social.signIn({ connection: 'sso', person, purpose: { for: 'link' } }, browser);
    expect(done).toMatchObject({ step: 'failed', reason: 'LINKED_ELSEWHERE' });
    expect((await auditOf(home, 'external_account.link')).at(-1)).toMatchObject({
      outcome: 'refused',
      target_id: other.id,
    });
    expect((await social.me((await social.signIn({ connection: 'sso', person })).browser)).user.id).toBe(actor.id);
  });

  it('is not completed for somebody who signed in meanwhile', async () => {
    const [first, second] = [await newcomer(), await newcomer()];
    const browser = social.browser();
    await browser.signIn(first);
    const person = stranger();
    await social.callback(
      browser,
      await issuers.authorize(await social.start(browser, 'sso', { for: 'link' }), person),
    );
    await browser.signIn(second);
    expect(await social.result(browser)).toMatchObject({ step: 'failed', reason: 'SESSION_ENDED' });
    expect((await social.signIn({ connection: 'sso', person })).step).toBe('no_account');
  });

  it('can be undone, unless it is the only way in', async () => {
    const { actor, person } = await linked();
    const browser = social.browser();
    const other = stranger();
    await social.signIn({ connection: 'sso', person }, browser);
    await social.signIn({ connection: 'sso', person: other, purpose: { for: 'link' } }, browser);
    const { external } = (await browser.get('/auth/account')).json<{ external: { id: string; account: string }[] }>();
    expect(external.map(({ account }) => account)).toEqual([person.email, other.email]);

    const stray = social.browser();
    await stray.signIn(await newcomer());
    const foreign = await stray.post('/auth/external/unlink', { id: external[0]?.id });
    expect(foreign.json()).toMatchObject({ code: 'NOT_FOUND' });

    const elsewhere = (await social.signIn({ connection: 'sso', person: other })).browser;
    expect(await elsewhere.token()).not.toBeNull();
    expect((await browser.post('/auth/external/unlink', { id: external[1]?.id })).json()).toEqual({ unlinked: true });
    expect(await elsewhere.token()).toBeNull();
    expect((await social.signIn({ connection: 'sso', person: other })).step).toBe('no_account');
    await withoutPassword(actor);
    const last = await browser.post('/auth/external/unlink', { id: external[0]?.id });
    expect(last.json()).toMatchObject({ code: 'CONFLICT' });
    expect(last.statusCode).toBe(409);
    expect((await social.signIn({ connection: 'sso', person })).step).toBe('signed_in');
  });

  it('of two at once, one account stays', async () => {
    const { actor, person } = await linked();
    const browser = social.browser();
    await social.signIn({ connection: 'sso', person }, browser);
    await social.signIn({ connection: 'sso', person: stranger(), purpose: { for: 'link' } }, browser);
    await withoutPassword(actor);
    const { external } = (await browser.get('/auth/account')).json<{ external: { id: string }[] }>();
    const answers = await Promise.all(external.map(({ id }) => browser.post('/auth/external/unlink', { id })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });
});

describe('a purchase', () => {
  it('gets a sign-in without a user, for a verified address that is nobody else’s', async () => {
    const purpose = { for: 'marketplace', token: 'a purchase token' };
    const person = stranger();
    const done = await social.signIn({ connection: 'sso', person, purpose });
    expect(done).toMatchObject({ step: 'signed_in', purpose });
    const me = await social.me(done.browser);
    expect(me.code).toBe('ACCOUNT_NOT_FOUND');
    expect((await social.signIn({ connection: 'sso', person })).step).toBe('no_account');

    const unverified = stranger({ email_verified: false });
    expect(await social.signIn({ connection: 'sso', person: unverified, purpose })).toMatchObject({
      step: 'failed',
      reason: 'EMAIL_UNVERIFIED',
    });
    const taken = stranger({ email: (await newcomer()).email });
    expect(await social.signIn({ connection: 'sso', person: taken, purpose })).toMatchObject({
      step: 'failed',
      reason: 'EMAIL_TAKEN',
    });
  });

  it('keeps its token out of addresses and of the database', async () => {
    const browser = social.browser();
    const token = 'purchase-token-nobody-may-read';
    const url = await social.start(browser, 'sso', { for: 'marketplace', token });
    expect(url).not.toContain(token);
    const back = await issuers.authorize(url, stranger());
    expect(back).not.toContain(token);
    expect(String((await social.callback(browser, back)).headers.location)).not.toContain(token);
    const { rows } = await sql(`select purpose, coalesce(answer, '') as answer from identity.external_sign_in`);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('a way through an issuer that ends without an account', () => {
  const refusals = () =>
    lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ security }) => security === 'sign_in_refused');

  it('is in the log of the process, without what the issuer said of the person', async () => {
    lines.length = 0;
    const person = stranger();
    expect((await social.signIn({ connection: 'sso', person })).step).toBe('no_account');
    expect(refusals()).toMatchObject([
      { reason: 'UNKNOWN', connection: 'sso', method: 'external', request_id: expect.any(String), level: 40 },
    ]);
    expect(lines.join('')).not.toContain(person.email);
  });

  it('is there as well when an answer is brought that nobody asked for', async () => {
    lines.length = 0;
    await social.browser().get('/auth/external/callback?code=stolen-code&state=made-up-state');
    expect(refusals()).toMatchObject([{ reason: 'NOTHING_PENDING', method: 'external' }]);
    expect(lines.join('')).not.toMatch(/stolen-code|made-up-state/);
  });

  it('is in the audit of somebody known, who is disabled', async () => {
    const { actor, person } = await linked();
    await sql(`update app_user set status = 'disabled' where id = $1`, [actor.id]);
    expect((await social.signIn({ connection: 'sso', person })).step).toBe('failed');
    expect((await auditOf(home, 'session.sign_in')).at(-1)).toMatchObject({
      outcome: 'refused',
      code: 'USER_DISABLED',
      target_id: actor.id,
    });
  });
});
