import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'actions'), 'list'] as const;

export const actionQueries = {
  /** Actions that can be run; asked only for roles of the `actions` area. */
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('actions'),
      queryKey: listKey(tenantId),
      queryFn: ({ signal }) => api.call('actions.list', { params: { tenant: tenantId }, signal }),
    }),

  /** One action; the list, where it is there, knows it already. */
  detail: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) => {
    const list = () => queryClient.getQueryState<ActionDefinition[]>(listKey(tenantId));
    return queryOptions({
      ...policyOf('actionDetails'),
      queryKey: [...resourceKey(tenantId, 'actions'), 'detail', id],
      queryFn: ({ signal }) => api.call('actions.get', { params: { tenant: tenantId, id }, signal }),
      initialData: () => list()?.data?.find(({ action_id }) => action_id === id),
      initialDataUpdatedAt: () => list()?.dataUpdatedAt,
    });
  },
};
