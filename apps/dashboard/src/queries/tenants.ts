import { queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export const tenantQueries = {
  /**
   * Plan, logo, and whether automation is on: what the frame shows of the tenant. Whoever works here has to learn soon that
   * it was switched off, so it is asked for anew wherever it is shown, also after an earlier page load kept it.
   */
  state: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('tenantDetails'),
      refetchOnMount: 'always',
      // No asking goes on in a hidden tab.
      refetchOnWindowFocus: 'always',
      queryKey: [...resourceKey(tenantId, 'tenant'), 'state'],
      queryFn: ({ signal }) => api.call('tenants.get', { params: { tenant: tenantId }, signal }),
    }),
};
