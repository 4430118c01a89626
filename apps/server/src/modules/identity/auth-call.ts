import type { z } from 'zod';
import type { Tx } from '../../storage/schema.ts';

/** One call under `/auth`, as it came in. `body` has passed the row's schema (the query, for GET). */
export type AuthCall<Body = unknown> = {
  id: string;
  body: Body;
  /** The whole Cookie header. */
  cookie: string | undefined;
  userAgent: string | undefined;
  /** What the browser would like to read, as its header says it. */
  languages: string | undefined;
  clientAddress: string;
  /** Scheme and host the browser sees, already known to be ours: for links back and for passkeys. */
  origin: string;
  requestId: string;
};

export type AuthAnswer = {
  status: number;
  setCookies: string[];
  body: Record<string, unknown>;
  /** Sends the browser on instead of answering with the body. */
  redirect?: string;
};

/** Rows `METHOD /path` below `/auth`, each with the schema of its body (query, for GET). */
export type AuthRows = Readonly<Record<string, z.ZodType>>;

/** One handler per row. A handler answers or throws an AppError. */
export type AuthHandlers<Rows extends AuthRows> = {
  readonly [Id in keyof Rows]: (call: AuthCall<z.output<Rows[Id]>>) => Promise<AuthAnswer>;
};

export const securityActions = [
  'session.sign_in',
  'session.sign_out',
  'session.revoke',
  'session.reuse_detected',
  'session.prove',
  'password.reset_request',
  'password.reset',
  'password.change',
  'totp.enrol',
  'recovery_codes.regenerate',
  'passkey.add',
  'passkey.remove',
  'external_account.link',
  'external_account.unlink',
] as const;

/** What happened to the security of an account. Failures carry a reason, never what was typed. */
export type SecurityEvent = {
  externalId: string;
  action: (typeof securityActions)[number];
  outcome: 'ok' | 'refused';
  reason?: string;
  data?: Readonly<Record<string, unknown>>;
  /** Where it came from, as far as the call says. */
  from?: Pick<AuthCall, 'clientAddress' | 'userAgent'>;
  requestId: string;
};

/** Of sign-ins that have no record: who tried is unknown, or is locked out and could make any number. */
export type LogRefusal = { warn(fields: object, message: string): void };
export const SIGN_IN_REFUSED = 'sign-in refused';
/** Stable, for alerts on the log. */
export const signInRefused = { security: 'sign_in_refused' } as const;

/**
 * Durable before the answer goes out; a failure refuses what was to be recorded. In a system transaction given along it
 * is part of that: call it last.
 */
export type RecordSecurity = (event: SecurityEvent, tx?: Tx) => Promise<void>;

/** Where a call came from, without what was typed into it. */
export function originOf({ clientAddress, userAgent }: AuthCall): Pick<AuthCall, 'clientAddress' | 'userAgent'> {
  return { clientAddress, userAgent };
}

export function ok(body: Record<string, unknown>, setCookies: string[] = []): AuthAnswer {
  return { status: 200, setCookies, body };
}
