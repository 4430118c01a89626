/** Calls of the built-in identity provider: JSON under `/auth`, every failure an `IdentityError`. */
import { isPasswordProblem } from '@airdeck/contracts/access/password-problems';
import { IdentityError, type IdentityErrorCode } from './identity-provider.ts';

const TIMEOUT_MS = 20_000;

export type Answer = Readonly<Record<string, unknown>>;

export type IdentityCall = {
  method: 'GET' | 'POST';
  /** With the query, for GET. */
  path: string;
  body?: unknown;
  /** What a refusal without a code we know means; UNEXPECTED when left out. */
  refused?: IdentityErrorCode;
};

export async function callIdentity(fetch: typeof globalThis.fetch, call: IdentityCall): Promise<Answer> {
  const response = await ask(fetch, call);
  const body: unknown = await response.json().catch((): unknown => undefined);
  const answer: Answer | undefined = typeof body === 'object' && body !== null ? (body as Answer) : undefined;
  if (!response.ok) throw failureOf(response, answer, call.refused ?? 'UNEXPECTED');
  // A page of a proxy, or half an answer: never taken for "nothing to say".
  if (answer === undefined) throw new IdentityError('UNEXPECTED');
  return answer;
}

async function ask(fetch: typeof globalThis.fetch, { method, path, body }: IdentityCall): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new IdentityError('UNREACHABLE', { cause });
  }
}

/** Codes of the provider that mean something else than their status says. */
const codes: Readonly<Record<string, IdentityErrorCode>> = {
  INVALID_EMAIL_OR_PASSWORD: 'CREDENTIALS_WRONG',
  INVALID_CODE: 'CODE_WRONG',
  INVALID_BACKUP_CODE: 'CODE_WRONG',
  INVALID_TWO_FACTOR_COOKIE: 'SIGN_IN_EXPIRED',
  TOKEN_MISSING: 'SIGN_IN_EXPIRED',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'LOCKED',
  ACCOUNT_TEMPORARILY_LOCKED: 'LOCKED',
  ACCOUNT_LOCKED: 'LOCKED',
  USER_DISABLED: 'ACCOUNT_DISABLED',
  BANNED_USER: 'ACCOUNT_DISABLED',
  PASSWORD_WEAK: 'PASSWORD_WEAK',
  PASSWORD_REUSED: 'PASSWORD_REUSED',
  SSO_REQUIRED: 'SSO_REQUIRED',
  PASSKEY_REFUSED: 'PASSKEY_FAILED',
  EXTERNAL_FAILED: 'EXTERNAL_SIGN_IN_FAILED',
  TICKET_INVALID: 'TICKET_INVALID',
  EMAIL_TAKEN: 'EMAIL_TAKEN',
  REAUTHENTICATION_REQUIRED: 'PROOF_REQUIRED',
  ROUTE_NOT_FOUND: 'NOT_SUPPORTED',
};

function failureOf(response: Response, answer: Answer | undefined, refused: IdentityErrorCode): IdentityError {
  const code = String(answer?.code);
  const header = response.headers.get('retry-after') ?? response.headers.get('x-retry-after');
  const retryAfterS = header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
  const meant = Object.hasOwn(codes, code) ? codes[code] : undefined;
  const why = meant === 'PASSWORD_WEAK' && isPasswordProblem(answer?.why) ? answer.why : undefined;
  if (meant !== undefined) return new IdentityError(meant, { retryAfterS, why });
  if (response.status === 429) return new IdentityError('TOO_MANY_ATTEMPTS', { retryAfterS });
  return new IdentityError(response.status >= 400 && response.status < 500 ? refused : 'UNEXPECTED');
}
