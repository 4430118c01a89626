import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { type Browser, createBrowser } from './test-browser.ts';
import { keyOfSecret, TOTP_PERIOD_S, totpCode } from './totp.ts';

type Listed = {
  sessions: {
    id: string;
    current: boolean;
    started_at: string;
    last_seen_at: string;
    address: string;
    user_agent: string;
  }[];
};

let server: TestServer;
let second: TestServer;
let home: string;
let offsetMs = 0;
/** While it stands still nothing that is kept grows old, so that only an announcement ends it. */
let stoppedAt: Date | undefined;

beforeAll(async () => {
  const identitySecret = randomBytes(48).toString('base64url');
  const now = () => stoppedAt ?? new Date(Date.now() + offsetMs);
  server = await createTestServer({ identitySecret, now });
  second = await createTestServer({ besides: { stores: server.stores, identitySecret }, now });
  home = await server.createTenant();
});
afterAll(async () => {
  await second?.close();
  await server?.close();
});

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

async function newActor(): Promise<Actor> {
  offsetMs = 0;
  return await server.createActor({ home, roles: { [home]: 'Analyst' } });
}

async function list(browser: Browser): Promise<Listed['sessions']> {
  return (await browser.get('/auth/sessions')).json<Listed>().sessions;
}

/** A browser in which the actor is signed in without typing: with a passkey-like session of our own. */
async function open(actor: Actor, userAgent = 'Test browser'): Promise<Browser> {
  const browser = createBrowser(server, { userAgent });
  // One authenticator code works once: further sign-ins take recovery codes.
  const { email, password } = actor;
  await browser.post('/auth/sign-in/email', { email, password });
  const code = (actor.recoveryCodes as string[]).shift();
  const answer = await browser.post('/auth/two-factor/verify-backup-code', { code });
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return browser;
}

describe('sessions', () => {
  it('are listed with where and when, without anything that opens them', async () => {
    const actor = await newActor();
    const browser = await open(actor, `Browser/1.0 ${'x'.repeat(500)}`);
    const sessions = await list(browser);
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toMatchObject({ current: true, address: '127.0.0.1' });
    expect(sessions[0]?.user_agent).toMatch(/^Browser\/1\.0 x+$/);
    expect(sessions[0]?.user_agent.length).toBeLessThanOrEqual(300);
    expect(sessions[1]).toMatchObject({ current: false, id: actor.sessionId });
    expect(Object.keys(sessions[0] ?? {}).sort()).toEqual(
      ['address', 'current', 'id', 'last_seen_at', 'started_at', 'user_agent'].sort(),
    );
  });

  it('say when they were last seen, to the minute and not with every call', async () => {
    const browser = await open(await newActor());
    const seen = async () => {
      await browser.token();
      const [current] = await list(browser);
      return Date.parse(current?.last_seen_at ?? '');
    };
    const first = await seen();
    offsetMs = 30_000;
    expect(await seen()).toBe(first);
    offsetMs = 61_000;
    expect((await seen()) - first).toBeGreaterThanOrEqual(60_000);
  });

  it('need a session to be listed or ended', async () => {
    const nobody = createBrowser(server);
    expect((await nobody.get('/auth/sessions')).json()).toMatchObject({ code: 'TOKEN_MISSING' });
    expect((await nobody.post('/auth/sessions/revoke', { others: true })).statusCode).toBe(401);
  });

  it('are shown and ended only to who proved who they are a moment ago, and then for ten minutes', async () => {
    const actor = await newActor();
    const browser = await open(actor);
    offsetMs = 11 * 60_000;
    const refused = { code: 'REAUTHENTICATION_REQUIRED' };
    expect((await browser.get('/auth/sessions')).json()).toMatchObject(refused);
    for (const which of [{ others: true }, { id: actor.sessionId }]) {
      const answer = await browser.post('/auth/sessions/revoke', which);
      expect([answer.statusCode, answer.json()]).toMatchObject([403, refused]);
    }
    expect((await server.inject({ url: '/auth/token', headers: { cookie: browser.cookie() } })).statusCode).toBe(200);
    const step = Math.floor((Date.now() + offsetMs) / 1000 / TOTP_PERIOD_S);
    const code = totpCode(keyOfSecret(actor.totpSecret ?? ''), step);
    expect((await browser.post('/auth/prove', { code })).statusCode).toBe(200);
    offsetMs += 9 * 60_000;
    expect(await list(browser)).toHaveLength(2);
    expect((await browser.post('/auth/sessions/revoke', { others: true })).json()).toEqual({ revoked: 1 });
    offsetMs += 2 * 60_000;
    expect((await browser.get('/auth/sessions')).json()).toMatchObject(refused);
  });

  it('of others cannot be ended, and it does not show whether they exist', async () => {
    const victim = await newActor();
    const browser = await open(await newActor());
    for (const id of [victim.sessionId, 'no-such-session']) {
      expect((await browser.post('/auth/sessions/revoke', { id })).json()).toEqual({ revoked: 0 });
    }
    expect((await server.inject({ url: '/me', headers: victim.headers })).statusCode).toBe(200);
  });

  it.each([{}, { id: '' }, { others: false }, { id: 'x', others: true }, { id: ['a'] }, { id: 'x'.repeat(101) }])(
    'refuse to guess what %j means',
    async (body) => {
      const browser = await open(await newActor());
      expect((await browser.post('/auth/sessions/revoke', body)).statusCode).toBe(400);
    },
  );

  it('end one by one or all others, with a record of it', async () => {
    const actor = await newActor();
    const [mine, one, two] = [await open(actor), await open(actor), await open(actor)];
    const [id] = (await list(one)).filter((session) => session.current).map((session) => session.id);
    expect((await mine.post('/auth/sessions/revoke', { id })).json()).toEqual({ revoked: 1 });
    expect(await one.token()).toBeNull();
    expect(await two.token()).not.toBeNull();
    expect((await mine.post('/auth/sessions/revoke', { others: true })).json()).toEqual({ revoked: 2 });
    expect(await two.token()).toBeNull();
    expect(await mine.token()).not.toBeNull();
    const records = await server.stores.database.system((tx) =>
      tx
        .selectFrom('audit_record')
        .select('data')
        .where('actor_id', '=', actor.id)
        .where('action', '=', 'session.revoke')
        .orderBy('sequence')
        .execute(),
    );
    expect(records.map(({ data }) => data)).toMatchObject([{ revoked: 1, sessions: [id] }, { revoked: 2 }]);
  });

  it('end in the browser that signs in again', async () => {
    const actor = await newActor();
    const browser = await open(actor);
    const old = createBrowser(server);
    old.setCookie(browser.cookie());
    const { email, password } = actor;
    await browser.post('/auth/sign-in/email', { email, password });
    const code = (actor.recoveryCodes as string[]).shift();
    await browser.post('/auth/two-factor/verify-backup-code', { code });
    expect(await old.token()).toBeNull();
    expect(await browser.token()).not.toBeNull();
  });
});

