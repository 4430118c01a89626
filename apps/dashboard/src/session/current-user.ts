import type { ApiClient } from '@airdeck/api-client/client';
import { queryOptions } from '@tanstack/react-query';
import { policyOf } from '../lib/query-policy.ts';

/** The signed-in user with tenants, roles and plans. Its key has no tenant: it is the same in all of them. */
export function currentUserQuery(api: ApiClient) {
  return queryOptions({
    ...policyOf('currentUser'),
    queryKey: ['me'],
    queryFn: ({ signal }) => api.call('me.get', { signal }),
  });
}
