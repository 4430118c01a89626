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
        isSessionLive: async (id) => liveSessions.has(id),
        identityOf: (claims) => ({ externalId: null, sessionId: String(claims.sid), mfa: true }),
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
});
