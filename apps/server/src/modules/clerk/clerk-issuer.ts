import type { JWTPayload } from 'jose';
import type { TrustedIssuer } from '../identity/identity-verifier.ts';
import type { ClerkKeys } from './clerk-keys.ts';

/**
 * Session tokens of a Clerk instance. They name no audience; `azp` is the origin of the page they were made for. Tokens
 * of templates, which are for other services, carry no session and do not pass.
 */
export function clerkIssuer(deps: {
  issuer: string;
  keys: ClerkKeys;
  /** Origins of our own dashboard. */
  ownOrigins: () => readonly string[];
}): TrustedIssuer {
  return {
    issuer: deps.issuer,
    algorithms: ['RS256'],
    keys: deps.keys.get,
    knowsKey: deps.keys.knows,
    lacksKey: deps.keys.lacks,
    // Absent where no browser asked; another page's tokens always carry its origin.
    acceptsParty: (azp) => azp === undefined || (typeof azp === 'string' && deps.ownOrigins().includes(azp)),
    check: (claims) => isText(claims.sid) && (claims.sts === undefined || claims.sts === 'active'),
    identityOf: (claims) => ({
      // Clerk's tokens do not carry it: users are found by issuer and subject.
      externalId: null,
      sessionId: isText(claims.sid) ? claims.sid : null,
      mfa: secondFactorAge(claims) >= 0,
      social: false,
    }),
  };
}

/** Minutes since the second factor was given; −1 for never. */
function secondFactorAge({ fva }: JWTPayload): number {
  const age: unknown = Array.isArray(fva) ? fva[1] : undefined;
  return typeof age === 'number' && Number.isInteger(age) ? age : -1;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
