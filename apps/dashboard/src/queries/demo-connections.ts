import type { ApiClient } from '@airdeck/api-client/client';
import { queryOptions } from '@tanstack/react-query';
import { policyOf } from '../lib/query-policy.ts';

/** How to connect the vendors of the local sandbox. Stage `local` with demo data only; elsewhere there is no such route. */
export const demoConnectionQueries = {
  list: (api: ApiClient) =>
    queryOptions({
      ...policyOf('demoConnections'),
      queryKey: ['demo-connections'],
      queryFn: ({ signal }) => api.call('system.demo-connections', { signal }),
    }),
};
