import { APIError, createAuthMiddleware } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import type { Pool } from 'pg';
import type { AttemptGuard } from './attempt-guard.ts';
import { keptRecoveryCode } from './recovery-codes.ts';
import { matchingStep } from './totp.ts';

/** The row in which guesses at the second factor of a user are counted, whichever factor they use. */
export function secondFactorSubject(identityUserId: string): string {
  return `second-factor:${identityUserId}`;
}

/**
 * Runs before the provider looks at a second factor. An authenticator code is judged here under the lock of the
 * account's row, so that it works once and guesses are counted exactly; the provider then only repeats the check and
 * opens the session. A recovery code takes its guess here and is used up by the provider, atomically, which is given what is
 * kept of it: without this hook no code would be right.
 */
export function createSecondFactorHook(deps: { pool: Pool; guard: AttemptGuard; now: () => Date }) {
  return createAuthMiddleware(async (ctx) => {
    const isTotp = ctx.path === '/two-factor/verify-totp';
    if (!isTotp && ctx.path !== '/two-factor/verify-backup-code') return undefined;
    const cookie = ctx.context.createAuthCookie('two_factor');
    const challenge = await ctx.getSignedCookie(cookie.name, ctx.context.secret);
    const pending = challenge ? await ctx.context.internalAdapter.findVerificationValue(challenge) : null;
    // Without a live challenge the provider refuses by itself.
    if (!pending || pending.expiresAt <= deps.now()) return undefined;
    const subject = secondFactorSubject(pending.value);
    const { code } = ctx.body as { code: string };
    if (!isTotp) {
      if (!(await deps.guard.take(subject))) throw locked();
      // The list has no empty text, so that what is no code is refused like a wrong one.
      return { context: { body: { code: keptRecoveryCode(code) ?? '' } } };
    }
    const key = await totpKeyOf(deps.pool, ctx.context.secretConfig, pending.value);
    if (key === undefined) return undefined;
    const verdict = await deps.guard.judge(subject, ({ lastStep }) => {
      const step = matchingStep(key, code, deps.now());
      return step !== undefined && step > lastStep ? { accepted: true, step } : { accepted: false };
    });
    if (verdict === 'locked') throw locked();
    if (verdict === 'refused') throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' });
    return undefined;
  });
}

function locked(): APIError {
  return new APIError('TOO_MANY_REQUESTS', {
    code: 'ACCOUNT_TEMPORARILY_LOCKED',
    message: 'Too many wrong attempts. Try again in 15 minutes.',
  });
}

/** Key of the account's authenticator. */
export async function totpKeyOf(
  pool: Pool,
  key: Parameters<typeof symmetricDecrypt>[0]['key'],
  userId: string,
): Promise<string | undefined> {
  const { rows } = await pool.query<{ secret: string }>(
    'select "secret" from identity."twoFactor" where "userId" = $1 and "verified"',
    [userId],
  );
  const [row] = rows;
  return row === undefined ? undefined : await symmetricDecrypt({ key, data: row.secret });
}
