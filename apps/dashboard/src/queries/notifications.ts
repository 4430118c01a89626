import type { SlackSetting } from '@airdeck/contracts/notifications/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';

const slackKey = ['account', 'notification-slack'] as const;

export const notificationQueries = {
  /** The newest of the signed-in user in this tenant, and how many are unread in all. */
  newest: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('notifications'),
      queryKey: [...resourceKey(tenantId, 'notifications'), 'newest'],
      queryFn: ({ signal }) => api.call('notifications.list', { params: { tenant: tenantId }, signal }),
    }),
};

/** Of the account, the same in all tenants. */
export const channelQueries = {
  slack: (api: TenantApi['api']) =>
    queryOptions({
      ...policyOf('notificationSlack'),
      queryKey: slackKey,
      queryFn: ({ signal }) => api.call('notifications.slack', { signal }),
    }),
};

export const channelMutations = {
  setSlack: (api: TenantApi['api'], queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (url: string) => api.call('notifications.set-slack', { body: { url } }),
      onSuccess: (setting) => queryClient.setQueryData(slackKey, setting),
      // Whoever has the address can write there: it must not lie in the cache.
      gcTime: 0,
      meta: { failure: 'inline' },
    }),

  removeSlack: (api: TenantApi['api'], queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: () => api.call('notifications.remove-slack', {}),
      onSuccess: () => {
        queryClient.setQueryData(slackKey, (before: SlackSetting | undefined) => before && { ...before, slack: null });
        void queryClient.invalidateQueries({ queryKey: slackKey });
      },
      meta: { failure: 'inline' },
    }),

  test: (api: TenantApi['api']) =>
    mutationOptions({
      mutationFn: (channel: 'webhook' | 'slack') => api.call('notifications.test', { body: { channel } }),
      meta: { failure: 'inline' },
    }),
};

export const notificationMutations = {
  /** A new secret for signing webhooks; the answer is the only time it is told. */
  webhookSecret: (api: TenantApi['api'], intent: CallIntent) =>
    mutationOptions({
      mutationFn: () =>
        intent.once(null, (idempotencyKey) => api.call('notifications.webhook-secret', { idempotencyKey })),
      // Whoever has the secret can sign: it must not lie in the cache longer than it is shown.
      gcTime: 0,
      meta: { failure: 'inline' },
    }),
};
