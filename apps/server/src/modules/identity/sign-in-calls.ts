/**
 * Signing in with password and second factor, the access token, and signing out.
 *
 * | Call | Body | Answer |
 * |---|---|---|
 * | POST /auth/sign-in/email | { email, password } | { twoFactorRedirect: true, twoFactorMethods: ['totp'] }, or { signedIn: true } for an account without a second factor, or { newPasswordRequired: true } when an administrator asked for one: a code was mailed, and bound to this browser |
 * | POST /auth/two-factor/verify-totp | { code } | { signedIn: true }; sets the session cookie |
 * | POST /auth/two-factor/verify-backup-code | { code } | the same, with a recovery code |
 * | GET /auth/token | idle_s | { token, session_ends_in_s }: access token for five minutes, as long as the session lives; null without one. The session ends then unless it is used. Replaces the cookie (rotation-refresh.ts) |
 * | POST /auth/sign-out | – | { signedOut: true }; the session ends in every process at once |
 * | GET /auth/jwks | – | the key set |
 *
 * Codes: INVALID_EMAIL_OR_PASSWORD, INVALID_CODE, INVALID_BACKUP_CODE and INVALID_TWO_FACTOR_COOKIE (sign in again; the
 * first step is good for ten minutes) with 401; ACCOUNT_TEMPORARILY_LOCKED and RATE_LIMITED with 429; TOKEN_MISSING
 * with 401 where there is no session; ORIGIN_NOT_ALLOWED with 403; after a right password also 403 with USER_DISABLED, and
 * with SSO_REQUIRED where the home tenant asks for single sign-on. Its break-glass accounts are let through, with password
 * and second factor.
 */
import { PASSWORD_MAX } from '@airdeck/contracts/access/password-problems';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { AttemptGuard } from './attempt-guard.ts';
import {
  type AuthAnswer,
  type AuthCall,
  type AuthHandlers,
  type AuthRows,
  type LogRefusal,
  ok,
  originOf,
  type RecordSecurity,
  SIGN_IN_REFUSED,
  signInRefused,
} from './auth-call.ts';
import { cookieValue } from './auth-cookies.ts';
import { type AuthRefusal, refused } from './auth-refusals.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import type { PasswordRecovery } from './password-recovery.ts';
import { type PasswordState, type PasswordStore, passwordSubject } from './password-store.ts';
import { forward as forwardTo } from './provider-forward.ts';
import type { RecoveryBrowser } from './recovery-browser.ts';
import { type Refresh, refreshQuerySchema } from './rotation-refresh.ts';
import { secondFactorSubject } from './second-factor.ts';
import type { SignInProvider } from './sign-in-provider.ts';
import type { SsoPolicy } from './sso-policy.ts';
import type { ExternalChallenges } from './sso-sessions.ts';
import type { createWorkLimit } from './work-limit.ts';

const nothing = z.strictObject({}).optional();

const signInBodySchema = z.strictObject({ email: z.email().max(254), password: z.string().min(1).max(PASSWORD_MAX) });
/** Any short text is judged as a guess; only six plain digits can be right. */
const totpBodySchema = z.strictObject({ code: z.string().min(1).max(40) });
/** Longer than a code, for whoever types blanks between its groups. */
const recoveryBodySchema = z.strictObject({ code: z.string().trim().min(8).max(80) });

export const signInRows = {
  'POST /sign-in/email': signInBodySchema,
  'POST /two-factor/verify-totp': totpBodySchema,
  'POST /two-factor/verify-backup-code': recoveryBodySchema,
  'POST /sign-out': nothing,
  'GET /token': refreshQuerySchema,
  'GET /jwks': nothing,
} as const satisfies AuthRows;

type Dependencies = {
  provider: SignInProvider;
  guard: AttemptGuard;
  passwords: Pick<PasswordStore, 'findState' | 'findStateOf' | 'isUnchanged' | 'renew' | 'dropChallenges'>;
  recovery: Pick<PasswordRecovery, 'mailRequired'>;
  browsers: Pick<RecoveryBrowser, 'bind'>;
  limit: ReturnType<typeof createWorkLimit>;
  record: RecordSecurity;
  log: LogRefusal;
  sessions: SignInSessions;
  browser: Pick<BrowserSessions, 'end' | 'clearCookie'>;
  refresh: Refresh;
  policy: Pick<SsoPolicy, 'localSignIn' | 'externalSignIn'>;
  challenges: Pick<ExternalChallenges, 'connectionOf' | 'complete'>;
};

