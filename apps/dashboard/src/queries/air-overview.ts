import { ApiError } from '@airdeck/api-client/api-error';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

// Nothing announces that a case has just become late.
const REFRESH_MS = 60_000;

export const airOverviewQueries = {
  /** Below the cases, so that a change of one asks again. */
  get: ({ api, tenantId }: TenantApi, { start, end, timeZone }: { start: Date; end: Date; timeZone: string }) => {
    const times = { start_time: start.toISOString(), end_time: end.toISOString() };
    const query = { ...times, time_zone: timeZone };
    return queryOptions({
      ...policyOf('airOverview'),
      refetchInterval: REFRESH_MS,
      placeholderData: keepPreviousData,
      queryKey: [...resourceKey(tenantId, 'cases'), 'overview', query],
      queryFn: async ({ signal }) => {
        const params = { tenant: tenantId };
        try {
          return await api.call('air.overview', { params, query, signal });
        } catch (error) {
          // A server of the release before, while it is replaced, knows no zone and counts days of its own.
          if (!(error instanceof ApiError) || error.status !== 400) throw error;
          return await api.call('air.overview', { params, query: times, signal });
        }
      },
    });
  },
};
