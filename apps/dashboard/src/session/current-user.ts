import { isRefusedWith } from '@airdeck/api-client/api-error';
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

/** Whether asking for the user failed because this sign-in has no account here (yet). */
export function isAccountMissing(error: unknown): boolean {
  return isRefusedWith(error, 'ACCOUNT_NOT_FOUND');
}
