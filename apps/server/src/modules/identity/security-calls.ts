/**
 * What people change about the security of their own account. All need the session cookie (401 TOKEN_MISSING). "Fresh"
 * ones need a proof of the last ten minutes: 403 REAUTHENTICATION_REQUIRED, then POST /auth/prove and again. Whatever
 * proves who it is (a proof, another password, a new authenticator) also replaces the session's cookie.
 *
 * | Call | Body | Answer |
 * |---|---|---|
 * | GET /auth/account | – | { email, has_password, has_totp, recovery_codes_left, passkeys, external } |
 * | POST /auth/prove | { code } or { password } | { proven: true }; the password only for accounts without an authenticator |
 * | POST /auth/password/change, fresh | { current_password, new_password } | { changed: true }; the other sessions end |
 * | POST /auth/totp/begin, fresh where one is set up | – | { secret, uri }: base32 and otpauth://, good for 15 minutes |
 * | POST /auth/totp/confirm | { code } | { recovery_codes }; the new secret counts, the other sessions end |
 * | POST /auth/recovery-codes/regenerate, fresh | – | { recovery_codes }; the old ones end |
 *
 * Codes: INVALID_CODE and INVALID_EMAIL_OR_PASSWORD with 401, ACCOUNT_TEMPORARILY_LOCKED with 429, PASSWORD_WEAK and
 * PASSWORD_REUSED with 400, CONFLICT with 409 for an account without a password or authenticator.
 */
import type { Pool } from 'pg';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import { type Database, sqlClient } from '../../storage/database.ts';
import type { Mail } from '../mail/mail-port.ts';
import type { AccountMails } from './account-mails.ts';
import { readAccountSecurity } from './account-security.ts';
import type { AttemptGuard } from './attempt-guard.ts';
import {
  type AuthAnswer,
  type AuthCall,
  type AuthHandlers,
  type AuthRows,
  ok,
  type RecordSecurity,
} from './auth-call.ts';
import { refused, refusedPassword } from './auth-refusals.ts';
import type { BrowserSession, BrowserSessions } from './browser-sessions.ts';
import { passwordProblem } from './password-policy.ts';
import { type PasswordStore, passwordSubject } from './password-store.ts';
import { secondFactorSubject, totpKeyOf } from './second-factor.ts';
import { requireFresh, requireOwnFactor } from './session-proof.ts';
import type { SignInProvider } from './sign-in-provider.ts';
import { matchingStep } from './totp.ts';
import type { TotpEnrolment } from './totp-enrolment.ts';

const nothing = z.strictObject({}).optional();
/** Any short text is judged as a guess; only six plain digits can be right. */
const code = z.string().min(1).max(40);
/** Longer than any password that is taken, so that the refusal can say what is wrong with it. */
const password = z.string().min(1).max(1000);

export const securityRows = {
  'GET /account': nothing,
  'POST /prove': z.union([z.strictObject({ code }), z.strictObject({ password })]),
  'POST /password/change': z.strictObject({ current_password: password, new_password: password }),
  'POST /totp/begin': nothing,
  'POST /totp/confirm': z.strictObject({ code }),
  'POST /recovery-codes/regenerate': nothing,
} as const satisfies AuthRows;

type Dependencies = {
  pool: Pool;
  db: Pick<Database, 'system'>;
  provider: SignInProvider;
  guard: AttemptGuard;
  browser: Pick<BrowserSessions, 'get' | 'renew'>;
  passwords: PasswordStore;
  enrolment: TotpEnrolment;
  mail: Mail;
  mails: AccountMails;
  record: RecordSecurity;
  now: () => Date;
};

type Body<Id extends keyof typeof securityRows> = z.output<(typeof securityRows)[Id]>;

export function createSecurityCalls(deps: Dependencies): AuthHandlers<typeof securityRows> {
  const { browser, enrolment, now } = deps;

  async function freshSession(call: AuthCall): Promise<BrowserSession> {
    const session = await browser.get(call);
    requireFresh(session, now());
    await requireOwnFactor(deps.pool, session);
    return session;
  }

  return {
    'GET /account': async (call) => ok(await readAccountSecurity(deps, await browser.get(call))),
    'POST /prove': async (call) => await prove(deps, await browser.get(call), call),
    'POST /password/change': async (call) => await changePassword(deps, await freshSession(call), call),
    'POST /totp/begin': async (call) => {
      const session = await browser.get(call);
      const key = await activeKey(deps, session);
      if (key !== undefined) requireFresh(session, now());
      await requireOwnFactor(deps.pool, session);
      return ok(await enrolment.begin(session));
    },
    'POST /totp/confirm': async (call) => {
      const session = await browser.get(call);
      await requireOwnFactor(deps.pool, session);
      const outcome = await enrolment.confirm(session, call.body.code, call.requestId);
      if (typeof outcome === 'object') return ok({ recovery_codes: outcome.recoveryCodes }, [outcome.cookie]);
      return refused(outcome === 'locked' ? 'ACCOUNT_TEMPORARILY_LOCKED' : 'INVALID_CODE');
    },
    'POST /recovery-codes/regenerate': async (call) => {
      const session = await freshSession(call);
      return ok({ recovery_codes: await enrolment.regenerate(session, call.requestId) });
    },
  };
}

