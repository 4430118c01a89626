import { queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export const actionQueries = {
  /** Actions that can be run; asked only for roles of the `actions` area. */
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('actions'),
      queryKey: [...resourceKey(tenantId, 'actions'), 'list'],
      queryFn: ({ signal }) => api.call('actions.list', { params: { tenant: tenantId }, signal }),
    }),
};
