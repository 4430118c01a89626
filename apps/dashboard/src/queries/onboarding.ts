import type { RouteParts } from '@airdeck/api-client/route-call';
import type { Onboarding } from '@airdeck/contracts/onboarding/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export type OnboardingBody = NonNullable<RouteParts<'onboarding.save'>['body']>;

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'onboarding'), 'list'] as const;

export const onboardingQueries = {
  /** Onboardings begun and not finished, newest first. */
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('onboarding'),
      queryKey: listKey(tenantId),
      queryFn: ({ signal }) => api.call('onboarding.list', { params: { tenant: tenantId }, signal }),
    }),

  /** Addresses our calls come from. */
  addresses: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('wizardIp'),
      // Not below the resource: its changes say nothing about our addresses.
      queryKey: [tenantId, 'air-ip'],
      queryFn: ({ signal }) => api.call('onboarding.air-ip', { params: { tenant: tenantId }, signal }),
    }),
};

export const onboardingMutations = {
  /** Begins the onboarding of that id, or replaces it. */
  save: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: ({ id, body }: { id: string; body: OnboardingBody }) =>
        api.call('onboarding.save', { params: { tenant: tenantId, id }, body }),
      onSuccess: (saved) =>
        queryClient.setQueryData<Onboarding[]>(listKey(tenantId), (before) =>
          before === undefined ? undefined : [saved, ...before.filter(({ id }) => id !== saved.id)],
        ),
      meta: { failure: 'inline' },
    }),

  delete: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('onboarding.delete', { params: { tenant: tenantId, id } }),
      // Also after a failure: somebody else may have been first.
      onSettled: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  check: ({ api, tenantId }: TenantApi) =>
    mutationOptions({
      mutationFn: (url: string) => api.call('onboarding.reachability', { params: { tenant: tenantId }, body: { url } }),
      meta: { failure: 'inline' },
    }),
};
