import type { ApiClient } from '@airdeck/api-client/client';
import type { RouteParts } from '@airdeck/api-client/route-call';
import type { FirstSteps } from '@airdeck/contracts/dashboards/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

type LayoutBody = NonNullable<RouteParts<'home-layout.save'>['body']>;

/** Somebody may be sending the first events at this moment. */
const UNFINISHED_MS = 15_000;

// Not of a tenant: the same home page in all of them.
const layoutKey = ['account', 'home-layout'] as const;

export const homeQueries = {
  /** The widgets the profile keeps. Asked for again whenever somebody comes back to the page: they may come from another browser. */
  layout: (api: ApiClient) =>
    queryOptions({
      ...policyOf('dashboards'),
      staleTime: 0,
      refetchOnWindowFocus: 'always',
      queryKey: layoutKey,
      queryFn: ({ signal }) => api.call('home-layout.get', { signal }),
    }),

  /** Which of the first steps are done, as the tenant's data says. */
  firstSteps: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('dashboards'),
      staleTime: UNFINISHED_MS,
      queryKey: [...resourceKey(tenantId, 'dashboards'), 'first-steps'],
      queryFn: ({ signal }) => api.call('first-steps.get', { params: { tenant: tenantId }, signal }),
      refetchInterval: ({ state: { data } }) => (data !== undefined && isDone(data) ? false : UNFINISHED_MS),
    }),
};

export const homeMutations = {
  saveLayout: (api: ApiClient, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (body: LayoutBody) => api.call('home-layout.save', { body }),
      // An answer on its way would say what was there before.
      onMutate: () => queryClient.cancelQueries({ queryKey: layoutKey }),
      onSuccess: (saved) => queryClient.setQueryData(layoutKey, saved),
      // It stays in this browser and goes to the profile with the next change or visit.
      meta: { failure: 'inline' },
    }),
};

export function isDone(steps: FirstSteps): boolean {
  return Object.values(steps).every(Boolean);
}
