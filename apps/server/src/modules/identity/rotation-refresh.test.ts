import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { ROTATION_GRACE_MS } from './rotation-tokens.ts';
import { type Browser, createBrowser } from './test-browser.ts';

let server: TestServer;
let home: string;
let offsetMs = 0;
const HALF_AN_HOUR_MS = 1_800_000;

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

function copyOf(browser: Browser, cookie = browser.cookie()): Browser {
  const copy = createBrowser(server);
  copy.setCookie(cookie);
  return copy;
}

async function worksWith(token: string | null): Promise<number> {
  return (await server.inject({ url: '/me', headers: { authorization: `Bearer ${token}` } })).statusCode;
}

async function auditOf(actor: Actor, action: string) {
  return await server.stores.database.system((tx) =>
    tx
      .selectFrom('audit_record')
      .select(['outcome', 'data'])
      .where('actor_id', '=', actor.id)
      .where('action', '=', action)
      .execute(),
  );
}

describe('refresh rotation', () => {
  it('replaces the cookie with every access token, and the new one goes on', async () => {
    const { browser } = await signedIn();
    const seen = new Set([browser.cookie()]);
    for (let n = 0; n < 4; n++) {
      expect(await worksWith(await browser.token())).toBe(200);
      seen.add(browser.cookie());
      offsetMs += 240_000;
    }
    expect(seen.size).toBe(5);
  });

  it('keeps the cookie as the first one was: for this host, out of reach of scripts, and never longer', async () => {
    const { browser } = await signedIn();
    offsetMs += 1_700_000;
    const line = String((await browser.get('/auth/token')).headers['set-cookie']);
    expect(line).toMatch(/^air_session=/);
    expect(line).toMatch(/^(?=.*; Path=\/(;|$))(?=.*; HttpOnly)(?=.*; SameSite=Lax)(?!.*Domain)/i);
    const maxAge = Number(/Max-Age=(\d+)/.exec(line)?.[1]);
    // As long as it may stay unused.
    expect(maxAge).toBeGreaterThan(1_790);
    expect(maxAge).toBeLessThanOrEqual(1_800);
    for (; offsetMs < 12 * 3_600_000 - 600_000; offsetMs += 600_000) await browser.token();
    const last = String((await browser.get('/auth/token')).headers['set-cookie']);
    expect(Number(/Max-Age=(\d+)/.exec(last)?.[1])).toBeLessThanOrEqual(600);
  });

  it('gives fifty parallel tabs a token each and signs none of them out', async () => {
    const { browser } = await signedIn();
    const tabs = Array.from({ length: 50 }, () => copyOf(browser));
    const tokens = await Promise.all(tabs.map((tab) => tab.token()));
    expect(tokens.filter((token) => token !== null)).toHaveLength(50);
    const cookies = new Set(tabs.map((tab) => tab.cookie()));
    // One replacement, which all of them got: whichever answer a browser hears last, it holds the newest.
    expect(cookies.size).toBe(1);
    expect(cookies).not.toContain(browser.cookie());
    offsetMs += ROTATION_GRACE_MS + 1000;
    expect(await worksWith(await copyOf(browser, tabs[7]?.cookie()).token())).toBe(200);
  });

  it('forgives an answer that got lost, when it is asked again at once', async () => {
    const { browser } = await signedIn();
    const before = browser.cookie();
    await copyOf(browser).token();
    offsetMs += ROTATION_GRACE_MS - 10_000;
    expect(browser.cookie()).toBe(before);
    expect(await browser.token()).not.toBeNull();
    offsetMs += 240_000;
    expect(await browser.token()).not.toBeNull();
  });

  it('does not hand the newest cookie to a token two generations old', async () => {
    const { browser } = await signedIn();
    const old = copyOf(browser);
    const before = old.cookie();
    await browser.token();
    await browser.token();
    expect(await old.token()).not.toBeNull();
    expect(old.cookie()).toBe(before);
  });

  it.each([1, 3])('ends the session everywhere when a token %i generations old comes back', async (generations) => {
    const { actor, browser } = await signedIn();
    const stolen = copyOf(browser);
    let access: string | null = null;
    for (let n = 0; n < generations; n++) access = await browser.token();
    offsetMs += ROTATION_GRACE_MS + 1000;
    const answer = await stolen.get('/auth/token');
    expect(answer.json()).toEqual({ token: null });
    expect(String(answer.headers['set-cookie'])).toMatch(/^air_session=;.*Max-Age=0/);
    expect(await browser.token()).toBeNull();
    await expect.poll(() => worksWith(access)).toBe(401);
    const records = await auditOf(actor, 'session.reuse_detected');
    expect(records).toMatchObject([{ outcome: 'refused' }]);
    expect(JSON.stringify(records)).not.toContain(stolen.cookie().split('=')[1]?.slice(0, 20));
  });

  it('detects a reuse once under twenty parallel ones', async () => {
    const { actor, browser } = await signedIn();
    const stolen = browser.cookie();
    await browser.token();
    offsetMs += ROTATION_GRACE_MS + 1000;
    const tokens = await Promise.all(Array.from({ length: 20 }, () => copyOf(browser, stolen).token()));
    expect(tokens.every((token) => token === null)).toBe(true);
    expect(await auditOf(actor, 'session.reuse_detected')).toHaveLength(1);
  });

  it('ends twelve hours after the sign-in, however often it was used', async () => {
    const { browser } = await signedIn();
    for (let quarter = 0; quarter < 48; quarter++) {
      expect(await browser.token()).not.toBeNull();
      offsetMs += 900_000;
    }
    expect(await browser.token()).toBeNull();
  });

  it('ends half an hour after it was used last, in the browser and for what it was used with', async () => {
    const { browser } = await signedIn();
    offsetMs += HALF_AN_HOUR_MS - 60_000;
    const access = await browser.token();
    expect(await worksWith(access)).toBe(200);
    const other = copyOf(browser);
    offsetMs += HALF_AN_HOUR_MS + 1_000;
    expect(await browser.token()).toBeNull();
    expect(await other.token()).toBeNull();
    expect(await worksWith(access)).toBe(401);
    expect((await other.get('/auth/sessions')).statusCode).toBe(401);
  });

  it('is not kept by a page that asks by itself while nobody touches it', async () => {
    const { browser } = await signedIn();
    const asking = async (idleS: number) =>
      (await browser.get(`/auth/token?idle_s=${idleS}`)).json<{ token: unknown }>();
    for (let idleS = 0; idleS < 1_800; idleS += 240) {
      expect((await asking(idleS)).token).not.toBeNull();
      offsetMs += 240_000;
    }
    expect((await asking(1_920)).token).toBeNull();
  });

  it('says in how long it ends, so that who is still there can be told in time', async () => {
    const { browser } = await signedIn();
    const asking = async (idleS: number) =>
      (await browser.get(`/auth/token?idle_s=${idleS}`)).json<{ session_ends_in_s: number }>().session_ends_in_s;
    // Some of a second passes between the answer's two looks at the clock.
    const about = (seconds: number) => [seconds - 2, seconds - 1, seconds];
    expect(about(1_800)).toContain(await asking(0));
    offsetMs += 600_000;
    expect(about(1_200)).toContain(await asking(600));
    expect(about(1_800)).toContain(await asking(0));
  });

  it('is kept by one page that is used while another is not', async () => {
    const { browser } = await signedIn();
    for (let idleS = 0; idleS <= 3_600; idleS += 600) {
      expect((await browser.get(`/auth/token?idle_s=${idleS}`)).json()).not.toEqual({ token: null });
      expect(await browser.token()).not.toBeNull();
      offsetMs += 600_000;
    }
  });

  it.each(['-1', 'x', '1e9', '1.5'])('refuses %s as the time nobody touched a page', async (idle) => {
    const { browser } = await signedIn();
    expect((await browser.get(`/auth/token?idle_s=${idle}`)).statusCode).toBe(400);
    expect(await browser.token()).not.toBeNull();
  });

  it('stores replaced tokens as hashes only', async () => {
    const { browser } = await signedIn();
    const token = decodeURIComponent(browser.cookie().split('=')[1] ?? '').split('.')[0] ?? '';
    await browser.token();
    const rows = await server.stores.database.system((tx) =>
      tx
        .selectFrom('identity.replaced_token' as never)
        .selectAll()
        .execute(),
    );
    expect(token.length).toBeGreaterThan(30);
    expect(JSON.stringify(rows)).not.toContain(token);
    const hex = Buffer.from(token).toString('hex');
    expect(rows.map((row) => (row as { token_hash: Buffer }).token_hash.toString('hex')).join()).not.toContain(hex);
  });
});

