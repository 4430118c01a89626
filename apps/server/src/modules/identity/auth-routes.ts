/**
 * What the dashboard calls to sign in with the built-in provider. Bodies and answers are JSON; nothing else of the
 * provider is reachable. Errors are `{ message, code, request_id }`.
 *
 * | Call | Body | Answer |
 * |---|---|---|
 * | POST /auth/sign-in/email | { email, password } | { twoFactorRedirect: true, twoFactorMethods: ['totp'] }, or { signedIn: true } for an account without a second factor |
 * | POST /auth/two-factor/verify-totp | { code } | { signedIn: true }; sets the session cookie |
 * | POST /auth/two-factor/verify-backup-code | { code } | the same, with a recovery code |
 * | GET /auth/token | – | { token }: access token for five minutes, as long as the session lives; null without one |
 * | POST /auth/sign-out | – | { signedOut: true }; the session ends in every process at once |
 * | GET /auth/jwks | – | the key set |
 *
 * Codes: INVALID_EMAIL_OR_PASSWORD, INVALID_CODE, INVALID_BACKUP_CODE and INVALID_TWO_FACTOR_COOKIE (sign in again; the
 * first step is good for ten minutes) with 401; ACCOUNT_TEMPORARILY_LOCKED and RATE_LIMITED with 429; TOKEN_MISSING
 * with 401 where there is no session; ORIGIN_NOT_ALLOWED with 403.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { AttemptGuard } from './attempt-guard.ts';
import type { LocalUsers } from './local-users.ts';
import { secondFactorSubject } from './second-factor.ts';
import { AUTH_ORIGIN, AUTH_PATH, PASSWORD_MAX, type SignInProvider } from './sign-in-provider.ts';
import type { createWorkLimit } from './work-limit.ts';

const nothing = z.strictObject({}).optional();

const signInBodySchema = z.strictObject({ email: z.email().max(254), password: z.string().min(1).max(PASSWORD_MAX) });
const totpBodySchema = z.strictObject({ code: z.string().regex(/^\d{6}$/, 'Six digits.') });
const recoveryBodySchema = z.strictObject({ code: z.string().trim().min(8).max(40) });

export const authRoutes = {
  'POST /sign-in/email': signInBodySchema,
  'POST /two-factor/verify-totp': totpBodySchema,
  'POST /two-factor/verify-backup-code': recoveryBodySchema,
  'POST /sign-out': nothing,
  'GET /token': nothing,
  'GET /jwks': nothing,
} as const satisfies Record<string, z.ZodType>;

export type AuthRouteId = keyof typeof authRoutes;

export type AuthCall = {
  id: AuthRouteId;
  body: unknown;
  cookie: string | undefined;
  userAgent: string | undefined;
  clientAddress: string;
  requestId: string;
};

export type AuthAnswer = { status: number; setCookies: string[]; body: Record<string, unknown> };

/** A sign-in that succeeded or a second factor that did; failures carry what the provider said. */
export type SignInEvent = {
  externalId: string;
  action: 'session.sign_in' | 'session.sign_out';
  outcome: 'ok' | 'refused';
  reason?: string;
  requestId: string;
};

type Dependencies = {
  provider: SignInProvider;
  guard: AttemptGuard;
  users: Pick<LocalUsers, 'findExternalId'>;
  limit: ReturnType<typeof createWorkLimit>;
  /** Must be durable before the answer goes out; a failure refuses the sign-in. */
  record: (event: SignInEvent) => Promise<void>;
  sessions: SignInSessions;
};

/** Who is behind what a browser holds. */
export type SignInSessions = {
  externalIdOfUser(identityUserId: string): Promise<string | undefined>;
  externalIdOfSession(token: string): Promise<string | undefined>;
  externalIdOfChallenge(challenge: string): Promise<string | undefined>;
  end(token: string): Promise<void>;
};

export type AuthCalls = (call: AuthCall) => Promise<AuthAnswer>;

export function createAuthCalls(deps: Dependencies): AuthCalls {
  return async (call) => {
    switch (call.id) {
      case 'POST /sign-in/email':
        return await signIn(deps, call);
      case 'POST /two-factor/verify-totp':
      case 'POST /two-factor/verify-backup-code':
        return await secondStep(deps, call);
      case 'POST /sign-out':
        return await signOut(deps, call);
      case 'GET /token': {
        const answer = await forward(deps, call);
        // Nobody being signed in is an answer, not a failure: every first visit asks.
        return answer.status === 401 ? { ...answer, status: 200, body: { token: null } } : answer;
      }
      case 'GET /jwks':
        return await forward(deps, call);
    }
  };
}