async function activeKey({ pool, provider }: Dependencies, session: BrowserSession): Promise<string | undefined> {
  const { secretConfig } = await provider.$context;
  return await totpKeyOf(pool, secretConfig, session.identityUserId);
}

async function prove(
  deps: Dependencies,
  session: BrowserSession,
  { body, requestId }: AuthCall<Body<'POST /prove'>>,
): Promise<AuthAnswer> {
  const refusal =
    'code' in body ? await judgeCode(deps, session, body.code) : await judgeAlone(deps, session, body.password);
  const { externalId } = session;
  const event = { externalId, action: 'session.prove', requestId } as const;
  if (refusal !== undefined) {
    if (refusal.status !== 429) await deps.record({ ...event, outcome: 'refused', reason: String(refusal.body.code) });
    return refusal;
  }
  const cookie = await deps.db.system(async (tx) => {
    const renewed = await deps.browser.renew(sqlClient(tx), session.id, 'code' in body ? 'second_factor' : 'password');
    await deps.record({ ...event, outcome: 'ok' }, tx);
    return renewed;
  });
  return ok({ proven: true }, [cookie]);
}

/** Undefined when the code is right; it works once, here and at sign-in together. */
async function judgeCode(deps: Dependencies, session: BrowserSession, given: string): Promise<AuthAnswer | undefined> {
  const key = await activeKey(deps, session);
  if (key === undefined) return refused('INVALID_CODE');
  const verdict = await deps.guard.judge(secondFactorSubject(session.identityUserId), ({ lastStep }) => {
    const step = matchingStep(key, given, deps.now());
    return step !== undefined && step > lastStep ? { accepted: true, step } : { accepted: false };
  });
  if (verdict === 'accepted') return undefined;
  return refused(verdict === 'locked' ? 'ACCOUNT_TEMPORARILY_LOCKED' : 'INVALID_CODE');
}

async function judgeAlone(deps: Dependencies, session: BrowserSession, given: string): Promise<AuthAnswer | undefined> {
  if ((await activeKey(deps, session)) !== undefined) {
    return refused('INVALID_CODE', 'Confirm with the code of your authenticator app.');
  }
  return await judgePassword(deps, session, given);
}

/** Undefined when the password is right. Counts together with wrong passwords at sign-in. */
async function judgePassword(
  deps: Dependencies,
  session: BrowserSession,
  given: string,
): Promise<AuthAnswer | undefined> {
  const subject = passwordSubject(session.email);
  if (!(await deps.guard.take(subject))) return refused('ACCOUNT_TEMPORARILY_LOCKED');
  const matches = await deps.passwords.matches(session.identityUserId, given).catch(async (error: unknown) => {
    await deps.guard.refund(subject);
    throw error;
  });
  if (!matches) return refused('INVALID_EMAIL_OR_PASSWORD');
  await deps.guard.giveBack(subject);
  return undefined;
}

async function changePassword(
  deps: Dependencies,
  session: BrowserSession,
  { body, requestId }: AuthCall<Body<'POST /password/change'>>,
): Promise<AuthAnswer> {
  const { identityUserId, externalId, email } = session;
  const event = { externalId, action: 'password.change', requestId } as const;
  const state = await deps.passwords.findState(email);
  if (state?.hasPassword !== true) throw new AppError('CONFLICT', { message: 'This account has no password.' });
  const refusal = await judgePassword(deps, session, body.current_password);
  if (refusal !== undefined) {
    if (refusal.status !== 429) await deps.record({ ...event, outcome: 'refused', reason: String(refusal.body.code) });
    return refusal;
  }
  const weak = passwordProblem(body.new_password, email);
  if (weak !== undefined) return refusedPassword(weak);
  const hash = await deps.passwords.prepare(identityUserId, body.new_password);
  if (hash === undefined) return refused('PASSWORD_REUSED');
  const cookie = await deps.db.system(async (tx) => {
    await deps.passwords.replace(tx, { identityUserId, email, hash, keepSession: session.id });
    // A password alone is no fresh proof where there is a second factor.
    const renewed = await deps.browser.renew(sqlClient(tx), session.id, 'nothing');
    await deps.mail.queue(tx, deps.mails.passwordChanged(email));
    await deps.record({ ...event, outcome: 'ok' }, tx);
    return renewed;
  });
  return ok({ changed: true }, [cookie]);
}
