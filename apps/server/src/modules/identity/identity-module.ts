import type { Pool } from 'pg';
import type { Database } from '../../storage/database.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Mail } from '../mail/mail-port.ts';
import type { BreakGlass, TenantSettingsPort } from '../settings/settings-port.ts';
import type { Connections, OidcClient } from '../sso/sso-port.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import { createAccountMails } from './account-mails.ts';
import { createAfterAnswer } from './after-answer.ts';
import { createAttemptGuard } from './attempt-guard.ts';
import type { RecordSecurity } from './auth-call.ts';
import { type AuthCallCounter, createAuthCallCounter } from './auth-call-counter.ts';
import { type AuthCalls, createAuthCalls } from './auth-routes.ts';
import { createBrowserSessions } from './browser-sessions.ts';
import { SESSION_ENDED_CHANNEL } from './identity-migrations.ts';
import { createIdentityVerifier, type IdentityVerifier, type TrustedIssuer } from './identity-verifier.ts';
import { createLocalUsers, type LocalUsers } from './local-users.ts';
import { createMailCodes } from './mail-codes.ts';
import { createOldSessions } from './old-sessions.ts';
import { createPasskeyCalls } from './passkey-calls.ts';
import { createPasswordCost } from './password-cost.ts';
import { createPasswordHashes, type PasswordCost } from './password-hash.ts';
import { createPasswordRecovery } from './password-recovery.ts';
import { createPasswordStore } from './password-store.ts';
import { createRecoveryBrowser } from './recovery-browser.ts';
import { createRecoveryCalls } from './recovery-calls.ts';
import { type AccessTokenFor, createRefresh } from './rotation-refresh.ts';
import { createSecurityCalls } from './security-calls.ts';
import { createSessionCalls } from './session-calls.ts';
import { createSessionRegistry } from './session-registry.ts';
import { createSignInCalls } from './sign-in-calls.ts';
import { createSignInProvider, LOCAL_AUDIENCE, LOCAL_ISSUER, tokenClaims } from './sign-in-provider.ts';
import { createSignInSessions } from './sign-in-sessions.ts';
import { createSignUp, type Purchases, type Tickets } from './sign-up.ts';
import { createSignUpCalls } from './sign-up-calls.ts';
import { createSignUpStore } from './sign-up-store.ts';
import { createSignedCookies } from './signed-cookies.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createSocialCalls } from './social-calls.ts';
import { createPendingSignIns } from './sso-pending.ts';
import { createSsoPolicy, type SsoPolicy } from './sso-policy.ts';
import { createExternalChallenges, isExternalMethod } from './sso-sessions.ts';
import { createTotpEnrolment } from './totp-enrolment.ts';
import { createWorkLimit } from './work-limit.ts';

/** Hashing a password keeps a processor busy and takes 32 MiB; more at a time would only make all of them slower. */
const PARALLEL_SIGN_INS = 2;
const WAITING_SIGN_INS = 32;
/** Calls to issuers, which may take long to answer. */
const PARALLEL_ISSUER_CALLS = 16;
const WAITING_ISSUER_CALLS = 64;
const TIDY_EVERY_MS = 3_600_000;

type Dependencies = {
  pool: Pool;
  db: Pick<Database, 'listen' | 'system'>;
  mail: Mail;
  /** Where people reach us, for links in mails; never taken from a request. */
  ownAddress: () => string;
  secret: string;
  secure: boolean;
  productName: string;
  /** Trusted besides the built-in provider. */
  issuers?: readonly TrustedIssuer[];
  record: RecordSecurity;
  audit: Pick<AuditLog, 'record' | 'recordAll'>;
  tenants: Pick<
    TenantsService,
    'findUser' | 'findMembership' | 'createUser' | 'addMembership' | 'removeMembership' | 'deleteUser'
  >;
  settings: Pick<TenantSettingsPort, 'signInPolicy'>;
  breakGlass: Pick<BreakGlass, 'isOnly' | 'withdraw'>;
  /** Issuers people may sign in with, and the client that talks to them. */
  connections: Connections;
  oidcClient: OidcClient;
  /** Where issuers send browsers back to. */
  redirectUri: () => string;
  tickets: Tickets;
  purchases: Purchases | undefined;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  /** What a hash of a password costs. */
  passwordCost: PasswordCost;
  /** Seconds after which a session ends that nobody uses. */
  sessionIdleS: number;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
};

export type IdentityModule = {
  verifier: IdentityVerifier;
  users: LocalUsers;
  externalSuffices: SsoPolicy['externalSuffices'];
  authCalls: AuthCalls;
  authCallCounter: AuthCallCounter;
  /** Follows ended sessions; `onSessionEnd` is told about each. */
  start(onSessionEnd: () => void): Promise<void>;
  stop(): Promise<void>;
  /** Resolves when what was begun after answers has ended: mails are queued and recorded then. */
  settled(): Promise<void>;
};

