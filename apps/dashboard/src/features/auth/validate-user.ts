import type { CurrentUser } from '@airdeck/contracts/me/schema';
import type { AppContext } from '../../session/app-context.ts';
import { currentUserQuery, isAccountMissing } from '../../session/current-user.ts';
import { waitForExternalId } from '../../session/external-id.ts';

/** Loads the user after sign-in and waits for the external account id (spec §4); undefined when it never came. */
export function loadValidatedUser(
  { api, queryClient }: Pick<AppContext, 'api' | 'queryClient'>,
  signal: AbortSignal,
): Promise<CurrentUser | undefined> {
  return waitForExternalId(
    async () => {
      signal.throwIfAborted();
      // An account that is just being made is not there yet; that is what the wait is for.
      const me = await queryClient.fetchQuery({ ...currentUserQuery(api), staleTime: 0 }).catch(missing);
      return me === undefined || me.user.external_id === null ? undefined : me;
    },
    {
      wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      now: Date.now,
      random: Math.random,
    },
  );
}

function missing(error: unknown): undefined {
  if (!isAccountMissing(error)) throw error;
}
