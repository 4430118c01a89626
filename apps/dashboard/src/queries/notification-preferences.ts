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
          // A server of the release before, while it is replaced, wants all of them. What is wrong is refused again.
          if (!isRefusedWith(error, 'VALIDATION_FAILED')) throw error;
          return await send(whole);
        }
      },
      onSuccess: (me) => queryClient.setQueryData(currentUserQuery(api).queryKey, me),
      meta: { failure: 'inline' },
    }),
};
