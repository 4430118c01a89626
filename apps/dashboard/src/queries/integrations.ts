import { queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

/** What can be connected: the product's catalogue, not what a tenant has set up (that is `connectorQueries`). */
export const integrationQueries = {
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('availableIntegrations'),
      queryKey: [...resourceKey(tenantId, 'integrations'), 'list'],
      queryFn: ({ signal }) => api.call('integrations.list', { params: { tenant: tenantId }, signal }),
    }),

  /** Also one that is no longer offered but still in use. */
  detail: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('integrationDefinition'),
      queryKey: [...resourceKey(tenantId, 'integrations'), 'detail', id],
      queryFn: ({ signal }) => api.call('integrations.get', { params: { tenant: tenantId, id }, signal }),
    }),
};