/** Who is behind what a browser holds. */
export type SignInSessions = {
  externalIdOfUser(identityUserId: string): Promise<string | undefined>;
  externalIdOfChallenge(challenge: string): Promise<string | undefined>;
  end(token: string): Promise<void>;
};

export function createSignInCalls(deps: Dependencies): AuthHandlers<typeof signInRows> {
  return {
    'POST /sign-in/email': (call) => signIn(deps, call),
    'POST /two-factor/verify-totp': (call) => secondStep(deps, call),
    'POST /two-factor/verify-backup-code': (call) => secondStep(deps, call),
    'POST /sign-out': (call) => signOut(deps, call),
    // Nobody being signed in is an answer, not a failure: every first visit asks.
    'GET /token': deps.refresh,
    'GET /jwks': (call) => forward(deps, call),
  };
}

async function signIn(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  const { email, password } = signInBodySchema.parse(call.body);
  const subject = passwordSubject(email);
  const state = await deps.passwords.findState(email);
  // Before standing in line for the hashing, so that guesses at one account do not keep the others out.
  if (!(await deps.guard.take(subject))) {
    const locked = refused('ACCOUNT_TEMPORARILY_LOCKED');
    await recordRefusal(deps, call, { externalId: state?.externalId, subject }, locked);
    return locked;
  }
  const answer = await deps
    .limit(() => forward(deps, call))
    .catch(async (error: unknown) => {
      await deps.guard.refund(subject);
      throw error;
    });
  if (answer.status >= 400) {
    // Recording takes a moment only for known addresses; five tries per quarter of an hour do not let anybody measure it.
    await recordRefusal(deps, call, { externalId: state?.externalId, subject }, answer);
    return answer;
  }
  await deps.guard.giveBack(subject);
  if (state === undefined || state.resetRequired || !(await deps.passwords.isUnchanged(state))) {
    return await withoutSession(deps, call, { state, answer });
  }
  // Nobody is kept out because there is no time for it: the next sign-in tries again.
  await deps.passwords.renew(state, password).catch((error: unknown) => {
    deps.log.warn({ error: String(error), request_id: call.requestId }, 'a password keeps its older hash');
  });
  const way = await deps.policy.localSignIn(state.externalId);
  if (way === 'user_disabled') return await refuse(deps, call, { state, answer, code: 'USER_DISABLED' });
  if (way === 'sso_required' || (way === 'break_glass' && answer.body.twoFactorRedirect !== true)) {
    return await refuse(deps, call, { state, answer, code: 'SSO_REQUIRED' });
  }
  if (answer.body.twoFactorRedirect === true) {
    // The answer takes the browser's session cookie away, so the second step could not end what it belonged to.
    await endSession(deps, call);
    return answer;
  }
  return await signedIn(deps, call, answer);
}

/** The right password, but it opens nothing: a new one is asked for, or was set while this one was looked at. */
async function withoutSession(
  deps: Dependencies,
  call: AuthCall,
  { state, answer }: { state: PasswordState | undefined; answer: AuthAnswer },
): Promise<AuthAnswer> {
  await undo(deps, { state, answer });
  if (state?.resetRequired !== true) return refused('INVALID_EMAIL_OR_PASSWORD');
  const { browser, setCookie } = deps.browsers.bind(call);
  const { clientAddress, requestId } = call;
  await deps.recovery.mailRequired(state, { browser, clientAddress, requestId });
  return ok({ newPasswordRequired: true }, [setCookie]);
}

/** The right password, and what it opened is closed again. */
async function refuse(
  deps: Dependencies,
  call: AuthCall,
  { state, answer, code }: { state: PasswordState; answer: AuthAnswer; code: AuthRefusal },
): Promise<AuthAnswer> {
  await undo(deps, { state, answer });
  const refusal = refused(code);
  await recordRefusal(deps, call, state, refusal);
  return refusal;
}

async function undo(
  deps: Dependencies,
  { state, answer }: { state: PasswordState | undefined; answer: AuthAnswer },
): Promise<void> {
  const opened = z.object({ token: z.string() }).safeParse(answer.body);
  if (opened.success) await deps.sessions.end(opened.data.token);
  if (state !== undefined) await deps.passwords.dropChallenges(state.identityUserId);
}

