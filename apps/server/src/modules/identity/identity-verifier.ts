/**
 * Access tokens, from our own provider or any OpenID Connect issuer.
 *
 * What cannot be valid (shape, issuer, algorithm, times, audience, unknown key) is refused before any cryptography and
 * without a store (token-shape.ts), and `refuses` says so at once. What is left is checked in full once and remembered for
 * a while, right or wrong (token-memory.ts). Only a few signatures are checked at a time, away from the main thread; when
 * too many wait, the rest is refused as OVERLOADED, because such a token may well be valid. Whether a session still lives
 * is asked every time. The issuer's key set decides about keys; nothing a token says about itself (`jwk`, `jku`, `x5u`) is
 * ever looked at. Refused tokens are counted, not recorded.
 */
import { errors, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions, jwtVerify } from 'jose';
import { AppError } from '../../http/app-error.ts';
import { createTokenMemory } from './token-memory.ts';
import { isPlausible, isTokenShaped, readToken, type TokenParts } from './token-shape.ts';
import { createWorkLimit } from './work-limit.ts';

const CLOCK_TOLERANCE_S = 5;
const PARALLEL_CHECKS = 2;
const WAITING_CHECKS = 200;
const REPORT_EVERY_MS = 60_000;
/** One for all of them: nobody asks where it came from. */
const WRONG_SIGNATURE = new errors.JWSSignatureVerificationFailed();

/** Who a token speaks for. Issuer and subject together are the identity. */
export type VerifiedIdentity = {
  readonly issuer: string;
  readonly subject: string;
  /** Our own user's id as the provider knows it; null where it does not. */
  readonly externalId: string | null;
  readonly sessionId: string | null;
  /** Whether a second factor is set up and was given. */
  readonly mfa: boolean;
  /** Signed in through an external account, whose provider answers for the strength of that. */
  readonly social: boolean;
  readonly expiresAt: Date;
};

export interface IdentityVerifier {
  /**
   * Whether a look at the token is enough to refuse it, which then counts as refused. Waits for nothing and asks no store,
   * so that a flood of such tokens costs little. False says nothing: `verify` decides.
   */
  refuses(token: string): boolean;
  /** Throws TOKEN_INVALID for every reason a token may be refused for, without saying which; OVERLOADED in a flood. */
  verify(token: string): Promise<VerifiedIdentity>;
  /** How many tokens were refused since the start, and how many of them only after a signature was checked. */
  counts(): { refused: number; checked: number; overloaded: number };
}

export type TrustedIssuer = {
  readonly issuer: string;
  /** Whom its tokens must be for. Left out for issuers that do not say: a rule for `azp` is needed then. */
  readonly audience?: string;
  /** Values of `azp` that are accepted: the applications tokens were issued to. */
  readonly authorizedParties?: readonly string[];
  /** The same as a rule, where the applications are known late or tokens may leave `azp` out. */
  readonly acceptsParty?: (azp: unknown) => boolean;
  readonly algorithms: readonly string[];
  readonly keys: JWTVerifyGetKey;
  /** False for key ids the issuer does not have; saves looking for them. */
  readonly knowsKey?: (keyId: string) => Promise<boolean>;
  /** True where that is certain already, without looking; `knowsKey` would say false. */
  readonly lacksKey?: (keyId: string) => boolean;
  /** False for a token this key certainly did not sign: a cheap first look, before the full check that decides. */
  readonly mayBeSigned?: (keyId: string, token: string) => Promise<boolean>;
  /** False for claims that are right but not acceptable here. Asked after the signature. */
  readonly check?: (claims: JWTPayload) => boolean;
  /** False once the session was ended; left out for issuers whose sessions are not ours to know. */
  readonly isSessionLive?: (sessionId: string) => Promise<boolean>;
  readonly identityOf: (claims: JWTPayload) => Pick<VerifiedIdentity, 'externalId' | 'sessionId' | 'mfa' | 'social'>;
};

type Dependencies = {
  issuers: readonly TrustedIssuer[];
  now: () => Date;
  /** Told about refused tokens once a minute, never about each. */
  log?: { warn(fields: object, message: string): void };
};