export function createIdentityModule(deps: Dependencies): IdentityModule {
  const { pool, now } = deps;
  const guard = createAttemptGuard(deps);
  const hashes = createPasswordHashes({ ...deps, cost: createPasswordCost({ pool, now, cost: deps.passwordCost }) });
  const provider = createSignInProvider({ ...deps, guard, hashes });
  const sessions = createSessionRegistry(deps);
  const cookies = createSignedCookies(deps);
  const browser = createBrowserSessions({ ...deps, cookies });
  const oldSessions = createOldSessions(deps);
  const limit = createWorkLimit({ parallel: PARALLEL_SIGN_INS, waiting: WAITING_SIGN_INS });
  const hashPassword = (password: string) => limit(() => hashes.make(password));
  const policy = createSsoPolicy(deps);
  const challenges = createExternalChallenges({ ...deps, cookies });
  const tokenFor: AccessTokenFor = async ({ user, session }) => {
    const { token } = await provider.api.signJWT({
      body: {
        payload: {
          sub: String(user.id),
          iat: Math.floor(now().getTime() / 1000),
          ...tokenClaims(user, session, {
            externalSuffices:
              isExternalMethod(session.method) && (await policy.externalSuffices(String(user.externalId))),
          }),
        },
      },
    });
    return token;
  };
  const mails = createAccountMails(deps);
  const codes = createMailCodes({ ...deps, guard });
  const afterAnswer = createAfterAnswer(deps);
  const passwords = createPasswordStore({ ...deps, hashes, limit });
  const recovery = createPasswordRecovery({ ...deps, mails, codes, passwords });
  const enrolment = createTotpEnrolment({ ...deps, provider, guard, mails, sessions: browser });
  const browsers = createRecoveryBrowser({ ...deps, cookies });
  const users = createLocalUsers({
    ...deps,
    ...{ provider, hashPassword, tokenFor, requirePasswordReset: recovery.require },
  });
  const signUps = createSignUpStore(deps);
  const authCallCounter = createAuthCallCounter(deps);
  const signUp = createSignUp({
    ...deps,
    ...{ users, codes, afterAnswer, hashPassword, policy, store: signUps },
  });
  const signingKeys = createSigningKeys({ load: async () => provider.api.getJwks(), now });
  const local: TrustedIssuer = {
    issuer: LOCAL_ISSUER,
    audience: LOCAL_AUDIENCE,
    algorithms: ['EdDSA'],
    keys: signingKeys.get,
    knowsKey: signingKeys.knows,
    lacksKey: signingKeys.lacks,
    mayBeSigned: signingKeys.maySign,
    isSessionLive: sessions.isLive,
    identityOf: (claims) => ({
      externalId: textOrNull(claims.external_id),
      sessionId: textOrNull(claims.sid),
      mfa: claims.mfa === true,
      social: claims.social === true,
    }),
  };
  let unlisten: (() => Promise<void>) | undefined;
  let tidy: NodeJS.Timeout | undefined;

  return {
    verifier: createIdentityVerifier({ issuers: [local, ...(deps.issuers ?? [])], now, log: deps.log }),
    users,
    externalSuffices: policy.externalSuffices,
    authCalls: createAuthCalls([
      createSignInCalls({
        ...deps,
        ...{ provider, guard, limit, browser, browsers, passwords, recovery, policy, challenges },
        sessions: createSignInSessions({ pool }),
        refresh: createRefresh({ ...deps, cookies, tokenFor }),
      }),
      createRecoveryCalls({ recovery, afterAnswer, browsers }),
      createSecurityCalls({ ...deps, ...{ provider, guard, browser, passwords, enrolment, mails } }),
      createSessionCalls({ ...deps, sessions: browser }),
      createPasskeyCalls({ ...deps, cookies, policy, sessions: browser }),
      createSocialCalls({
        ...deps,
        ...{ browser, challenges, policy, users, client: deps.oidcClient, localIssuer: LOCAL_ISSUER },
        store: signUps,
        pending: createPendingSignIns({ ...deps, cookies }),
        limit: createWorkLimit({ parallel: PARALLEL_ISSUER_CALLS, waiting: WAITING_ISSUER_CALLS }),
      }),
      createSignUpCalls({ ...deps, signUp, browser, cookies }),
    ]),
    authCallCounter,
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
        Promise.all(
          [guard, codes, enrolment, signUps, authCallCounter, oldSessions].map((kept) => kept.forgetOld()),
        ).catch((error: unknown) => deps.log.warn({ error: String(error) }, 'old sign-in attempts or sessions kept'));
      }, TIDY_EVERY_MS);
      tidy.unref();
    },
    settled: afterAnswer.settled,
    async stop() {
      clearInterval(tidy);
      await afterAnswer.settled();
      await unlisten?.();
    },
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