describe('an access token is dead in every process as soon as that is announced', () => {
  afterEach(() => {
    stoppedAt = undefined;
  });

  type End = (of: { actor: Actor; browser: Browser }) => Promise<unknown>;

  const ends: [string, End, number][] = [
    ['sign-out', ({ browser }) => browser.post('/auth/sign-out'), 401],
    [
      'being revoked elsewhere',
      async ({ actor, browser }) => {
        const other = await open(actor);
        const [session] = (await list(browser)).filter(({ current }) => current);
        await other.post('/auth/sessions/revoke', { id: session?.id });
      },
      401,
    ],
    [
      'the end of all sessions (password change)',
      ({ actor }) => server.composition.identity.users.endSessions(actor.id),
      401,
    ],
    [
      'the account being disabled',
      ({ actor }) =>
        server.stores.database.system((tx) => server.composition.tenants.setUserStatus(tx, actor.id, 'disabled', by)),
      403,
    ],
    [
      'the membership being removed',
      ({ actor }) =>
        server.stores.database.system((tx) =>
          server.composition.tenants.removeMembership(tx, { tenant: home, user: actor.id }, by),
        ),
      403,
    ],
  ];

  it.each(ends)('after %s', async (_name, end, status) => {
    const actor = await newActor();
    const browser = await open(actor);
    const headers = { authorization: `Bearer ${await browser.token()}` };
    const ask = async (process: TestServer) =>
      (await process.inject({ url: `/api/tenants/${home}`, headers })).statusCode;
    stoppedAt = new Date();
    expect([await ask(server), await ask(second)]).toEqual([200, 200]);
    await end({ actor, browser });
    await Promise.all([server, second].map((process) => expect.poll(() => ask(process)).toBe(status)));
  });

  it('and a lowered role counts with the next request here and as soon elsewhere', async () => {
    const admin = await server.createActor({ home, roles: { [home]: 'Admin' } });
    stoppedAt = new Date();
    const url = `/api/${home}/audit`;
    const ask = async (process: TestServer) =>
      (await process.inject({ url, headers: admin.headers })).json<{ code?: string }>().code;
    expect(await ask(server)).not.toBe('ROLE_TOO_LOW');
    expect(await ask(second)).not.toBe('ROLE_TOO_LOW');
    await server.stores.database.system((tx) =>
      server.composition.tenants.addMembership(tx, { tenant: home, user: admin.id, role: 'ReadOnly' }, by),
    );
    const codes = [await ask(server)];
    await expect.poll(() => ask(second)).toBe(codes[0]);
  });
});
