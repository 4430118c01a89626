import { type PasswordProblem, passwordProblems } from '@airdeck/contracts/access/password-problems';
import type { AuthAnswer } from './auth-call.ts';

/** Refusals that only exist under `/auth`, where the person is not known yet or has to prove who they are. */
const refusals = {
  INVALID_EMAIL_OR_PASSWORD: { status: 401, message: 'The password is not right.' },
  INVALID_CODE: { status: 401, message: 'This code is not right, or it has expired.' },
  ACCOUNT_TEMPORARILY_LOCKED: { status: 429, message: 'Too many wrong attempts. Try again in 15 minutes.' },
  USER_DISABLED: { status: 403, message: 'This account is disabled.' },
  SSO_REQUIRED: { status: 403, message: 'Your organization signs in through its own account.' },
  PASSWORD_WEAK: { status: 400, message: 'This password is too easy to guess.' },
  PASSWORD_REUSED: { status: 400, message: 'You used this password before. Choose another one.' },
} as const;

export type AuthRefusal = keyof typeof refusals;

/** The answer that says so; `message` where there is something better to say. */
export function refused(code: AuthRefusal, message?: string): AuthAnswer {
  return {
    status: refusals[code].status,
    setCookies: [],
    body: { code, message: message ?? refusals[code].message },
  };
}

/** The password is not taken, and why: the dashboard says it in the language of its reader. */
export function refusedPassword(why: PasswordProblem): AuthAnswer {
  const answer = refused('PASSWORD_WEAK', passwordProblems[why]);
  return { ...answer, body: { ...answer.body, why } };
}
