/**
 * Clerk as the identity provider, without its components. Its script is a part of this build that is loaded only where
 * the publishable key asks for Clerk; none is ever loaded from elsewhere.
 *
 * Instance: none → loading (single flight) → loaded for as long as the page lives; a failure is thrown, not remembered.
 * Clerk keeps session and token, shares the session between tabs, and fetches tokens anew before they end.
 */
import type { Clerk } from '@clerk/clerk-js';
import { clerkCall } from './clerk-errors.ts';
import { attemptSecondFactor, type ClerkSession, signInWithPassword } from './clerk-sign-in.ts';
import { IdentityError, type IdentityProvider } from './identity-provider.ts';

type Change = 'signed_out' | 'signed_in';

export type ClerkProviderDeps = {
  publishableKey: string;
  /** To the other tabs of this browser. */
  channel?:
    | {
        postMessage(message: unknown): void;
        addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
      }
    | undefined;
  /** Leaves this page for another address. */
  leaveTo: (url: string) => void;
  origin: () => string;
};

export function createClerkIdentityProvider(deps: ClerkProviderDeps): IdentityProvider {
  const listeners = new Set<(change: Change) => void>();
  let loading: Promise<Clerk> | undefined;

  function load(): Promise<Clerk> {
    loading ??= loadClerk(deps.publishableKey).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  }

  const adopt = () => deps.channel?.postMessage('signed_in' satisfies Change);
  const session = async (): Promise<ClerkSession> => ({ clerk: await load(), adopt });

  deps.channel?.addEventListener('message', ({ data }) => {
    if (data === 'signed_out' || data === 'signed_in') for (const listener of listeners) listener(data);
  });

  async function getToken({ refresh = false } = {}): Promise<string | undefined> {
    const clerk = await load();
    // A session with open tasks of Clerk's own has no token the API would take.
    if (clerk.session?.status !== 'active') return undefined;
    const { session: active } = clerk;
    return (await clerkCall(() => active.getToken({ skipCache: refresh }))) ?? undefined;
  }

  return {
    getToken,
    sessionEndsAt: () => undefined,
    isSignedIn: async () => (await getToken()) !== undefined,
    signInWithPassword: async (credentials) => signInWithPassword(await session(), credentials),
    verifyTotp: async (code) => attemptSecondFactor(await session(), { strategy: 'code', code }),
    verifyRecoveryCode: async (code) => attemptSecondFactor(await session(), { strategy: 'backup_code', code }),
    async signOut() {
      try {
        const clerk = await load();
        // With a function of its own Clerk leaves the page alone.
        await clerkCall(() => clerk.signOut(() => undefined));
      } finally {
        deps.channel?.postMessage('signed_out' satisfies Change);
      }
    },
    forget: () => void loading?.then(({ session: active }) => active?.clearCache()).catch(() => undefined),
    onChangedElsewhere(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async account() {
      const { createClerkIdentityAccount } = await import('./clerk-identity-account.ts').catch(unreachable);
      return createClerkIdentityAccount({ ...deps, ...(await session()) });
    },
  };
}

async function loadClerk(publishableKey: string): Promise<Clerk> {
  const { Clerk } = await import('@clerk/clerk-js/no-rhc').catch(unreachable);
  const clerk = new Clerk(publishableKey);
  try {
    await clerk.load({ telemetry: false, signInUrl: '/login', signUpUrl: '/signup' });
  } catch (cause) {
    throw new IdentityError('UNREACHABLE', { cause });
  }
  // Without an answer it goes on with what its cookie says, which is not knowing whether somebody is signed in.
  if (clerk.status !== 'ready' || clerk.client == null) throw new IdentityError('UNREACHABLE');
  return clerk;
}

function unreachable(cause: unknown): never {
  throw new IdentityError('UNREACHABLE', { cause });
}
