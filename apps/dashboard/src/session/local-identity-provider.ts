/**
 * The built-in identity provider: endpoints under `/auth`, session in an HttpOnly cookie, access token in memory only.
 *
 * Token: none → fetching (single flight: all callers wait for the one request) → held → refetched when fewer than
 * `REFRESH_BEFORE_MS` of its life are left or a caller distrusts it. A 401 means nobody is signed in and is remembered
 * until the next sign-in; any other failure is thrown and not remembered.
 */
import { IdentityError, type IdentityErrorCode, type IdentityProvider } from './identity-provider.ts';
import { tokenExpiryMs } from './token-expiry.ts';

const REFRESH_BEFORE_MS = 60_000;
const TIMEOUT_MS = 20_000;

type Deps = { fetch: typeof globalThis.fetch; now: () => number };
type Held = { token: string; expiresAtMs: number };

export function createLocalIdentityProvider(deps: Deps): IdentityProvider {
  let held: Held | undefined;
  let signedOut = false;
  let flight: Promise<string | undefined> | undefined;
  // Answers that were asked for before a sign-in or sign-out must not be taken for the present session.
  let epoch = 0;

  function reset(nowSignedOut: boolean): void {
    epoch += 1;
    held = undefined;
    flight = undefined;
    signedOut = nowSignedOut;
  }

  async function fetchToken(): Promise<string | undefined> {
    const begun = epoch;
    const response = await ask(deps, 'GET', '/auth/token');
    if (!response.ok) throw await failureOf(response);
    const token = await tokenIn(response);
    if (begun !== epoch) return undefined;
    if (token === null) {
      reset(true);
      return undefined;
    }
    held = { token, expiresAtMs: tokenExpiryMs(token) };
    return token;
  }

  async function getToken({ refresh = false } = {}): Promise<string | undefined> {
    if (signedOut) return undefined;
    if (!refresh && held !== undefined && held.expiresAtMs - deps.now() > REFRESH_BEFORE_MS) return held.token;
    if (flight === undefined) {
      const mine = fetchToken().finally(() => {
        if (flight === mine) flight = undefined;
      });
      flight = mine;
    }
    return flight;
  }

  return {
    getToken,
    isSignedIn: async () => (await getToken()) !== undefined,
    async signInWithPassword({ email, password }) {
      const response = await ask(deps, 'POST', '/auth/sign-in/email', { email, password });
      if (!response.ok) throw await failureOf(response, 'CREDENTIALS_WRONG');
      const body: unknown = await response.json();
      if (typeof body === 'object' && body !== null && 'twoFactorRedirect' in body && body.twoFactorRedirect === true) {
        return 'second_factor';
      }
      reset(false);
      return 'signed_in';
    },
    async verifyTotp(code) {
      const response = await ask(deps, 'POST', '/auth/two-factor/verify-totp', { code });
      if (!response.ok) throw await failureOf(response, 'CODE_WRONG');
      reset(false);
    },
    async signOut() {
      reset(true);
      await ask(deps, 'POST', '/auth/sign-out', {});
    },
    forget: () => reset(false),
  };
}

async function ask(deps: Deps, method: string, path: string, body?: unknown): Promise<Response> {
  try {
    return await deps.fetch(path, {
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

/** Null where nobody is signed in. */
async function tokenIn(response: Response): Promise<string | null> {
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'token' in body) {
    if (typeof body.token === 'string' || body.token === null) return body.token;
  }
  throw new IdentityError('UNEXPECTED');
}

/** Codes of the provider that mean something else than their status says. */
const codes: Readonly<Record<string, IdentityErrorCode>> = {
  INVALID_TWO_FACTOR_COOKIE: 'SIGN_IN_EXPIRED',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'LOCKED',
  ACCOUNT_TEMPORARILY_LOCKED: 'LOCKED',
  ACCOUNT_LOCKED: 'LOCKED',
  USER_DISABLED: 'ACCOUNT_DISABLED',
  BANNED_USER: 'ACCOUNT_DISABLED',
};

async function failureOf(response: Response, refused: IdentityErrorCode = 'UNEXPECTED'): Promise<IdentityError> {
  const body: unknown = await response.json().catch((): unknown => undefined);
  const code = typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';
  const header = response.headers.get('retry-after') ?? response.headers.get('x-retry-after');
  const retryAfterS = header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
  const meant = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (meant !== undefined) return new IdentityError(meant, { retryAfterS });
  if (response.status === 429) return new IdentityError('TOO_MANY_ATTEMPTS', { retryAfterS });
  return new IdentityError(response.status >= 400 && response.status < 500 ? refused : 'UNEXPECTED');
}
