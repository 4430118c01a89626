/**
 * The built-in sign-in: better-auth on our PostgreSQL, schema `identity`. Only what is switched on here exists, and
 * only the paths of auth-routes.ts are reachable. Its own lock-out and rate limits are off, because they are not exact
 * under parallel tries; attempt-guard.ts does both.
 */
import { PASSWORD_MAX, PASSWORD_MIN } from '@airdeck/contracts/access/password-problems';
import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { isAPIError } from 'better-auth/api';
import { jwt } from 'better-auth/plugins/jwt';
import { twoFactor } from 'better-auth/plugins/two-factor';
import type { Pool } from 'pg';
import type { AttemptGuard } from './attempt-guard.ts';
import type { PasswordHashes } from './password-hash.ts';
import { createSecondFactorHook } from './second-factor.ts';
import { isExternalMethod } from './sso-sessions.ts';

export const LOCAL_ISSUER = 'urn:airdeck:identity';
export const LOCAL_AUDIENCE = 'urn:airdeck:api';
export const AUTH_PATH = '/auth';
/** better-auth wants an absolute address; requests reach it in-process under this name only. */
export const AUTH_ORIGIN = 'http://identity.airdeck.internal';
/** From the sign-in on, however much it is used; a session nobody uses ends earlier. */
export const SESSION_LIFETIME_S = 12 * 3600;
const TOKEN_LIFETIME = '5m';

export type SignInOptions = {
  pool: Pool;
  guard: AttemptGuard;
  hashes: Pick<PasswordHashes, 'make' | 'verify'>;
  now: () => Date;
  /** At least 32 random bytes as text; encrypts authenticator secrets and signing keys, signs cookies. */
  secret: string;
  /** Served over https: cookies are `__Host-` and `Secure`. */
  secure: boolean;
  productName: string;
  ids: () => string;
  /** Seconds after which a session ends that nobody uses. */
  sessionIdleS: number;
  log: { error(fields: object, message: string): void };
};

export function signInOptions(options: SignInOptions) {
  const { pool, hashes, secret, secure, ids, sessionIdleS, log } = options;
  const prefix = secure ? '__Host-' : '';
  const attributes = { secure, httpOnly: true, sameSite: 'lax', path: '/' } as const;
  return {
    appName: options.productName,
    baseURL: AUTH_ORIGIN,
    basePath: AUTH_PATH,
    secret,
    database: pool,
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_MIN,
      maxPasswordLength: PASSWORD_MAX,
      password: { hash: hashes.make, verify: ({ hash, password }) => hashes.verify(hash, password) },
    },
    user: { additionalFields: { externalId: { type: 'string', required: true, input: false } } },
    session: {
      expiresIn: sessionIdleS,
      // Only rotation-refresh.ts puts the end off.
      updateAge: SESSION_LIFETIME_S,
      cookieCache: { enabled: false },
      additionalFields: {
        /** How it began: `password`, `passkey` or `external:<connection>`. */
        method: { type: 'string', required: false, input: false },
        /** A second factor was given, or a passkey that is one. */
        strong: { type: 'boolean', required: false, input: false },
        /** When the person last proved who they are; sensitive changes ask again after a while. */
        provenAt: { type: 'date', required: false, input: false },
      },
    },
    advanced: {
      cookiePrefix: 'air',
      useSecureCookies: false,
      defaultCookieAttributes: attributes,
      cookies: {
        session_token: { name: `${prefix}air_session`, attributes },
        two_factor: { name: `${prefix}air_second_factor`, attributes },
      },
      database: { generateId: () => ids() },
      ipAddress: { ipAddressHeaders: ['x-airdeck-client'] },
      // auth-routes.ts checks the origin of every request, stricter and before this code is reached.
      disableCSRFCheck: true,
    },
    // Its messages may carry e-mail addresses, and what it refused is in the audit: only what broke is logged.
    logger: { disabled: true },
    onAPIError: {
      onError: (error) => {
        if (!isAPIError(error))
          log.error({ error: error instanceof Error ? error.name : 'unknown' }, 'sign-in provider failed');
      },
    },
    hooks: { before: createSecondFactorHook(options) },
    plugins: [
      twoFactor({
        issuer: options.productName,
        accountLockout: { enabled: false },
        twoFactorCookieMaxAge: 600,
        backupCodeOptions: { storeBackupCodes: 'encrypted' },
      }),
      jwt({
        disableSettingJwtHeader: true,
        jwks: { keyPairConfig: { alg: 'EdDSA', crv: 'Ed25519' } },
        jwt: {
          issuer: LOCAL_ISSUER,
          audience: LOCAL_AUDIENCE,
          expirationTime: TOKEN_LIFETIME,
          definePayload: ({ user, session }) => tokenClaims(user, session),
        },
      }),
    ],
  } satisfies BetterAuthOptions;
}

export function createSignInProvider(options: SignInOptions) {
  return betterAuth(signInOptions(options));
}

export type SignInProvider = ReturnType<typeof createSignInProvider>;

/**
 * What access tokens say besides subject, issuer and times. A session that began with a password had the second factor
 * given where the account has one; one that began elsewhere only when it says so itself.
 */
export function tokenClaims(
  user: Record<string, unknown>,
  session: Record<string, unknown>,
  { externalSuffices }: { externalSuffices: boolean } = { externalSuffices: false },
) {
  const isExternal = isExternalMethod(session.method);
  return {
    external_id: user.externalId,
    sid: session.id,
    mfa: session.strong === true || (!isExternal && user.twoFactorEnabled === true),
    social: isExternal && externalSuffices,
  };
}
