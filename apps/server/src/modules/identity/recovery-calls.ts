/**
 * A new password for somebody who cannot sign in.
 *
 * | Call | Body | Answer |
 * |---|---|---|
 * | POST /auth/forgot-password | { email } | { sent: true }, whether the address is known or not; a code is mailed to a known one |
 * | POST /auth/confirm-code | { email, code } | { confirmed: true }; the code stays good |
 * | POST /auth/reset-password | { email, code, password } | { reset: true }; every session ends, the second factor stays |
 *
 * Codes: INVALID_CODE with 401; ACCOUNT_TEMPORARILY_LOCKED and RATE_LIMITED with 429; PASSWORD_WEAK and PASSWORD_REUSED
 * with 400, after which the code is still good. At most three mails per address and thirty requests per client address
 * in a quarter of an hour.
 */
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { AfterAnswer } from './after-answer.ts';
import { type AuthAnswer, type AuthHandlers, type AuthRows, ok } from './auth-call.ts';
import { refused, refusedPassword } from './auth-refusals.ts';
import type { PasswordRecovery } from './password-recovery.ts';

const QUARTER_OF_AN_HOUR_S = 900;
/** Longer than any password that is taken, so that the refusal can say what is wrong with it. */
const TYPED_MAX = 1000;

const email = z.email().max(254);
/** Any short text is judged as a guess; only eight plain digits can be right. */
const code = z.string().trim().min(1).max(40);

export const recoveryRows = {
  'POST /forgot-password': z.strictObject({ email }),
  'POST /confirm-code': z.strictObject({ email, code }),
  'POST /reset-password': z.strictObject({ email, code, password: z.string().min(1).max(TYPED_MAX) }),
} as const satisfies AuthRows;

type Dependencies = {
  recovery: PasswordRecovery;
  afterAnswer: AfterAnswer;
};

export function createRecoveryCalls({ recovery, afterAnswer }: Dependencies): AuthHandlers<typeof recoveryRows> {
  /** Known addresses are audited after the answer, so that it comes as fast as for unknown ones. */
  function invalidCode(address: string, requestId: string): AuthAnswer {
    afterAnswer.start(() => recovery.recordRefused(address, requestId));
    return refused('INVALID_CODE');
  }

  return {
    'POST /forgot-password': async ({ body, clientAddress, requestId }) => {
      if (!(await recovery.mayRequest(clientAddress))) {
        throw new AppError('RATE_LIMITED', { retryAfterS: QUARTER_OF_AN_HOUR_S });
      }
      afterAnswer.start(() => recovery.request(body.email, requestId));
      return ok({ sent: true });
    },
    'POST /confirm-code': async ({ body, requestId }) => {
      const verdict = await recovery.confirm(body.email, body.code);
      if (verdict === 'locked') return refused('ACCOUNT_TEMPORARILY_LOCKED');
      return verdict === 'refused' ? invalidCode(body.email, requestId) : ok({ confirmed: true });
    },
    'POST /reset-password': async ({ body, requestId }) => {
      const outcome = await recovery.reset({ ...body, requestId });
      if (typeof outcome === 'object') return refusedPassword(outcome.weak);
      switch (outcome) {
        case 'reset':
          return ok({ reset: true });
        case 'locked':
          return refused('ACCOUNT_TEMPORARILY_LOCKED');
        case 'reused':
          return refused('PASSWORD_REUSED');
        case 'invalid':
          return invalidCode(body.email, requestId);
      }
    },
  };
}
