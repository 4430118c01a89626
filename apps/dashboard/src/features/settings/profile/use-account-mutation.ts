import { useMutation } from '@tanstack/react-query';
import { wasCancelled } from '../../../components/confirmation/cancelled.ts';
import { useProven } from '../../../components/confirmation/use-proven.ts';
import { accountChanged } from '../../../queries/me.ts';
import { useApp } from '../../../session/app-context.ts';
import type { IdentityAccount } from '../../../session/identity-provider.ts';

/**
 * A change to the own account at the identity provider; asks for a proof when the provider wants one. Its failure is the
 * caller's to show; leaving the proof is no failure.
 */
export function useAccountMutation<V, T>(work: (account: IdentityAccount, given: V) => Promise<T>) {
  const { identity, queryClient } = useApp();
  const proven = useProven(async (given: V) => work(await identity.account(), given));
  const mutation = useMutation({
    mutationFn: proven,
    onSuccess: () => accountChanged(queryClient),
    meta: { failure: 'inline' },
  });
  return { ...mutation, error: wasCancelled(mutation.error) ? null : mutation.error };
}
