/**
 * A sign-in for somebody who has none: with the ticket of an invitation, or for the buyer of a plan who has no account
 * of another provider. It is the sign-in only; the user comes with POST /signup/invite or the activation of the purchase.
 *
 * | Call | Body | Answer |
 * |---|---|---|
 * | POST /auth/ticket | { ticket } | { email, fullname, tenant_name, role, account: 'new' \| 'existing', only_connections }; the address is empty at the set-up of an installation; `only_connections` ([{ id, kind, label }]) is null where a password may be chosen |
 * | POST /auth/sign-up/ticket | { ticket, fullname, password, email? } | { signedIn: true }; `email` where the preview has none |
 * | POST /auth/sign-up/email | { email, fullname, password, purchase_token } | { sent: true }, whether the address is known or not; mails a code to it, and binds the sign-up to this browser |
 * | POST /auth/sign-up/verify | { email, code } | { signedIn: true } |
 *
 * Codes: TICKET_INVALID and PASSWORD_WEAK with 400, EMAIL_TAKEN with 409, MARKETPLACE_TOKEN_INVALID with 400,
 * SSO_REQUIRED with 403 where the tenant asks for single sign-on, INVALID_CODE with 401, ACCOUNT_TEMPORARILY_LOCKED and RATE_LIMITED with 429.
 *
 * A sign-up by e-mail is finished in the browser that began it: otherwise somebody could begin one for an address of
 * somebody else, with a password of their own, and wait for that person to type the code.
 */
import { storableText } from '@airdeck/domain/storable-json';
import { z } from 'zod';
import { browserLocale } from '../../http/browser-locale.ts';
import {
  type AuthAnswer,
  type AuthCall,
  type AuthHandlers,
  type AuthRows,
  ok,
  originOf,
  type RecordSecurity,
} from './auth-call.ts';
import { refused, refusedPassword } from './auth-refusals.ts';
import type { BrowserSessions } from './browser-sessions.ts';
import { CODE_LIVES_MS } from './mail-codes.ts';
import { passwordProblem } from './password-policy.ts';
import type { SignUp } from './sign-up.ts';
import type { SignedCookies } from './signed-cookies.ts';

const SIGN_UP_COOKIE = 'air_sign_up';
const BROWSER_BYTES = 32;
/** Longer than any password that is taken, so that the refusal can say what is wrong with it. */
const TYPED_MAX = 1000;

const ticket = z.string().min(1).max(4096);
const email = z.email().max(254);
const fullname = z.string().trim().min(1).max(200).transform(storableText);
const password = z.string().min(1).max(TYPED_MAX);

export const signUpRows = {
  'POST /ticket': z.strictObject({ ticket }),
  'POST /sign-up/ticket': z.strictObject({ ticket, fullname, password, email: email.optional() }),
  'POST /sign-up/email': z.strictObject({ email, fullname, password, purchase_token: z.string().min(1).max(4096) }),
  'POST /sign-up/verify': z.strictObject({ email, code: z.string().trim().min(1).max(40) }),
} as const satisfies AuthRows;

type Dependencies = {
  signUp: SignUp;
  browser: Pick<BrowserSessions, 'open' | 'endById'>;
  record: RecordSecurity;
  cookies: SignedCookies;
  randomBytes: (size: number) => Buffer;
};

export function createSignUpCalls(deps: Dependencies): AuthHandlers<typeof signUpRows> {
  const { signUp, cookies } = deps;
  return {
    'POST /ticket': async ({ body, requestId }) => {
      const { invitation, isKnown, onlyConnections } = await signUp.preview(body.ticket, requestId);
      return ok({
        email: invitation.email ?? '',
        fullname: invitation.fullname,
        tenant_name: invitation.tenantName,
        role: invitation.role,
        account: isKnown ? 'existing' : 'new',
        only_connections: onlyConnections ?? null,
      });
    },
    'POST /sign-up/ticket': async (call) => {
      const { body, requestId } = call;
      const address = await signUp.addressOf({ ...body, requestId });
      const problem = passwordProblem(body.password, address);
      if (problem !== undefined) return refusedPassword(problem);
      const made = await signUp.withTicket({ ...body, email: address, requestId });
      return made === 'sso_required' ? refused('SSO_REQUIRED') : await signedIn(deps, call, made);
    },
    'POST /sign-up/email': async ({ body, clientAddress, languages, cookie }) => {
      const problem = passwordProblem(body.password, body.email);
      if (problem !== undefined) return refusedPassword(problem);
      // The same one when asked again: perhaps no mail goes out any more, and the code of the last has to go on working.
      const browser = cookies.read(cookie, SIGN_UP_COOKIE) ?? deps.randomBytes(BROWSER_BYTES).toString('base64url');
      const locale = browserLocale(languages);
      await signUp.begin({ ...body, browser, clientAddress, locale, purchaseToken: body.purchase_token });
      return ok({ sent: true }, [cookies.write(SIGN_UP_COOKIE, browser, CODE_LIVES_MS / 1000)]);
    },
    'POST /sign-up/verify': async (call) => {
      const browser = cookies.read(call.cookie, SIGN_UP_COOKIE);
      if (browser === undefined) return refused('INVALID_CODE');
      const verified = await signUp.verify({ ...call.body, browser });
      if (verified === 'locked') return refused('ACCOUNT_TEMPORARILY_LOCKED');
      if (verified === 'refused') return refused('INVALID_CODE');
      const answer = await signedIn(deps, call, verified);
      return { ...answer, setCookies: [...answer.setCookies, cookies.clear(SIGN_UP_COOKIE)] };
    },
  };
}

async function signedIn(deps: Dependencies, call: AuthCall, { subject }: { subject: string }): Promise<AuthAnswer> {
  const session = { identityUserId: subject, method: 'password', strong: false };
  const { sessionId, externalId, setCookies } = await deps.browser.open(call, session);
  try {
    const signedIn = { externalId, action: 'session.sign_in', outcome: 'ok', from: originOf(call) } as const;
    await deps.record({ ...signedIn, requestId: call.requestId });
  } catch (error) {
    await deps.browser.endById(sessionId);
    throw error;
  }
  return ok({ signedIn: true }, setCookies);
}
