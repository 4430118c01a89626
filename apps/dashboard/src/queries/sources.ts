import type { RouteParts } from '@airdeck/api-client/route-call';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export type NewSource = NonNullable<RouteParts<'sources.create'>['body']>;

// Whoever looks at the list often waits for the first event of a source just set up.
const REFRESH_MS = 10_000;

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'sources'), 'list'] as const;

export const sourceQueries = {
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('eventSources'),
      refetchInterval: REFRESH_MS,
      queryKey: listKey(tenantId),
      queryFn: ({ signal }) => api.call('sources.list', { params: { tenant: tenantId }, signal }),
    }),
};

export const sourceMutations = {
  create: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (body: NewSource) => api.call('sources.create', { params: { tenant: tenantId }, body }),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      // The answer holds the token; nothing keeps it longer than the dialog is open.
      gcTime: 0,
      meta: { failure: 'inline' },
    }),
};
