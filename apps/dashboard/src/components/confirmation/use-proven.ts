import { isRefusedWith } from '@airdeck/api-client/api-error';
import { useApp } from '../../session/app-context.ts';
import { IdentityError } from '../../session/identity-provider.ts';
import { dialogs } from './dialog-queue.ts';

/**
 * The action, for changes to one's own account: when it answers that it wants to know who is there, a dialog asks for the
 * code of the authenticator, or the password, and the action is done again. Left, it fails with an abort
 * (`wasCancelled`), which nothing shows.
 */
export function useProven<A extends readonly unknown[], T>(
  action: (...given: A) => Promise<T>,
): (...given: A) => Promise<T> {
  const { identity } = useApp();
  return async (...given) => {
    try {
      return await action(...given);
    } catch (error) {
      if (!wantsProof(error)) throw error;
    }
    await dialogs.prove(async (proof) => (await identity.account()).prove(proof));
    return action(...given);
  };
}

/** The failure that a proof would lift. */
export function wantsProof(error: unknown): boolean {
  if (error instanceof IdentityError) return error.code === 'PROOF_REQUIRED';
  return isRefusedWith(error, 'REAUTHENTICATION_REQUIRED');
}