describe('a session cookie', () => {
  it.each<[string, (cookie: string) => string]>([
    ['without its signature', (cookie) => cookie.split('.')[0] ?? ''],
    ['with another signature', (cookie) => `${cookie.split('.')[0]}.${encodeURIComponent('A'.repeat(43))}%3D`],
    ['that is cut', (cookie) => cookie.slice(0, -6)],
    ['that is not even encoded right', () => 'air_session=%E0%A4%A'],
    ['of endless length', () => `air_session=${'a'.repeat(5000)}`],
  ])('%s is nobody', async (_name, change) => {
    const { browser } = await signedIn();
    expect(await copyOf(browser, change(browser.cookie())).token()).toBeNull();
    expect(await browser.token()).not.toBeNull();
  });

  it('planted before the sign-in is not adopted, and what it belonged to is ended', async () => {
    const { browser: attacker } = await signedIn();
    const planted = attacker.cookie();
    const victim = copyOf(attacker);
    await victim.signIn(await server.createActor({ home, roles: { [home]: 'Admin' } }));
    expect(victim.cookie()).not.toBe(planted);
    expect(await victim.token()).not.toBeNull();
    expect(await attacker.token()).toBeNull();
  });

  it('made up before the sign-in is not adopted', async () => {
    const browser = createBrowser(server);
    browser.setCookie('air_session=planted-by-somebody');
    await browser.signIn(await server.createActor({ home, roles: { [home]: 'Admin' } }));
    expect(browser.cookie()).not.toContain('planted');
  });

  it('in the address is ignored', async () => {
    const { browser } = await signedIn();
    const value = browser.cookie().split('=')[1];
    for (const query of [`air_session=${value}`, `token=${value}`, `sid=${value}`, `session=${value}`]) {
      const answer = await server.inject({ url: `/auth/token?${query}` });
      expect(answer.json<{ token?: string | null }>().token ?? null).toBeNull();
    }
  });

  it('without the host prefix does not count on https', async () => {
    const secret = 'x'.repeat(64);
    const secure = await createTestServer({
      env: { PUBLIC_URL: 'https://air.example.com', TRUSTED_PROXIES: '127.0.0.1' },
      besides: { stores: server.stores, identitySecret: secret },
    });
    const plain = await createTestServer({ besides: { stores: server.stores, identitySecret: secret } });
    const { actor } = await signedIn();
    const browser = createBrowser(plain);
    // Signing keys are encrypted with the first server's secret: only the cookie is looked at here.
    const { email, password } = actor;
    await browser.post('/auth/sign-in/email', { email, password });
    const headers = { host: 'air.example.com', 'x-forwarded-proto': 'https', cookie: browser.cookie() };
    expect((await secure.inject({ url: '/auth/sessions', headers })).json()).toMatchObject({ code: 'TOKEN_MISSING' });
    await plain.close();
    await secure.close();
  });
});