/** Throws when an issuer says neither for whom nor to whom its tokens are issued: any of its tokens would pass. */
export function createIdentityVerifier(deps: Dependencies): IdentityVerifier {
  const { now } = deps;
  for (const { issuer, audience, authorizedParties = [], acceptsParty } of deps.issuers) {
    if (audience === undefined && authorizedParties.length === 0 && acceptsParty === undefined) {
      throw new Error(`The issuer ${issuer} needs an audience or authorized parties.`);
    }
  }
  const issuers = new Map(deps.issuers.map((issuer) => [issuer.issuer, issuer]));
  const memory = createTokenMemory<VerifiedIdentity>({ now });
  // One issuer whose keys take long to come must not keep the tokens of the others waiting.
  const limits = new Map(
    deps.issuers.map(({ issuer }) => [issuer, createWorkLimit({ parallel: PARALLEL_CHECKS, waiting: WAITING_CHECKS })]),
  );
  const counts = { refused: 0, checked: 0, overloaded: 0 };
  let reported = { at: now().getTime(), ...counts };

  function report(): void {
    const at = now().getTime();
    if (at - reported.at < REPORT_EVERY_MS) return;
    const [refused, overloaded] = [counts.refused - reported.refused, counts.overloaded - reported.overloaded];
    deps.log?.warn({ refused, overloaded }, 'access tokens refused since the last report');
    reported = { at, ...counts };
  }

  function isHopeless(token: string): boolean {
    if (!isTokenShaped(token)) return true;
    const known = memory.find(token);
    if (known !== undefined) return known === 'wrong';
    const plausible = plausibleIn(token);
    return plausible === undefined || plausible.trusted.lacksKey?.(plausible.keyId) === true;
  }

  function plausibleIn(token: string): Plausible | undefined {
    const parts = readToken(token);
    return parts && plausibleFor(parts, issuers, now());
  }

  async function checkedIdentity(token: string): Promise<VerifiedIdentity> {
    const plausible = plausibleIn(token);
    const limit = plausible && limits.get(plausible.trusted.issuer);
    if (plausible === undefined || limit === undefined) throw new AppError('TOKEN_INVALID');
    const { trusted, keyId } = plausible;
    if ((await trusted.knowsKey?.(keyId)) === false) throw new AppError('TOKEN_INVALID');
    try {
      const identity = await limit(async () => {
        if ((await trusted.mayBeSigned?.(keyId, token)) === false) {
          throw new AppError('TOKEN_INVALID', { cause: WRONG_SIGNATURE });
        }
        return await verifyInFull(token, trusted, now());
      });
      memory.keepRight(token, identity);
      return identity;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'TOKEN_INVALID') throw error;
      counts.checked++;
      // Only what can never become right: a wrong signature stays wrong.
      if (error.cause instanceof errors.JWSSignatureVerificationFailed) memory.keepWrong(token);
      throw error;
    }
  }

  async function verified(token: string): Promise<VerifiedIdentity> {
    if (!isTokenShaped(token)) throw new AppError('TOKEN_INVALID');
    const known = memory.find(token);
    if (known === 'wrong') throw new AppError('TOKEN_INVALID');
    return known ?? (await checkedIdentity(token));
  }

  return {
    refuses(token) {
      const isRefused = isHopeless(token);
      if (isRefused) {
        counts.refused++;
        report();
      }
      return isRefused;
    },
    async verify(token) {
      try {
        const identity = await verified(token);
        const isSessionLive = issuers.get(identity.issuer)?.isSessionLive;
        if (isSessionLive === undefined) return identity;
        if (identity.sessionId !== null && (await isSessionLive(identity.sessionId))) return identity;
        throw new AppError('TOKEN_INVALID');
      } catch (error) {
        if (error instanceof AppError && error.code === 'TOKEN_INVALID') counts.refused++;
        if (error instanceof AppError && error.code === 'OVERLOADED') counts.overloaded++;
        report();
        throw error;
      }
    },
    counts: () => ({ ...counts }),
  };
}

/** The issuer whose keys and rules decide, and which of the keys; empty where tokens need not name one. */
type Plausible = { trusted: TrustedIssuer; keyId: string };

/** Undefined when the token cannot pass. What it says is not verified yet. */
function plausibleFor(
  parts: TokenParts,
  issuers: ReadonlyMap<string, TrustedIssuer>,
  now: Date,
): Plausible | undefined {
  const { iss } = parts.claims;
  const trusted = typeof iss === 'string' ? issuers.get(iss) : undefined;
  if (trusted === undefined) return undefined;
  const { algorithms, audience, knowsKey } = trusted;
  const nowS = Math.floor(now.getTime() / 1000);
  if (!isPlausible(parts, { algorithms, audience, nowS, clockToleranceS: CLOCK_TOLERANCE_S })) return undefined;
  const { kid } = parts.header;
  if (typeof kid === 'string') return { trusted, keyId: kid };
  return knowsKey === undefined ? { trusted, keyId: '' } : undefined;
}

async function verifyInFull(token: string, trusted: TrustedIssuer, currentDate: Date): Promise<VerifiedIdentity> {
  const { issuer, audience, authorizedParties, check } = trusted;
  const options: JWTVerifyOptions = {
    issuer,
    algorithms: [...trusted.algorithms],
    requiredClaims: ['sub', 'exp', 'iat'],
    clockTolerance: CLOCK_TOLERANCE_S,
    currentDate,
    ...(audience === undefined ? {} : { audience }),
  };
  try {
    const { payload } = await jwtVerify(token, trusted.keys, options);
    const { sub, exp, azp } = payload;
    if (sub === undefined || sub === '' || exp === undefined) throw new AppError('TOKEN_INVALID');
    if (authorizedParties !== undefined && !(typeof azp === 'string' && authorizedParties.includes(azp))) {
      throw new AppError('TOKEN_INVALID');
    }
    if (trusted.acceptsParty?.(azp) === false) throw new AppError('TOKEN_INVALID');
    if (check?.(payload) === false) throw new AppError('TOKEN_INVALID');
    return { issuer, subject: sub, expiresAt: new Date(exp * 1000), ...trusted.identityOf(payload) };
  } catch (cause) {
    // What is wrong with the token is for the log; a key set that cannot be read is not the token's fault.
    if (isKeySetFailure(cause)) throw new AppError('OVERLOADED', { cause, retryAfterS: 5 });
    if (cause instanceof errors.JOSEError || cause instanceof TypeError) throw new AppError('TOKEN_INVALID', { cause });
    throw cause;
  }
}

function isKeySetFailure(cause: unknown): boolean {
  return cause instanceof errors.JWKSTimeout || cause instanceof errors.JWKSInvalid;
}
