/**
 * Everything the dashboard calls under `/auth` with the built-in provider. Bodies and answers are JSON; nothing else of
 * the provider is reachable. Errors are `{ message, code, request_id }`, and `why` with PASSWORD_WEAK. Each group of calls documents its own rows.
 */
import type { AuthAnswer, AuthCall, AuthRows } from './auth-call.ts';
import { passkeyRows } from './passkey-calls.ts';
import { recoveryRows } from './recovery-calls.ts';
import { securityRows } from './security-calls.ts';
import { sessionRows } from './session-calls.ts';
import { signInRows } from './sign-in-calls.ts';
import { signUpRows } from './sign-up-calls.ts';
import { socialNavigations, socialRows } from './social-calls.ts';

export const authRoutes: AuthRows = {
  ...signInRows,
  ...recoveryRows,
  ...securityRows,
  ...sessionRows,
  ...passkeyRows,
  ...socialRows,
  ...signUpRows,
};

/** Rows another site sends the browser to; they act on nothing but what the browser was given for them. */
export const authNavigations: ReadonlySet<string> = new Set(socialNavigations);

/** Handles a call of one of `authRoutes`. */
export type AuthCalls = (call: AuthCall) => Promise<AuthAnswer>;

type AnyHandler = (call: AuthCall) => Promise<AuthAnswer>;

/** Throws when a row has no handler. */
export function createAuthCalls(groups: readonly Readonly<Record<string, unknown>>[]): AuthCalls {
  const handlers = new Map(groups.flatMap((group) => Object.entries(group)) as [string, AnyHandler][]);
  const missing = Object.keys(authRoutes).filter((id) => !handlers.has(id));
  if (missing.length > 0) throw new Error(`These calls under /auth have no handler: ${missing.join(', ')}.`);
  return async (call) => {
    const handler = handlers.get(call.id);
    if (handler === undefined) throw new Error(`There is no handler for ${call.id}.`);
    return await handler(call);
  };
}
