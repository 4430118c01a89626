import { queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export const telemetryQueries = {
  /** Of the last `days` days, today included. */
  usage: ({ api, tenantId }: TenantApi, days: number) =>
    queryOptions({
      ...policyOf('dashboardUsage'),
      queryKey: [...resourceKey(tenantId, 'settings'), 'usage', days],
      queryFn: ({ signal }) =>
        api.call('telemetry.usage', { params: { tenant: tenantId }, query: { days: String(days) }, signal }),
    }),
};
