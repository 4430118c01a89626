import { wipeCaches } from '../lib/wipe-caches.ts';
import type { AppContext } from './app-context.ts';

type SignOutContext = Pick<AppContext, 'identity' | 'queryClient' | 'session' | 'storage'>;

/** Spec §4, logout: signs out, cancels and clears all cached data, removes the stored session. */
export async function signOut(context: SignOutContext): Promise<void> {
  try {
    await context.identity.signOut();
  } finally {
    // Also when the provider cannot be reached: what this browser knows must be gone.
    await forgetUser(context);
  }
}

/** Removes every trace of the user from this browser without asking the provider. */
export async function forgetUser({ queryClient, session, storage }: Omit<SignOutContext, 'identity'>): Promise<void> {
  session.clear();
  await wipeCaches(queryClient, storage);
}
