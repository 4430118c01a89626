import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { createIdentityVerifier, type IdentityVerifier } from './identity-verifier.ts';

const ISSUER = 'https://id.example.com';
const AUDIENCE = 'urn:airdeck:api';
const KID = 'key-1';

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;

let own: Pair;
let foreign: Pair;
let rsa: Pair;
let keyLookups = 0;

beforeAll(async () => {
  own = await generateKeyPair('EdDSA', { extractable: true });
  foreign = await generateKeyPair('EdDSA', { extractable: true });
  rsa = await generateKeyPair('RS256', { extractable: true });
});

let clock = new Date('2026-11-21T12:00:00.000Z');
const liveSessions = new Set(['session-1']);

async function verifier(): Promise<IdentityVerifier> {
  const keys = createLocalJWKSet({
    keys: [
      { ...(await exportJWK(own.publicKey)), kid: KID, alg: 'EdDSA' },
      { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256' },
    ],
  });
  return createIdentityVerifier({
    now: () => clock,
    issuers: [
      {
        issuer: ISSUER,
        audience: AUDIENCE,
        algorithms: ['EdDSA'],
        keys: (header, token) => {
          keyLookups++;
          return keys(header, token);
        },
        lacksKey: (id) => id !== KID && id !== 'rsa',
        isSessionLive: async (id) => liveSessions.has(id),
        identityOf: (claims) => ({ externalId: null, sessionId: String(claims.sid), mfa: true, social: false }),
      },
    ],
  });
}

type TokenOptions = { header?: Record<string, unknown>; key?: Pair['privateKey'] | Uint8Array; claims?: JWTPayload };

function token({ header = {}, key = own.privateKey, claims = {} }: TokenOptions = {}): Promise<string> {
  const iat = Math.floor(clock.getTime() / 1000);
  const payload = { iss: ISSUER, aud: AUDIENCE, sub: 'user-1', sid: 'session-1', iat, exp: iat + 300, ...claims };
  const present = Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));
  return new SignJWT(present).setProtectedHeader({ alg: 'EdDSA', kid: KID, ...header }).sign(key);
}

const seconds = (offset: number) => Math.floor(clock.getTime() / 1000) + offset;

