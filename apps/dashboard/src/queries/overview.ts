import type { ApiClient } from '@airdeck/api-client/client';
import { queryOptions } from '@tanstack/react-query';
import { policyOf } from '../lib/query-policy.ts';

export const overviewQueries = {
  /** All tenants of the user, most urgent first. */
  list: (api: ApiClient) =>
    queryOptions({
      ...policyOf('overview'),
      queryKey: ['overview'],
      queryFn: ({ signal }) => api.call('overview.list', { signal }),
    }),
};
