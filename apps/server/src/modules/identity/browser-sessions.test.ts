import { sql } from 'kysely';
import { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { createOldSessions } from './old-sessions.ts';
import { ROTATION_GRACE_MS } from './rotation-tokens.ts';
import { PROOF_COUNTS_FOR_MS } from './session-proof.ts';
import { type Browser, createBrowser } from './test-browser.ts';
import { keyOfSecret, TOTP_PERIOD_S, totpCode } from './totp.ts';

let server: TestServer;
let home: string;
let offsetMs = 0;

beforeAll(async () => {
  server = await createTestServer({ now: () => new Date(Date.now() + offsetMs) });
  home = await server.createTenant();
});
afterAll(() => server?.close());
beforeEach(() => {
  offsetMs = 0;
});

function copyOf(browser: Browser, cookie = browser.cookie()): Browser {
  const copy = createBrowser(server);
  copy.setCookie(cookie);
  return copy;
}

function codeNow(secret: string | undefined): string {
  return totpCode(keyOfSecret(secret ?? ''), Math.floor((Date.now() + offsetMs) / 1000 / TOTP_PERIOD_S));
}

/** Signed in so long ago that a change of how the account is secured asks who it is. */
async function signedInForLong(): Promise<{ actor: Actor; browser: Browser }> {
  const actor = await server.createActor({ home, roles: { [home]: 'Analyst' } });
  const browser = createBrowser(server);
  await browser.signIn(actor);
  offsetMs = PROOF_COUNTS_FOR_MS + 60_000;
  await browser.token();
  return { actor, browser };
}

async function prove({ actor, browser }: { actor: Actor; browser: Browser }): Promise<void> {
  const answer = await browser.post('/auth/prove', { code: codeNow(actor.totpSecret) });
  expect(answer.json()).toEqual({ proven: true });
}

/** What asks for a fresh proof, told by its code. */
async function sensitive(browser: Browser): Promise<unknown> {
  return (await browser.post('/auth/recovery-codes/regenerate')).json<{ code?: string }>().code ?? 'done';
}

async function reuseRecords(actor: Actor) {
  return await server.stores.database.system((tx) =>
    tx
      .selectFrom('audit_record')
      .select('outcome')
      .where('actor_id', '=', actor.id)
      .where('action', '=', 'session.reuse_detected')
      .execute(),
  );
}

describe('a proof within a session', () => {
  it('replaces the cookie at once, and the new one carries the proof', async () => {
    const signedIn = await signedInForLong();
    const { browser } = signedIn;
    const before = browser.cookie();
    expect(await sensitive(browser)).toBe('REAUTHENTICATION_REQUIRED');
    await prove(signedIn);
    expect(browser.cookie()).toMatch(/^air_session=/);
    expect(browser.cookie()).not.toBe(before);
    expect(await sensitive(browser)).toBe('done');
    expect(await browser.token()).not.toBeNull();
  });

  it('does not count for a copy of the cookie from before, not even for calls under way', async () => {
    const signedIn = await signedInForLong();
    const thief = copyOf(signedIn.browser);
    await prove(signedIn);
    expect(await sensitive(thief)).toBe('REAUTHENTICATION_REQUIRED');
    // Also not by the way of a new access token, whose answer would otherwise carry the newest cookie.
    const copied = thief.cookie();
    await thief.token();
    expect(thief.cookie()).toBe(copied);
    expect(await sensitive(thief)).toBe('REAUTHENTICATION_REQUIRED');
    expect(await sensitive(signedIn.browser)).toBe('done');
  });

  it('does not count for the successor a copy was exchanged for before it', async () => {
    const signedIn = await signedInForLong();
    const thief = copyOf(signedIn.browser);
    await thief.token();
    await prove(signedIn);
    expect(await sensitive(thief)).toBe('REAUTHENTICATION_REQUIRED');
    expect(await sensitive(signedIn.browser)).toBe('done');
  });

  it('leaves the cookie from before worth nothing: who uses it later ends the session, and that is recorded', async () => {
    const signedIn = await signedInForLong();
    const { actor, browser } = signedIn;
    const thief = copyOf(browser);
    await prove(signedIn);
    offsetMs += ROTATION_GRACE_MS + 1000;
    expect((await thief.get('/auth/account')).statusCode).toBe(401);
    expect(await browser.token()).not.toBeNull();
    expect(await thief.token()).toBeNull();
    expect(await reuseRecords(actor)).toEqual([{ outcome: 'refused' }]);
    expect(await browser.token()).toBeNull();
  });

  it('signs no other tab out that asks for a token meanwhile', async () => {
    const signedIn = await signedInForLong();
    const { actor, browser } = signedIn;
    const tabs = Array.from({ length: 20 }, () => copyOf(browser));
    const [, ...tokens] = await Promise.all([prove(signedIn), ...tabs.map((tab) => tab.token())]);
    expect(tokens.filter((token) => token !== null)).toHaveLength(20);
    offsetMs += ROTATION_GRACE_MS + 1000;
    expect(await browser.token()).not.toBeNull();
    expect(await reuseRecords(actor)).toEqual([]);
  });

  it('that is refused replaces nothing', async () => {
    const { browser } = await signedInForLong();
    const before = browser.cookie();
    expect((await browser.post('/auth/prove', { code: 'abcdef' })).statusCode).toBe(401);
    expect(browser.cookie()).toBe(before);
  });

  it('keeps the cookie out of reach of scripts, for this host only, and the session no longer than it was', async () => {
    const { actor, browser } = await signedInForLong();
    const answer = await browser.post('/auth/prove', { code: codeNow(actor.totpSecret) });
    const line = String(answer.headers['set-cookie']);
    expect(line).toMatch(/^air_session=(?=.*; Path=\/(;|$))(?=.*; HttpOnly)(?=.*; SameSite=Lax)(?!.*Domain)/i);
    expect(Number(/Max-Age=(\d+)/.exec(line)?.[1])).toBeLessThanOrEqual(1_800);
  });
});

describe('what proves who it is besides', () => {
  it('another password replaces the cookie', async () => {
    const signedIn = await signedInForLong();
    const { actor, browser } = signedIn;
    await prove(signedIn);
    const before = copyOf(browser);
    const passwords = { current_password: actor.password, new_password: 'violet harbour 1987 kettle' };
    expect((await browser.post('/auth/password/change', passwords)).statusCode).toBe(200);
    expect(browser.cookie()).not.toBe(before.cookie());
    offsetMs += ROTATION_GRACE_MS + 1000;
    expect((await before.get('/auth/account')).statusCode).toBe(401);
    expect(await browser.token()).not.toBeNull();
  });

  it('a new authenticator replaces the cookie, and the one from before changes nothing more', async () => {
    const actor = await server.createActor({ home, roles: { [home]: 'Analyst' }, mfa: false });
    const browser = createBrowser(server);
    const { email, password } = actor;
    await browser.post('/auth/sign-in/email', { email, password });
    offsetMs = PROOF_COUNTS_FOR_MS + 60_000;
    const { secret } = (await browser.post('/auth/totp/begin')).json<{ secret: string }>();
    const before = copyOf(browser);
    expect((await browser.post('/auth/totp/confirm', { code: codeNow(secret) })).statusCode).toBe(200);
    expect(browser.cookie()).not.toBe(before.cookie());
    expect(await sensitive(before)).toBe('REAUTHENTICATION_REQUIRED');
    expect(await sensitive(browser)).toBe('done');
  });
});

describe('sessions whose time is over', () => {
  it('go with the tokens they had; one that is used stays', async () => {
    const { database } = server.stores;
    const actor = await server.createActor({ home, roles: { [home]: 'Analyst' } });
    const [left, used] = [createBrowser(server), createBrowser(server)];
    await left.signIn(actor);
    await left.token();
    offsetMs = 20 * 60_000;
    await used.signIn(actor);
    await used.token();
    const kept = async () => {
      const { rows } = await database.system((tx) =>
        sql<{ sessions: number; tokens: number }>`
          select count(distinct s."id")::int as sessions, count(r.session_id)::int as tokens
          from identity."session" s left join identity.replaced_token r on r.session_id = s."id"
          join identity."user" u on u."id" = s."userId" where u."externalId" = ${actor.id}`.execute(tx),
      );
      return rows[0];
    };
    const before = await kept();
    offsetMs = 40 * 60_000;
    const pool = new Pool({ connectionString: server.stores.url });
    await createOldSessions({ pool, now: () => new Date(Date.now() + offsetMs) }).forgetOld();
    await pool.end();
    const after = await kept();
    expect(before?.sessions).toBeGreaterThanOrEqual(2);
    expect(after?.sessions).toBe(1);
    expect(after?.tokens).toBeLessThan(before?.tokens ?? 0);
    expect(await used.token()).not.toBeNull();
  });
});
