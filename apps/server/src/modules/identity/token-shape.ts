import { isJsonObject } from '@airdeck/contracts/json-object';
/**
 * What can be said about a token without any cryptography. Anybody can send tokens, so whatever cannot possibly be valid
 * has to cost next to nothing; nothing here makes a token valid.
 */

export type TokenClaims = Readonly<Record<string, unknown>>;
export type TokenParts = { header: TokenClaims; claims: TokenClaims };

export type Plausibility = {
  algorithms: readonly string[];
  audience: string | undefined;
  /** Seconds since 1970. */
  nowS: number;
  clockToleranceS: number;
};

const THREE_PARTS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
/** Headers by which a token would bring or choose its own key, or change how it is read. */
const refusedHeaders = ['jwk', 'jku', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc'] as const;
/** Access tokens only: what other kinds of tokens of the same issuer are called must not pass. */
const acceptedTypes: ReadonlySet<string> = new Set(['jwt', 'at+jwt', 'application/at+jwt']);
const KEY_ID_MAX = 200;
const TOKEN_MAX_LENGTH = 4096;

/** Three parts of the right letters, of a length that can be dealt with. */
export function isTokenShaped(token: string): boolean {
  return token.length <= TOKEN_MAX_LENGTH && THREE_PARTS.test(token);
}

/** Header and claims of a compact JWS that has its shape; undefined for anything else. */
export function readToken(token: string): TokenParts | undefined {
  const [head = '', body = ''] = token.split('.', 2);
  const header = jsonObject(head);
  const claims = header && jsonObject(body);
  return header && claims ? { header, claims } : undefined;
}

export function isPlausible({ header, claims }: TokenParts, expected: Plausibility): boolean {
  return isPlausibleHeader(header, expected.algorithms) && isPlausibleTime(claims, expected) && isFor(claims, expected);
}

function isPlausibleHeader(header: TokenClaims, algorithms: readonly string[]): boolean {
  const { alg, kid, typ } = header;
  if (typeof alg !== 'string' || !algorithms.includes(alg)) return false;
  if (kid !== undefined && (typeof kid !== 'string' || kid === '' || kid.length > KEY_ID_MAX)) return false;
  if (typ !== undefined && (typeof typ !== 'string' || !acceptedTypes.has(typ.toLowerCase()))) return false;
  return refusedHeaders.every((name) => !Object.hasOwn(header, name));
}

function isPlausibleTime({ exp, iat, nbf }: TokenClaims, { nowS, clockToleranceS }: Plausibility): boolean {
  if (typeof exp !== 'number' || exp <= nowS - clockToleranceS) return false;
  if (typeof iat !== 'number') return false;
  return nbf === undefined || (typeof nbf === 'number' && nbf <= nowS + clockToleranceS);
}

function isFor({ sub, aud }: TokenClaims, { audience }: Plausibility): boolean {
  if (typeof sub !== 'string' || sub === '') return false;
  return audience === undefined || aud === audience || (Array.isArray(aud) && aud.includes(audience));
}

function jsonObject(part: string): TokenClaims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? (value as TokenClaims) : undefined;
  } catch {
    return undefined;
  }
}
