import type { IdentityProvider } from './identity-provider.ts';
import { createLocalIdentityProvider } from './local-identity-provider.ts';

type Deps = { fetch: typeof globalThis.fetch; now: () => number };

/** The provider the publishable key asks for, or why there is none. */
export function chooseIdentityProvider(
  publishableKey: string,
  deps: Deps,
): { identity: IdentityProvider } | { problem: string } {
  if (publishableKey === 'local') return { identity: createLocalIdentityProvider(deps) };
  return {
    problem:
      'identity_publishable_key asks for the hosted identity provider, which this release cannot speak to yet. Set it to "local" to use the built-in one.',
  };
}
