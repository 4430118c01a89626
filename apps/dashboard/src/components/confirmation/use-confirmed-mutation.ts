import { ApiError } from '@airdeck/api-client/api-error';
import type { CallControls } from '@airdeck/api-client/route-call';
import { type MutateOptions, type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { wasCancelled } from './cancelled.ts';
import { dialogs } from './dialog-queue.ts';

/** What the call must pass on to `api.call`. */
export type ConfirmControls = Pick<CallControls, 'idempotencyKey' | 'confirm'>;

type Options<T, V> = Omit<UseMutationOptions<T, Error, V>, 'mutationFn'> & {
  mutationFn: (variables: V, controls: ConfirmControls) => Promise<T>;
};

/**
 * A mutation whose route may ask for a confirmation (449). The question opens as a dialog; confirmed, the same call is
 * repeated as the same intent, under its first idempotency key. It is pending until the dialog is over. Left, nothing has
 * happened: no error, no toast. A second `mutate` while one is pending does nothing.
 */
export function useConfirmedMutation<T, V = void>({ mutationFn, onError, ...options }: Options<T, V>) {
  // State would still say "not pending" to a second click within the same event.
  const running = useRef(false);
  const mutation = useMutation<T, Error, V>({
    ...options,
    // Not when it settles: whoever resets it on success is not told of that any more.
    mutationFn: (variables) =>
      confirmed((controls) => mutationFn(variables, controls)).finally(() => {
        running.current = false;
      }),
    onError: (error, ...rest) => (wasCancelled(error) ? undefined : onError?.(error, ...rest)),
  });
  const mutate = (variables: V, each?: MutateOptions<T, Error, V>) => {
    if (running.current) return;
    running.current = true;
    mutation.mutate(variables, {
      ...each,
      onError: (error, ...rest) => (wasCancelled(error) ? undefined : each?.onError?.(error, ...rest)),
    });
  };
  const { data, isPending, isSuccess, reset, variables } = mutation;
  const error = wasCancelled(mutation.error) ? null : mutation.error;
  return { mutate, data, error, isError: error !== null, isPending, isSuccess, reset, variables };
}

/** One call of several that a mutation makes: each is asked about on its own. Left, it fails as `cancelled`. */
export async function confirmed<T>(call: (controls: ConfirmControls) => Promise<T>): Promise<T> {
  const idempotencyKey = crypto.randomUUID();
  try {
    return await call({ idempotencyKey });
  } catch (error) {
    if (!(error instanceof ApiError) || error.confirmation === undefined) throw error;
    return dialogs.confirm(error.confirmation, (passphrase) =>
      call({ idempotencyKey, confirm: passphrase === undefined ? {} : { passphrase } }),
    );
  }
}
