/**
 * The built-in identity provider: endpoints under `/auth`, session in an HttpOnly cookie, access token in memory only.
 *
 * Token: none → fetching (single flight: all callers wait for the one request) → held → refetched when fewer than
 * `REFRESH_BEFORE_MS` of its life are left or a caller distrusts it. A 401 means nobody is signed in and is remembered
 * until the next sign-in; any other failure is thrown and not remembered.
 *
 * Tabs share the cookie, so each tells the others when it signs in or out; who hears that drops its token.
 */
import { IdentityError, type IdentityProvider } from './identity-provider.ts';
import { callIdentity } from './local-identity-calls.ts';
import { tokenExpiryMs, tokenSubject } from './token-claims.ts';

const REFRESH_BEFORE_MS = 60_000;
const WORTH_TELLING_S = 60;

/** Between the tabs of one browser; a message never comes back to the tab that sent it. */
export type TabChannel = {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
};

type Deps = {
  fetch: typeof globalThis.fetch;
  now: () => number;
  /** Milliseconds since somebody last touched this page. */
  idleMs: () => number;
  channel?: TabChannel | undefined;
};
type Held = { token: string; expiresAtMs: number; sessionEndsAtMs: number | undefined };
type Change = 'signed_out' | 'signed_in';

export function createLocalIdentityProvider(deps: Deps): IdentityProvider {
  let held: Held | undefined;
  let signedOut = false;
  let flight: Promise<string | undefined> | undefined;
  // Answers that were asked for before a sign-in or sign-out must not be taken for the present session.
  let epoch = 0;
  const listeners = new Set<(change: Change) => void>();

  function reset(nowSignedOut: boolean): void {
    epoch += 1;
    held = undefined;
    flight = undefined;
    signedOut = nowSignedOut;
  }

  function adopt(): void {
    reset(false);
    deps.channel?.postMessage('signed_in' satisfies Change);
  }

  async function fetchToken(): Promise<string | undefined> {
    const begun = epoch;
    // A session ends when nobody uses it, and a page that only refreshes itself is not used.
    const idleS = Math.floor(deps.idleMs() / 1000);
    const path = idleS < WORTH_TELLING_S ? '/auth/token' : `/auth/token?idle_s=${idleS}`;
    const { token, session_ends_in_s: endsInS } = await callIdentity(deps.fetch, { method: 'GET', path });
    if (typeof token !== 'string' && token !== null) throw new IdentityError('UNEXPECTED');
    if (begun !== epoch) return undefined;
    if (token === null) {
      reset(true);
      return undefined;
    }
    const sessionEndsAtMs = typeof endsInS === 'number' ? deps.now() + endsInS * 1000 : undefined;
    held = { token, expiresAtMs: tokenExpiryMs(token), sessionEndsAtMs };
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

  async function hear(change: Change): Promise<void> {
    const before = held === undefined ? undefined : tokenSubject(held.token);
    reset(change === 'signed_out');
    if (change === 'signed_in' && before !== undefined) {
      const token = await getToken().catch(() => undefined);
      if (token !== undefined && tokenSubject(token) === before) return;
    }
    for (const listener of listeners) listener(change);
  }
  deps.channel?.addEventListener('message', ({ data }) => {
    if (data === 'signed_out' || data === 'signed_in') void hear(data);
  });

  async function verify(path: string, code: string): Promise<void> {
    await callIdentity(deps.fetch, { method: 'POST', path, body: { code }, refused: 'CODE_WRONG' });
    adopt();
  }

  return {
    getToken,
    sessionEndsAt: () => held?.sessionEndsAtMs,
    isSignedIn: async () => (await getToken()) !== undefined,
    async signInWithPassword(credentials) {
      const answer = await callIdentity(deps.fetch, {
        method: 'POST',
        path: '/auth/sign-in/email',
        body: { email: credentials.email, password: credentials.password },
        refused: 'CREDENTIALS_WRONG',
      });
      if (answer.twoFactorRedirect === true) return 'second_factor';
      if (answer.newPasswordRequired === true) return 'new_password';
      adopt();
      return 'signed_in';
    },
    verifyTotp: (code) => verify('/auth/two-factor/verify-totp', code),
    verifyRecoveryCode: (code) => verify('/auth/two-factor/verify-backup-code', code),
    async signOut() {
      reset(true);
      try {
        await callIdentity(deps.fetch, { method: 'POST', path: '/auth/sign-out', body: {} });
      } finally {
        // Also when the server was not reached: this person has left, and the other tabs show the same account.
        deps.channel?.postMessage('signed_out' satisfies Change);
      }
    },
    forget: () => reset(false),
    onChangedElsewhere(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async account() {
      const { createLocalIdentityAccount } = await import('./local-identity-account.ts').catch((cause: unknown) => {
        throw new IdentityError('UNREACHABLE', { cause });
      });
      return createLocalIdentityAccount({
        fetch: deps.fetch,
        onSignedIn: adopt,
        leaveTo: (url) => window.location.assign(url),
        passkeys: () => navigator.credentials,
      });
    },
  };
}
