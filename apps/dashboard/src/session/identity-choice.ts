import { IdentityError, type IdentityProvider } from './identity-provider.ts';
import { createLocalIdentityProvider, type TabChannel } from './local-identity-provider.ts';

type Deps = {
  fetch: typeof globalThis.fetch;
  now: () => number;
  /** Milliseconds since somebody last touched this page. */
  idleMs: () => number;
  /** To the other tabs of this browser. */
  channel?: TabChannel | undefined;
};

/**
 * The provider the publishable key asks for. The hosted one is a file of its own.
 *
 * @throws IdentityError UNREACHABLE when that file cannot be loaded
 */
export async function chooseIdentityProvider(publishableKey: string, deps: Deps): Promise<IdentityProvider> {
  if (publishableKey === 'local') return createLocalIdentityProvider(deps);
  const { createClerkIdentityProvider } = await import('./clerk-identity-provider.ts').catch((cause: unknown) => {
    throw new IdentityError('UNREACHABLE', { cause });
  });
  return createClerkIdentityProvider({
    publishableKey,
    channel: deps.channel,
    leaveTo: (url) => window.location.assign(url),
    origin: () => window.location.origin,
  });
}
