import type { RouteParts } from '@airdeck/api-client/route-call';
import { limits } from '@airdeck/contracts/limits';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';

export type Invitation = NonNullable<RouteParts<'users.invite'>['body']>;
export type UserChange = NonNullable<RouteParts<'users.update'>['body']>;

type UserFilter = { q?: string | undefined; withDisabled?: boolean | undefined };

export const userQueries = {
  /** People by name: everybody of most tenants in one answer, the first of larger ones; `q` finds the others. */
  list: ({ api, tenantId }: TenantApi, { q, withDisabled = false }: UserFilter = {}) =>
    queryOptions({
      ...policyOf('tenantUsers'),
      queryKey: [...resourceKey(tenantId, 'users'), 'list', q ?? '', withDisabled],
      queryFn: ({ signal }) =>
        api.call('users.list', {
          params: { tenant: tenantId },
          query: { limit: limits.usersMax, show_all: withDisabled ? 'true' : 'false', q },
          signal,
        }),
    }),
};

/** Whether people may be missing from an answer because it holds no more. */
export function areOnlyTheFirst(people: readonly unknown[]): boolean {
  return people.length >= limits.usersMax;
}

export function usersChanged({ tenantId }: TenantApi, queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'users') });
}

export const userMutations = {
  /** Also sends a new ticket to somebody who is still invited. */
  invite: (tenantApi: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: Invitation) =>
        intent.once([tenantApi.tenantId, body], (idempotencyKey) =>
          tenantApi.api.call('users.invite', { params: { tenant: tenantApi.tenantId }, body, idempotencyKey }),
        ),
      onSuccess: () => usersChanged(tenantApi, queryClient),
      meta: { failure: 'inline' },
    }),

  update: (tenantApi: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (body: UserChange) =>
        tenantApi.api.call('users.update', { params: { tenant: tenantApi.tenantId }, body }),
      onSuccess: () => usersChanged(tenantApi, queryClient),
      meta: { failure: 'inline' },
    }),

  resetPassword: (tenantApi: TenantApi) =>
    mutationOptions({
      mutationFn: (username: string) =>
        tenantApi.api.call('users.reset-password', { params: { tenant: tenantApi.tenantId }, query: { username } }),
      meta: { failure: 'inline' },
    }),
};
