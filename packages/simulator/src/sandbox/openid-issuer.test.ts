import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { startSandbox } from './sandbox.ts';

const VERIFIER = 'a verifier that is long enough to be one of those';
const BACK = 'http://127.0.0.1:4000/auth/external/callback';

let sandbox: Sandbox;
let clock = Date.now();
beforeAll(async () => {
  sandbox = await startSandbox({ port: 0, now: () => new Date(clock) });
});
afterAll(() => sandbox.close());

function authorize(change: Record<string, string> = {}): string {
  const asked = {
    response_type: 'code',
    client_id: 'airdeck',
    redirect_uri: BACK,
    scope: 'openid email profile groups',
    state: 'state-1',
    nonce: 'nonce-1',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  };
  return `${sandbox.url}/openid/authorize?${new URLSearchParams(asked).toString()}`;
}

async function answer(form: Record<string, string>, url = authorize()): Promise<URL> {
  const response = await fetch(url, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' });
  expect(response.status).toBe(302);
  return new URL(response.headers.get('location') ?? '');
}

async function redeem(code: string, change: Record<string, string> = {}) {
  const form = { grant_type: 'authorization_code', code, redirect_uri: BACK, client_id: 'airdeck' };
  const body = new URLSearchParams({ ...form, code_verifier: VERIFIER, ...change });
  const response = await fetch(`${sandbox.url}/openid/token`, { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

const codeFor = async (email = 'ana@harbour.example') =>
  (await answer({ email, groups: 'soc, leads' })).searchParams.get('code') ?? '';

describe("the sandbox's issuer", () => {
  it('vouches for whoever was typed, with a signature of the keys it shows', async () => {
    const back = await answer({ email: 'Ana@Harbour.example', groups: 'soc, leads' });
    expect(back.origin + back.pathname).toBe(BACK);
    expect(back.searchParams.get('state')).toBe('state-1');
    expect(back.searchParams.get('iss')).toBe(`${sandbox.url}/openid`);
    const { status, body } = await redeem(back.searchParams.get('code') ?? '');
    expect(status).toBe(200);
    const [header = '', payload = '', signature = ''] = (body.id_token ?? '').split('.');
    const { keys } = (await (await fetch(`${sandbox.url}/openid/jwks`)).json()) as { keys: [JsonWebKey] };
    const key = createPublicKey({ key: keys[0], format: 'jwk' });
    expect(verify('sha256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      ...{ iss: `${sandbox.url}/openid`, aud: 'airdeck', nonce: 'nonce-1', email: 'ana@harbour.example' },
      ...{ email_verified: true, groups: ['soc', 'leads'] },
    });
  });

  it('answers a code once, to who asked for it, within a minute', async () => {
    const once = await codeFor();
    expect((await redeem(once)).status).toBe(200);
    expect((await redeem(once)).status).toBe(400);
    const wrong = [{ code_verifier: 'another' }, { client_id: 'other' }, { redirect_uri: `${BACK}/elsewhere` }];
    for (const change of wrong) expect((await redeem(await codeFor(), change)).status).toBe(400);
    const late = await codeFor();
    clock += 60_000;
    expect((await redeem(late)).body).toEqual({ error: 'invalid_grant' });
  });

  it.each([
    ['to another machine', { redirect_uri: 'https://air.example/auth/external/callback' }],
    ['to no address', { redirect_uri: 'nowhere' }],
    ['without PKCE', { code_challenge: '' }],
    ['without the code flow', { response_type: 'id_token' }],
  ])('sends nobody %s', async (_what, change) => {
    expect((await fetch(authorize(change), { redirect: 'manual' })).status).toBe(400);
    const posted = await fetch(authorize(change), {
      ...{ method: 'POST', body: new URLSearchParams({ email: 'ana@harbour.example' }), redirect: 'manual' },
    });
    expect(posted.status).toBe(400);
  });

  it('says when somebody cancels, asks again for an address, and shows what it was sent as text', async () => {
    expect((await answer({ answer: 'cancel' })).searchParams.get('error')).toBe('access_denied');
    const again = await fetch(authorize({ state: '"><script>alert(1)</script>' }), {
      ...{ method: 'POST', body: new URLSearchParams({ email: 'nobody' }), redirect: 'manual' },
    });
    const text = await again.text();
    expect(text).toContain('Enter an e-mail address.');
    expect(text).not.toContain('<script>');
  });
});
