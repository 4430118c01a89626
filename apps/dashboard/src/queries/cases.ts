import type { RouteParts } from '@airdeck/api-client/route-call';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export type CaseListParams = NonNullable<RouteParts<'cases.list'>['query']>;
export type CaseChange = NonNullable<RouteParts<'cases.update'>['body']>;

const lists = (tenantId: string) => [...resourceKey(tenantId, 'cases'), 'list'] as const;
const detailKey = (tenantId: string, id: string) => [...resourceKey(tenantId, 'cases'), 'detail', id] as const;

export const caseQueries = {
  list: ({ api, tenantId }: TenantApi, query: CaseListParams) =>
    queryOptions({
      ...policyOf('cases'),
      queryKey: [...lists(tenantId), query],
      queryFn: ({ signal }) => api.call('cases.list', { params: { tenant: tenantId }, query, signal }),
    }),

  detail: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('caseDetails'),
      queryKey: detailKey(tenantId, id),
      queryFn: ({ signal }) => api.call('cases.get', { params: { tenant: tenantId, id }, signal }),
    }),

  /** The policy that opened a case. */
  policy: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('policyDetails'),
      queryKey: [...resourceKey(tenantId, 'policies'), 'detail', id],
      queryFn: ({ signal }) => api.call('policies.get', { params: { tenant: tenantId, id }, signal }),
    }),
};

export const caseMutations = {
  /** Changes a case; its answer is the case as it is now, so nothing is shown before the server agreed. */
  update: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) =>
    mutationOptions({
      mutationFn: (body: CaseChange) => api.call('cases.update', { params: { tenant: tenantId, id }, body }),
      onSuccess: (detail) => {
        queryClient.setQueryData(detailKey(tenantId, id), detail);
        void queryClient.invalidateQueries({ queryKey: lists(tenantId) });
      },
    }),
};
