import type { Pool } from 'pg';
import type { Database } from '../../storage/database.ts';
import { createAttemptGuard } from './attempt-guard.ts';
import { type AuthCalls, createAuthCalls, type SignInEvent } from './auth-routes.ts';
import { SESSION_ENDED_CHANNEL } from './identity-migrations.ts';
import { createIdentityVerifier, type IdentityVerifier, type TrustedIssuer } from './identity-verifier.ts';
import { createLocalUsers, type LocalUsers } from './local-users.ts';
import { createSessionRegistry } from './session-registry.ts';
import { createSignInProvider, LOCAL_AUDIENCE, LOCAL_ISSUER } from './sign-in-provider.ts';
import { createSignInSessions } from './sign-in-sessions.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createWorkLimit } from './work-limit.ts';

/** Hashing a password keeps a processor busy; more at a time would only make all of them slower. */
const PARALLEL_SIGN_INS = 2;
const WAITING_SIGN_INS = 32;
const TIDY_EVERY_MS = 3_600_000;

type Dependencies = {
  pool: Pool;
  db: Pick<Database, 'listen'>;
  secret: string;
  secure: boolean;
  productName: string;
  /** Trusted besides the built-in provider. */
  issuers?: readonly TrustedIssuer[];
  record: (event: SignInEvent) => Promise<void>;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

export type IdentityModule = {
  verifier: IdentityVerifier;
  users: LocalUsers;
  authCalls: AuthCalls;
  /** Follows ended sessions; `onSessionEnd` is told about each. */
  start(onSessionEnd: () => void): Promise<void>;
  stop(): Promise<void>;
};

export function createIdentityModule(deps: Dependencies): IdentityModule {
  const { pool, now } = deps;
  const guard = createAttemptGuard(deps);
  const provider = createSignInProvider({ ...deps, guard });
  const sessions = createSessionRegistry(deps);
  const limit = createWorkLimit({ parallel: PARALLEL_SIGN_INS, waiting: WAITING_SIGN_INS });
  const users = createLocalUsers({
    ...deps,
    provider,
    tokenFor: async ({ user, session }) => {
      const { token } = await provider.api.signJWT({
        body: {
          payload: {
            sub: String(user.id),
            iat: Math.floor(now().getTime() / 1000),
            external_id: user.externalId,
            sid: session.id,
            mfa: user.twoFactorEnabled === true,
          },
        },
      });
      return token;
    },
  });
  const local: TrustedIssuer = {
    issuer: LOCAL_ISSUER,
    audience: LOCAL_AUDIENCE,
    algorithms: ['EdDSA'],
    keys: createSigningKeys({ load: async () => provider.api.getJwks(), now }),
    isSessionLive: sessions.isLive,
    identityOf: (claims) => ({
      externalId: textOrNull(claims.external_id),
      sessionId: textOrNull(claims.sid),
      mfa: claims.mfa === true,
    }),
  };
  let unlisten: (() => Promise<void>) | undefined;
  let tidy: NodeJS.Timeout | undefined;

  return {
    verifier: createIdentityVerifier({ issuers: [local, ...(deps.issuers ?? [])], now }),
    users,
    authCalls: createAuthCalls({ ...deps, provider, guard, users, limit, sessions: createSignInSessions({ pool }) }),
    async start(onSessionEnd) {
      unlisten = await deps.db.listen(
        SESSION_ENDED_CHANNEL,
        (sessionId) => {
          sessions.forget(sessionId);
          onSessionEnd();
        },
        () => sessions.forgetAll(),
      );
      tidy = setInterval(() => {
        guard
          .forgetOld()
          .catch((error: unknown) => deps.log.warn({ error: String(error) }, 'old sign-in attempts kept'));
      }, TIDY_EVERY_MS);
      tidy.unref();
    },
    async stop() {
      clearInterval(tidy);
      await unlisten?.();
    },
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
