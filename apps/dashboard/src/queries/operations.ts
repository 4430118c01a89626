import { queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export const operationsQueries = {
  now: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('operations'),
      queryKey: [...resourceKey(tenantId, 'settings'), 'operations'],
      queryFn: ({ signal }) => api.call('operations.get', { params: { tenant: tenantId }, signal }),
    }),
};
