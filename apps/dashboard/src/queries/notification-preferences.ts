import { isRefusedWith } from '@airdeck/api-client/api-error';
import type { ApiClient } from '@airdeck/api-client/client';
import type { NotificationPreferences, NotificationPreferencesInput } from '@airdeck/contracts/notifications/schema';
import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import { currentUserQuery } from '../session/current-user.ts';

/** `whole`: the same with everything that is not changed. */
type Saved = { readonly change: NotificationPreferencesInput; readonly whole: NotificationPreferences };

export const preferenceMutations = {
  save: (api: ApiClient, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: async ({ change, whole }: Saved) => {
        const send = (notification_preferences: NotificationPreferencesInput) =>
          api.call('me.update', { body: { notification_preferences } });
        try {
          return await send(change);
        } catch (error) {
          if (!wantsAll(error, change)) throw error;
          return await send(whole);
        }
      },
      onSuccess: (me) => queryClient.setQueryData(currentUserQuery(api).queryKey, me),
      meta: { failure: 'inline' },
    }),
};

const PATH = 'body.notification_preferences.';

/**
 * Whether what was left out is missing: to a server of release 1.14.2 or before, while it is replaced. Goes with that release,
 * as does `whole`.
 */
function wantsAll(error: unknown, change: NotificationPreferencesInput): boolean {
  if (!isRefusedWith(error, 'VALIDATION_FAILED')) return false;
  return error.details.some(({ path }) => path.startsWith(PATH) && !isSent(change, path.slice(PATH.length)));
}

function isSent(change: object, path: string): boolean {
  let part: unknown = change;
  for (const name of path.split('.')) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return false;
    part = Reflect.get(part, name);
  }
  return true;
}