async function secondStep(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  // A session that is still open must not stand in for the pending first step.
  const challenge = cookieValue(call.cookie, 'air_second_factor');
  const externalId = await deps.sessions.externalIdOfChallenge(challenge?.value ?? '');
  const state = await deps.passwords.findStateOf(externalId);
  const answer = await forward(deps, { ...call, cookie: challenge?.pair });
  if (answer.status < 400) {
    if (state !== undefined && (await deps.passwords.isUnchanged(state))) {
      return await signedIn(deps, call, answer, challenge?.value);
    }
    // A new password was set after the first step was looked at and before the session was there.
    await undo(deps, { state, answer });
    return refused('INVALID_EMAIL_OR_PASSWORD');
  }
  await recordRefusal(deps, call, { externalId }, answer);
  return answer;
}

async function signOut(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  await endSession(deps, call);
  return { status: 200, setCookies: [deps.browser.clearCookie()], body: { signedOut: true } };
}

async function endSession(deps: Dependencies, call: AuthCall): Promise<void> {
  const ended = await deps.browser.end(call);
  if (ended === undefined) return;
  const { externalId } = ended;
  await deps.record({ externalId, action: 'session.sign_out', outcome: 'ok', requestId: call.requestId });
}

async function signedIn(
  deps: Dependencies,
  call: AuthCall,
  answer: AuthAnswer,
  challenge?: string,
): Promise<AuthAnswer> {
  const { user, token } = z.object({ user: z.object({ id: z.string() }), token: z.string() }).parse(answer.body);
  try {
    await deps.guard.giveBack(secondFactorSubject(user.id));
    const externalId = await deps.sessions.externalIdOfUser(user.id);
    if (externalId === undefined) throw new AppError('USER_DISABLED');
    const data = await howItBegan(deps, { externalId, token, challenge });
    if (typeof data === 'string') {
      await deps.sessions.end(token);
      const refusal = refused(data);
      await recordRefusal(deps, call, { externalId }, refusal);
      return refusal;
    }
    const signIn = { externalId, action: 'session.sign_in', outcome: 'ok', data, from: originOf(call) } as const;
    await deps.record({ ...signIn, requestId: call.requestId });
  } catch (error) {
    await deps.sessions.end(token);
    throw error;
  }
  // Somebody else's session, or an older one of the same person, must not live on unseen behind the new cookie.
  await endSession(deps, call);
  // The provider would also send the session's secret, which belongs in the cookie only.
  return { status: 200, setCookies: answer.setCookies, body: { signedIn: true } };
}

/** For the record of the sign-in; the refusal where the account or the rules changed between both steps. */
async function howItBegan(
  deps: Dependencies,
  { externalId, token, challenge }: { externalId: string; token: string; challenge: string | undefined },
): Promise<Readonly<Record<string, unknown>> | AuthRefusal> {
  const connectionId = challenge === undefined ? undefined : await deps.challenges.connectionOf(challenge);
  if (challenge !== undefined && connectionId !== undefined) {
    await deps.challenges.complete({ challenge, connectionId, sessionToken: token });
    const way = await deps.policy.externalSignIn(externalId, connectionId);
    if (way === 'open') return { connection: connectionId };
    return way === 'user_disabled' ? 'USER_DISABLED' : 'SSO_REQUIRED';
  }
  const way = await deps.policy.localSignIn(externalId);
  if (way === 'user_disabled') return 'USER_DISABLED';
  if (way === 'sso_required') return 'SSO_REQUIRED';
  return way === 'break_glass' ? { break_glass: true } : {};
}

type Whose = { externalId: string | undefined; subject?: string };

/** Unknown and locked accounts have no record, which anybody could make many of; the process log has them. */
async function recordRefusal(deps: Dependencies, call: AuthCall, whose: Whose, answer: AuthAnswer): Promise<void> {
  const { externalId, subject } = whose;
  const reason = String(answer.body.code ?? answer.status);
  if (externalId === undefined || answer.status === 429) {
    deps.log.warn(
      { ...signInRefused, reason, account: externalId ?? subject, request_id: call.requestId },
      SIGN_IN_REFUSED,
    );
    return;
  }
  await deps.record({ externalId, action: 'session.sign_in', outcome: 'refused', reason, requestId: call.requestId });
}

function forward(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  return forwardTo(deps.provider, call);
}