async function signIn(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  const { email } = signInBodySchema.parse(call.body);
  const subject = `password:${createHash('sha256').update(email.toLowerCase()).digest('hex')}`;
  const answer = await deps.limit(async () => {
    if (!(await deps.guard.take(subject))) return lockedOut;
    return await forward(deps, call);
  });
  if (answer.status >= 400) {
    // Recording takes a moment only for known addresses; five tries per quarter of an hour do not let anybody measure it.
    await recordRefusal(deps, call, await deps.users.findExternalId(email), answer);
    return answer;
  }
  await deps.guard.giveBack(subject);
  if (answer.body.twoFactorRedirect === true) return answer;
  return await signedIn(deps, call, answer);
}

async function secondStep(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  // A session that is still open must not stand in for the pending first step.
  const challenge = cookieValue(call.cookie, 'air_second_factor');
  const answer = await forward(deps, { ...call, cookie: challenge?.pair });
  if (answer.status < 400) return await signedIn(deps, call, answer);
  await recordRefusal(deps, call, await deps.sessions.externalIdOfChallenge(challenge?.value ?? ''), answer);
  return answer;
}

async function signOut(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  const token = cookieValue(call.cookie, 'air_session')?.value;
  const externalId = token === undefined ? undefined : await deps.sessions.externalIdOfSession(token);
  const { setCookies } = await forward(deps, call);
  if (externalId !== undefined) {
    await deps.record({ externalId, action: 'session.sign_out', outcome: 'ok', requestId: call.requestId });
  }
  return { status: 200, setCookies, body: { signedOut: true } };
}

async function signedIn(deps: Dependencies, call: AuthCall, answer: AuthAnswer): Promise<AuthAnswer> {
  const { user, token } = z.object({ user: z.object({ id: z.string() }), token: z.string() }).parse(answer.body);
  try {
    await deps.guard.giveBack(secondFactorSubject(user.id));
    const externalId = await deps.sessions.externalIdOfUser(user.id);
    if (externalId === undefined) throw new AppError('USER_DISABLED');
    await deps.record({ externalId, action: 'session.sign_in', outcome: 'ok', requestId: call.requestId });
  } catch (error) {
    await deps.sessions.end(token);
    throw error;
  }
  // The provider would also send the session's secret, which belongs in the cookie only.
  return { status: 200, setCookies: answer.setCookies, body: { signedIn: true } };
}

async function recordRefusal(deps: Dependencies, call: AuthCall, externalId: string | undefined, answer: AuthAnswer) {
  if (externalId === undefined || answer.status === 429) return;
  const reason = String(answer.body.code ?? answer.status);
  await deps.record({ externalId, action: 'session.sign_in', outcome: 'refused', reason, requestId: call.requestId });
}

/** The signed cookie of that name as it came, and what it holds without the signature. */
function cookieValue(header: string | undefined, name: string): { pair: string; value: string } | undefined {
  for (const part of header?.split(';') ?? []) {
    const pair = part.trim();
    const [key = '', text = ''] = pair.split('=', 2);
    if (key !== name && key !== `__Host-${name}`) continue;
    return { pair, value: text.split('.', 1)[0] ?? '' };
  }
  return undefined;
}

async function forward(deps: Dependencies, call: AuthCall): Promise<AuthAnswer> {
  const [method = 'GET', path = ''] = call.id.split(' ');
  const headers = new Headers({ 'x-airdeck-client': call.clientAddress });
  if (call.cookie !== undefined && call.cookie !== '') headers.set('cookie', call.cookie);
  if (call.userAgent !== undefined) headers.set('user-agent', call.userAgent.slice(0, 300));
  const init: RequestInit = { method, headers };
  if (method === 'POST') {
    headers.set('content-type', 'application/json');
    init.body = JSON.stringify(call.body ?? {});
  }
  const response = await deps.provider.handler(new Request(`${AUTH_ORIGIN}${AUTH_PATH}${path}`, init));
  const text = await response.text();
  const body: unknown = text === '' ? {} : JSON.parse(text);
  if (response.status >= 500)
    throw new AppError('INTERNAL', { cause: new Error(`sign-in provider ${response.status}`) });
  return {
    status: response.status,
    setCookies: response.headers.getSetCookie(),
    body: typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {},
  };
}

const lockedOut: AuthAnswer = {
  status: 429,
  setCookies: [],
  body: { code: 'ACCOUNT_TEMPORARILY_LOCKED', message: 'Too many wrong attempts. Try again in 15 minutes.' },
};
