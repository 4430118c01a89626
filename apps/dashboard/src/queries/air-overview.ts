import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

// Nothing announces that a case has just become late.
const REFRESH_MS = 60_000;

export const airOverviewQueries = {
  /** Below the cases, so that a change of one asks again. */
  get: ({ api, tenantId }: TenantApi, { start, end, timeZone }: { start: Date; end: Date; timeZone: string }) => {
    const query = { start_time: start.toISOString(), end_time: end.toISOString(), time_zone: timeZone };
    return queryOptions({
      ...policyOf('airOverview'),
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
      queryKey: [...resourceKey(tenantId, 'cases'), 'overview', query],
      queryFn: ({ signal }) => api.call('air.overview', { params: { tenant: tenantId }, query, signal }),
    });
  },
};
