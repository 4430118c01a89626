import { queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export const tenantQueries = {
  /** Plan, logo, and whether automation is on: what the frame shows of the tenant, asked again now and then. */
  state: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('tenantState'),
      queryKey: [...resourceKey(tenantId, 'tenant'), 'state'],
      queryFn: ({ signal }) => api.call('tenants.get', { params: { tenant: tenantId }, signal }),
    }),
};
