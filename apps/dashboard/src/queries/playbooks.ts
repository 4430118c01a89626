import { queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export const playbookQueries = {
  /** All playbooks of the tenant, by name; asked only for roles of the `playbooks` area. */
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('playbooks'),
      queryKey: [...resourceKey(tenantId, 'playbooks'), 'list'],
      queryFn: ({ signal }) => api.call('playbooks.list', { params: { tenant: tenantId }, signal }),
    }),
};
