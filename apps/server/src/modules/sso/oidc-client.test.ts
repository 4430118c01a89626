import type { Egress, EgressRequest } from '@airdeck/connector-kit/egress';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { connectionTo } from './connection-fixture.ts';
import { createOidcClient } from './oidc-client.ts';

const ISSUER = 'https://login.example.com';
const request = {
  redirectUri: 'https://air.example.com/auth/external/callback',
  state: 'the-state-of-this-browser',
  nonce: 'the-nonce-of-this-browser',
  verifier: 'v'.repeat(43),
};

const connection = connectionTo(ISSUER);
const CLIENT = connection.clientId;

let own: GenerateKeyPairResult;
let foreign: GenerateKeyPairResult;
let signing: Record<string, unknown>;
beforeAll(async () => {
  [own, foreign] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  signing = { ...(await exportJWK(own.publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
});

const nowS = () => Math.floor(Date.now() / 1000);
const genuine = (): JWTPayload => ({
  iss: ISSUER,
  aud: CLIENT,
  sub: 'ana',
  nonce: request.nonce,
  iat: nowS(),
  exp: nowS() + 60,
  email: 'ana@example.com',
  email_verified: true,
});

function without(name: string): JWTPayload {
  return Object.fromEntries(Object.entries(genuine()).filter(([claim]) => claim !== name));
}

const signed = (claims: JWTPayload, key = own.privateKey) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'k' }).sign(key);

/** What the network answers: an issuer whose token endpoint gives this ID token to whoever asks. */
function issuerGiving(idToken: string): Egress {
  const documents: Record<string, object> = {
    '/.well-known/openid-configuration': {
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      jwks_uri: `${ISSUER}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    },
    '/keys': { keys: [signing] },
    '/token': { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: idToken },
  };
  return {
    request: ({ url }: EgressRequest) =>
      Promise.resolve({
        status: 200,
        headers: { 'content-type': 'application/json' },
        text: JSON.stringify(documents[new URL(url).pathname]),
        retryAfterS: undefined,
      }),
  };
}

async function exchanged(idToken: string, query: Record<string, string> = {}) {
  const egress = issuerGiving(idToken);
  const client = createOidcClient({ egress, ownEgress: egress, now: () => new Date() });
  return await client.exchange(connection, request, new URLSearchParams({ code: 'c', state: request.state, ...query }));
}

/** The same token with another payload: its signature is of the one before. */
async function altered(): Promise<string> {
  const [head, , signature] = (await signed(genuine())).split('.');
  const payload = Buffer.from(JSON.stringify({ ...genuine(), sub: 'eve' })).toString('base64url');
  return [head, payload, signature].join('.');
}

describe('an ID token that came straight from the issuer', () => {
  it('is taken when everything of it is right', async () => {
    expect(await exchanged(await signed(genuine()))).toMatchObject({ issuer: ISSUER, subject: 'ana' });
  });

  it.each<[string, () => Promise<string> | string]>([
    ['is signed with a key that is not its issuer’s', () => signed(genuine(), foreign.privateKey)],
    ['was changed after it was signed', altered],
    ['is not signed at all', () => new UnsecuredJWT(genuine()).encode()],
    [
      'is signed with the public key as a secret',
      async () =>
        await new SignJWT(genuine())
          .setProtectedHeader({ alg: 'HS256', kid: 'k' })
          .sign(Buffer.from(JSON.stringify(await exportJWK(own.publicKey)))),
    ],
    ['is of another issuer', () => signed({ ...genuine(), iss: 'https://login.other.example' })],
    ['is for another client', () => signed({ ...genuine(), aud: 'somebody-else' })],
    ['is for others too, and made for another', () => signed({ ...genuine(), aud: [CLIENT, 'x'], azp: 'x' })],
    ['was asked for by another browser', () => signed({ ...genuine(), nonce: 'another' })],
    ['names nothing of who asked for it', () => signed(without('nonce'))],
    ['is no longer valid', () => signed({ ...genuine(), iat: nowS() - 7200, exp: nowS() - 3600 })],
    ['names nobody', () => signed(without('sub'))],
  ])('is not when it %s', async (_what, forged) => {
    const failure = await exchanged(await forged()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ExternalFailure', reason: 'ANSWER_INVALID' });
  });

  it.each([
    ['another state', { state: 'another' }],
    ['another issuer named beside the code', { iss: 'https://login.other.example' }],
  ])('is not asked for with %s', async (_what, query) => {
    const failure = await exchanged(await signed(genuine()), query).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'ExternalFailure' });
  });
});