describe('access tokens', () => {
  it('name issuer and subject once they are verified', async () => {
    const identity = await (await verifier()).verify(await token());
    expect(identity).toMatchObject({ issuer: ISSUER, subject: 'user-1', sessionId: 'session-1' });
  });

  it.each<[string, () => Promise<string>]>([
    [
      'without a signature (alg none)',
      async () =>
        new UnsecuredJWT({ iss: ISSUER, aud: AUDIENCE, sub: 'user-1', sid: 'session-1' })
          .setIssuedAt(seconds(0))
          .setExpirationTime(seconds(300))
          .encode(),
    ],
    ['signed with another key under our key id', () => token({ key: foreign.privateKey })],
    [
      'signed with our public key as a shared secret',
      async () => {
        const { x } = await exportJWK(own.publicKey);
        return token({ header: { alg: 'HS256' }, key: Buffer.from(x ?? '', 'base64url') });
      },
    ],
    [
      'with an algorithm that is not on the list, though the key is ours',
      () => token({ header: { alg: 'RS256', kid: 'rsa' }, key: rsa.privateKey }),
    ],
    [
      'that brings its own key (jwk)',
      async () => token({ header: { jwk: await exportJWK(foreign.publicKey) }, key: foreign.privateKey }),
    ],
    [
      'that says where its key is (jku)',
      () => token({ header: { jku: 'https://evil.example/jwks', kid: 'evil' }, key: foreign.privateKey }),
    ],
    [
      'that says where its certificate is (x5u)',
      () => token({ header: { x5u: 'https://evil.example/x.pem' }, key: foreign.privateKey }),
    ],
    ['with a path as key id', () => token({ header: { kid: '../../dev/null' } })],
    ['with a statement as key id', () => token({ header: { kid: "key-1' or '1'='1" } })],
    [
      'with an unknown critical header',
      () =>
        token({ header: { crit: ['x'], x: 1 } }).catch(
          async () => `${Buffer.from('{"alg":"EdDSA","crit":["x"],"x":1}').toString('base64url')}.e30.AA`,
        ),
    ],
    ['for another audience', () => token({ claims: { aud: 'urn:other' } })],
    ['of another issuer', () => token({ claims: { iss: 'https://id.example.com.evil.example' } })],
    ['of no issuer', () => token({ claims: { iss: undefined as unknown as string } })],
    ['that has expired', () => token({ claims: { exp: seconds(-6) } })],
    ['that never expires', () => token({ claims: { exp: undefined as unknown as number } })],
    ['that is not valid yet', () => token({ claims: { nbf: seconds(60) } })],
    ['without a subject', () => token({ claims: { sub: undefined as unknown as string } })],
    ['that is another kind of token (typ)', () => token({ header: { typ: 'logout+jwt' } })],
    ['whose end is a text', () => token({ claims: { exp: String(seconds(300)) as unknown as number } })],
    ['whose end is no number at all', () => token({ claims: { exp: { valueOf: 1 } as unknown as number } })],
    ['whose beginning is a text', () => token({ claims: { nbf: '0' as unknown as number } })],
    ['of an unknown key', () => token({ header: { kid: 'key-2' } })],
    ['with a list as key id', () => token({ header: { kid: ['key-1'] } })],
    ['that brings a certificate (x5c)', () => token({ header: { x5c: ['MIIB'] } })],
    [
      'with two signatures, as JSON',
      async () => {
        const [protectedHeader, payload, signature] = (await token()).split('.');
        return JSON.stringify({ payload, signatures: [0, 1].map(() => ({ protected: protectedHeader, signature })) });
      },
    ],
    ['with two signatures, one after the other', async () => `${await token()}.${(await token()).split('.')[2]}`],
    [
      'with the signature of another token',
      async () =>
        `${(await token()).split('.').slice(0, 2).join('.')}.${(await token({ claims: { sub: 'x' } })).split('.')[2]}`,
    ],
    [
      'whose claims are a list',
      async () => `${(await token()).split('.')[0]}.${Buffer.from('[]').toString('base64url')}.AA`,
    ],
    ['whose header is null', async () => `${Buffer.from('null').toString('base64url')}.e30.AA`],
    ['with a megabyte of claims', () => token({ claims: { filler: 'x'.repeat(1_000_000) } })],
    ['with an empty subject', () => token({ claims: { sub: '' } })],
    ['of an ended session', () => token({ claims: { sid: 'session-2' } })],
    [
      'with a changed payload',
      async () => {
        const [head, , tail] = (await token()).split('.');
        const iat = seconds(0);
        const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'admin', sid: 'session-1', iat, exp: iat + 300 };
        return `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${tail}`;
      },
    ],
    ['that are no tokens', async () => 'garbage'],
    ['that are empty', async () => ''],
    ['of endless length', async () => 'a'.repeat(100_000)],
  ])('%s are refused, all with the same words', async (_name, make) => {
    await expect((await verifier()).verify(await make())).rejects.toMatchObject({
      code: 'TOKEN_INVALID',
      message: 'The token is not valid or has expired. Sign in again.',
    });
  });

  it('are verified once a minute, but their session is asked every time', async () => {
    const identities = await verifier();
    const mine = await token();
    const before = keyLookups;
    for (let n = 0; n < 5; n++) await identities.verify(mine);
    expect(keyLookups - before).toBe(1);
    liveSessions.delete('session-1');
    await expect(identities.verify(mine)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    liveSessions.add('session-1');
  });

  it('are not remembered beyond their end', async () => {
    const identities = await verifier();
    const mine = await token({ claims: { exp: seconds(10) } });
    await identities.verify(mine);
    clock = new Date(clock.getTime() + 16_000);
    await expect(identities.verify(mine)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
  });

  it('with a wrong signature are looked at once, and those that cannot be valid never', async () => {
    const identities = await verifier();
    const forged = await token({ key: foreign.privateKey });
    const before = keyLookups;
    for (let n = 0; n < 20; n++) await expect(identities.verify(forged)).rejects.toThrow();
    expect(keyLookups - before).toBe(1);
    for (const claims of [{ iss: 'https://elsewhere.example' }, { exp: seconds(-60) }, { aud: 'x' }]) {
      await expect(identities.verify(await token({ claims, key: foreign.privateKey }))).rejects.toThrow();
    }
    expect(keyLookups - before).toBe(1);
    expect(identities.counts()).toEqual({ refused: 23, checked: 1, overloaded: 0 });
  });

  it('that cannot be valid are refused at a look, and nothing is looked up for them', async () => {
    const identities = await verifier();
    const hopeless = [
      'garbage',
      '',
      'a'.repeat(100_000),
      await token({ claims: { iss: 'https://elsewhere.example' } }),
      await token({ claims: { exp: seconds(-60) } }),
      await token({ claims: { aud: 'urn:other' } }),
      await token({ header: { kid: 'key-2' } }),
      await token({ header: { alg: 'RS256', kid: 'rsa' }, key: rsa.privateKey }),
    ];
    const before = keyLookups;
    expect(hopeless.map((one) => identities.refuses(one))).toEqual(hopeless.map(() => true));
    expect(keyLookups).toBe(before);
    expect(identities.counts()).toEqual({ refused: hopeless.length, checked: 0, overloaded: 0 });
  });

  it('are never refused at a look when they may be valid, and a forged one only after it was checked', async () => {
    const identities = await verifier();
    const [mine, forged] = [await token(), await token({ key: foreign.privateKey })];
    expect([identities.refuses(mine), identities.refuses(forged)]).toEqual([false, false]);
    await identities.verify(mine);
    await expect(identities.verify(forged)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    expect([identities.refuses(mine), identities.refuses(forged)]).toEqual([false, true]);
    clock = new Date(clock.getTime() + 11_000);
    expect([identities.refuses(mine), identities.refuses(forged)]).toEqual([false, false]);
  });

  it('are never valid because of the first look at their signature: the full check decides', async () => {
    const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(own.publicKey)), kid: KID, alg: 'EdDSA' }] });
    let says = true;
    const identities = createIdentityVerifier({
      now: () => clock,
      issuers: [
        {
          ...{ issuer: ISSUER, audience: AUDIENCE, algorithms: ['EdDSA'], keys },
          knowsKey: async () => true,
          mayBeSigned: async () => says,
          identityOf: () => ({ externalId: null, sessionId: null, mfa: true, social: false }),
        },
      ],
    });
    await expect(identities.verify(await token({ key: foreign.privateKey }))).rejects.toMatchObject({
      code: 'TOKEN_INVALID',
    });
    says = false;
    const refused = await token({ claims: { jti: 'a' } });
    await expect(identities.verify(refused)).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    expect(identities.refuses(refused)).toBe(true);
  });

  it('in a flood are refused without an end of waiting, and valid ones known already are not held up', async () => {
    const identities = await verifier();
    const mine = await token();
    await identities.verify(mine);
    const flood = await Promise.all(
      Array.from({ length: 400 }, (_, n) => token({ key: foreign.privateKey, claims: { jti: String(n) } })),
    );
    const order: string[] = [];
    const refusals = flood.map((one) =>
      identities.verify(one).catch((error: { code: string }) => order.push(error.code)),
    );
    await identities.verify(mine).then(() => order.push('mine'));
    await Promise.all(refusals);
    expect(order.indexOf('mine')).toBeLessThan(order.indexOf('TOKEN_INVALID'));
    const { checked, overloaded } = identities.counts();
    expect(checked + overloaded).toBe(400);
    expect(overloaded).toBeGreaterThan(100);
    // Whoever was turned away may come again: nothing was decided about their token.
    await expect(identities.verify(await token({ claims: { jti: 'late' } }))).resolves.toMatchObject({
      subject: 'user-1',
    });
  });

  it('of an issuer that names no audience are for the applications on the list only', async () => {
    const keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(own.publicKey)), kid: KID, alg: 'EdDSA' }] });
    const issuer = {
      issuer: ISSUER,
      algorithms: ['EdDSA'],
      keys,
      identityOf: () => ({ externalId: null, sessionId: null, mfa: true, social: false }),
    };
    expect(() => createIdentityVerifier({ issuers: [issuer], now: () => clock })).toThrow(/audience/);
    const identities = createIdentityVerifier({
      now: () => clock,
      issuers: [
        {
          ...issuer,
          authorizedParties: ['https://air.example.com'],
          check: ({ sts }) => sts !== 'pending',
        },
      ],
    });
    const claimed = (claims: JWTPayload) => token({ claims: { aud: undefined as unknown as string, ...claims } });
    const azp = 'https://air.example.com';
    await expect(identities.verify(await claimed({ azp }))).resolves.toMatchObject({ subject: 'user-1' });
    for (const claims of [{}, { azp: 'https://evil.example' }, { azp: [azp] }, { azp, sts: 'pending' }]) {
      await expect(identities.verify(await claimed(claims))).rejects.toMatchObject({ code: 'TOKEN_INVALID' });
    }
  });
});
