/**
 * Access tokens, from our own provider or any OpenID Connect issuer.
 *
 * A token is checked in full once (issuer, audience, algorithm, key, times) and then remembered by its hash for at most
 * a minute and never beyond its end. Whether its session still lives is asked every time. The issuer's key set decides
 * about keys; nothing a token says about itself (`jwk`, `jku`, `x5u`) is ever looked at.
 */
import { createHash } from 'node:crypto';
import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { AppError } from '../../http/app-error.ts';

const REMEMBERED_MS = 60_000;
const REMEMBERED_MAX = 10_000;
const CLOCK_TOLERANCE_S = 5;
const TOKEN_MAX_LENGTH = 4096;

/** Who a token speaks for. Issuer and subject together are the identity. */
export type VerifiedIdentity = {
  readonly issuer: string;
  readonly subject: string;
  /** Our own user's id as the provider knows it; null where it does not. */
  readonly externalId: string | null;
  readonly sessionId: string | null;
  /** Whether a second factor is set up and was given. */
  readonly mfa: boolean;
  readonly expiresAt: Date;
};

export interface IdentityVerifier {
  /** Throws TOKEN_INVALID for every reason a token may be refused for, without saying which. */
  verify(token: string): Promise<VerifiedIdentity>;
}

export type TrustedIssuer = {
  readonly issuer: string;
  readonly audience: string;
  readonly algorithms: readonly string[];
  readonly keys: JWTVerifyGetKey;
  /** False once the session was ended; left out for issuers whose sessions are not ours to know. */
  readonly isSessionLive?: (sessionId: string) => Promise<boolean>;
  readonly identityOf: (claims: JWTPayload) => Pick<VerifiedIdentity, 'externalId' | 'sessionId' | 'mfa'>;
};

type Remembered = { identity: VerifiedIdentity; until: number };

export function createIdentityVerifier(deps: { issuers: readonly TrustedIssuer[]; now: () => Date }): IdentityVerifier {
  const { now } = deps;
  const issuers = new Map(deps.issuers.map((issuer) => [issuer.issuer, issuer]));
  const remembered = new Map<string, Remembered>();

  function remember(hash: string, identity: VerifiedIdentity): void {
    if (remembered.size >= REMEMBERED_MAX) {
      const oldest = remembered.keys().next();
      if (!oldest.done) remembered.delete(oldest.value);
    }
    remembered.set(hash, { identity, until: Math.min(identity.expiresAt.getTime(), now().getTime() + REMEMBERED_MS) });
  }

  async function verified(token: string): Promise<VerifiedIdentity> {
    const hash = createHash('sha256').update(token).digest('base64');
    const known = remembered.get(hash);
    if (known !== undefined && known.until > now().getTime()) return known.identity;
    remembered.delete(hash);
    const identity = await verifyInFull(token, issuers, now());
    remember(hash, identity);
    return identity;
  }

  return {
    async verify(token) {
      if (token.length > TOKEN_MAX_LENGTH) throw new AppError('TOKEN_INVALID');
      const identity = await verified(token);
      const isSessionLive = issuers.get(identity.issuer)?.isSessionLive;
      if (isSessionLive !== undefined && (identity.sessionId === null || !(await isSessionLive(identity.sessionId)))) {
        throw new AppError('TOKEN_INVALID');
      }
      return identity;
    },
  };
}

async function verifyInFull(
  token: string,
  issuers: ReadonlyMap<string, TrustedIssuer>,
  currentDate: Date,
): Promise<VerifiedIdentity> {
  try {
    // Unverified: it only picks the issuer whose keys and rules then decide.
    const { iss } = decodeJwt(token);
    const trusted = iss === undefined ? undefined : issuers.get(iss);
    if (trusted === undefined) throw new AppError('TOKEN_INVALID');
    const { payload } = await jwtVerify(token, trusted.keys, {
      issuer: trusted.issuer,
      audience: trusted.audience,
      algorithms: [...trusted.algorithms],
      requiredClaims: ['sub', 'exp', 'iat'],
      clockTolerance: CLOCK_TOLERANCE_S,
      currentDate,
    });
    const { sub, exp } = payload;
    if (sub === undefined || sub === '' || exp === undefined) throw new AppError('TOKEN_INVALID');
    return { issuer: trusted.issuer, subject: sub, expiresAt: new Date(exp * 1000), ...trusted.identityOf(payload) };
  } catch (cause) {
    // What is wrong with the token is for the log; a key set that cannot be read is not the token's fault.
    if (cause instanceof errors.JOSEError || cause instanceof TypeError) throw new AppError('TOKEN_INVALID', { cause });
    throw cause;
  }
}
