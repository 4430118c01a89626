/**
 * A new password for somebody who cannot sign in.
 *
 * | Call | Body | Answer |
 * |---|---|---|
 * | POST /auth/forgot-password | { email } | { sent: true }, whether the address is known or not; a code is mailed to a known one, and bound to this browser |
 * | POST /auth/confirm-code | { email, code } | { confirmed: true }; the code stays good |
 * | POST /auth/reset-password | { email, code, password } | { reset: true }; every session ends, the second factor stays |
 *
 * A code is good in the browser that asked for it: who only reads mails of somebody cannot use it elsewhere, nor make
 * somebody type one they asked for. Who asks or guesses elsewhere takes nothing from it.
 *
 * Codes: INVALID_CODE with 401; ACCOUNT_TEMPORARILY_LOCKED and RATE_LIMITED with 429; PASSWORD_WEAK and PASSWORD_REUSED
 * with 400, after which the code is still good. In a quarter of an hour at most three mails to an address asked for from one
 * network, ten to an address, and thirty requests of a network.
 */
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { AfterAnswer } from './after-answer.ts';
import { type AuthAnswer, type AuthHandlers, type AuthRows, ok } from './auth-call.ts';
import { refused, refusedPassword } from './auth-refusals.ts';
import type { PasswordRecovery } from './password-recovery.ts';
import type { RecoveryBrowser } from './recovery-browser.ts';

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
  browsers: RecoveryBrowser;
};

export function createRecoveryCalls({
  recovery,
  afterAnswer,
  browsers,
}: Dependencies): AuthHandlers<typeof recoveryRows> {
  /** Known addresses are audited after the answer, so that it comes as fast as for unknown ones. */
  function invalidCode(address: string, requestId: string): AuthAnswer {
    afterAnswer.start(() => recovery.recordRefused(address, requestId));
    return refused('INVALID_CODE');
  }

  return {
    'POST /forgot-password': async (call) => {
      const { body, clientAddress, requestId } = call;
      if (!(await recovery.mayRequest(clientAddress))) {
        throw new AppError('RATE_LIMITED', { retryAfterS: QUARTER_OF_AN_HOUR_S });
      }
      const { browser, setCookie } = browsers.bind(call);
      afterAnswer.start(() => recovery.request({ email: body.email, browser, clientAddress, requestId }));
      return ok({ sent: true }, [setCookie]);
    },
    'POST /confirm-code': async (call) => {
      const { body, requestId } = call;
      const verdict = await recovery.confirm({ ...body, browser: browsers.of(call) });
      if (verdict === 'locked') return refused('ACCOUNT_TEMPORARILY_LOCKED');
      return verdict === 'refused' ? invalidCode(body.email, requestId) : ok({ confirmed: true });
    },
    'POST /reset-password': async (call) => {
      const { body, requestId } = call;
      const outcome = await recovery.reset({ ...body, browser: browsers.of(call), requestId });
      if (typeof outcome === 'object') return refusedPassword(outcome.weak);
      switch (outcome) {
        case 'reset':
          return ok({ reset: true }, [browsers.clear()]);
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
