/**
 * The token of a notice: an access token of the publisher's directory, made out to our application, for the marketplace.
 *
 * The checks are those of every other access token (identity-verifier.ts: shape, algorithm, times and audience before any
 * cryptography, few signatures at a time, refusals counted and logged once a minute). The keys come from the directory's
 * OpenID configuration through the guarded egress, are read again after a day or for a key that is not among them, and
 * after a failure not before ten seconds.
 */
import type { JSONWebKeySet, JWTPayload } from 'jose';
import { AppError } from '../../http/app-error.ts';
import { createIdentityVerifier } from '../identity/identity-verifier.ts';
import { createSigningKeys, type SigningKeys } from '../identity/signing-keys.ts';
import { keySetSchema, openIdSchema } from './marketplace-answers.ts';
import {
  answerOf,
  CALL_TIMEOUT_MS,
  type ClientDependencies,
  guarded,
  INSTALLATION,
  MARKETPLACE_APP,
  unusable,
} from './marketplace-client.ts';

const KEYS_LIVE_MS = 24 * 3_600_000;
const AFTER_FAILURE_MS = 10_000;
const BEARER = /^Bearer ([A-Za-z0-9._~+/=-]{1,4096})$/i;

/** Throws TOKEN_INVALID for every reason, without saying which; MARKETPLACE_UNAVAILABLE while no keys can be read. */
export type VerifyNotice = (authorization: string | undefined) => Promise<void>;

export function createNoticeVerifier(deps: ClientDependencies): VerifyNotice {
  const { config } = deps;
  const keys = createDirectoryKeys(deps);
  const verifier = createIdentityVerifier({
    ...deps,
    issuers: [`https://sts.windows.net/${config.directory}/`, `${config.loginUrl}/${config.directory}/v2.0`].map(
      (issuer) => ({
        issuer,
        audience: config.clientId,
        algorithms: ['RS256'],
        keys: (header, token) => keys().get(header, token),
        knowsKey: (keyId) => keys().knows(keyId),
        check: (claims) => isOfMarketplace(claims, config.directory),
        identityOf: () => ({ externalId: null, sessionId: null, mfa: false, social: false }),
      }),
    ),
  });
  return async (authorization) => {
    const token = BEARER.exec(authorization ?? '')?.[1];
    if (token === undefined) throw new AppError('TOKEN_INVALID');
    await verifier.verify(token);
  };
}

/** Tokens of the first version say `appid`, those of the second `azp`; one that says both must mean the same. */
function isOfMarketplace({ tid, azp, appid }: JWTPayload, directory: string): boolean {
  const parties = [azp, appid].filter((party) => party !== undefined);
  return tid === directory && parties.length > 0 && parties.every((party) => party === MARKETPLACE_APP);
}

function createDirectoryKeys(deps: ClientDependencies): () => SigningKeys {
  const { now } = deps;
  let failedAt = Number.NEGATIVE_INFINITY;
  let kept: { keys: SigningKeys; until: number } | undefined;

  async function load(): Promise<JSONWebKeySet> {
    if (now().getTime() - failedAt < AFTER_FAILURE_MS) throw new AppError('MARKETPLACE_UNAVAILABLE');
    try {
      return await fetchKeys(deps);
    } catch (error) {
      failedAt = now().getTime();
      throw error;
    }
  }

  return () => {
    if (kept === undefined || kept.until <= now().getTime()) {
      kept = { keys: createSigningKeys({ load, now }), until: now().getTime() + KEYS_LIVE_MS };
    }
    return kept.keys;
  };
}

async function fetchKeys(deps: ClientDependencies): Promise<JSONWebKeySet> {
  const { loginUrl, directory } = deps.config;
  const named = { name: 'get signing keys', requestId: deps.ids() };
  const read = async (url: string) => {
    const request = { tenant: INSTALLATION, method: 'GET', url, timeoutMs: CALL_TIMEOUT_MS } as const;
    const answer = answerOf(await guarded(deps, named, { ...request, headers: { accept: 'application/json' } }));
    if (answer.status !== 200) throw unusable(deps, named, { status: answer.status });
    return answer.body;
  };
  const configuration = openIdSchema.safeParse(
    await read(`${loginUrl}/${directory}/v2.0/.well-known/openid-configuration`),
  );
  // The keys of somebody else's host would be somebody else's word.
  if (!configuration.success || new URL(configuration.data.jwks_uri).origin !== new URL(loginUrl).origin) {
    throw unusable(deps, named, { unreadable: ['configuration'] });
  }
  const set = keySetSchema.safeParse(await read(configuration.data.jwks_uri));
  if (!set.success) throw unusable(deps, named, { unreadable: ['keys'] });
  return set.data as JSONWebKeySet;
}
