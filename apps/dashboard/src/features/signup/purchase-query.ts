import type { ApiClient } from '@airdeck/api-client/client';
import { queryOptions } from '@tanstack/react-query';
import { policyOf } from '../../lib/query-policy.ts';

/** What a purchase is for. In memory only, as everything with the token. */
export function purchaseQuery(api: ApiClient, token: string) {
  return queryOptions({
    ...policyOf('azureDetails'),
    queryKey: ['purchase', token],
    queryFn: ({ signal }) => api.call('marketplace.details', { query: { token }, signal }),
  });
}
