import type { ApiClient } from '@airdeck/api-client/client';
import type { RouteParts } from '@airdeck/api-client/route-call';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { policyOf } from '../lib/query-policy.ts';
import { currentUserQuery } from '../session/current-user.ts';
import type { IdentityProvider } from '../session/identity-provider.ts';
import type { CallIntent } from './activity.ts';

export type ProfileChange = NonNullable<RouteParts<'me.update'>['body']>;
export type NewApiKey = NonNullable<RouteParts<'api-keys.create'>['body']>;

// Not of a tenant: the account and its keys are the same in all of them.
const securityKey = ['account', 'security'] as const;
const sessionsKey = ['account', 'sessions'] as const;
const apiKeysKey = ['account', 'api-keys'] as const;

/** The own account at the identity provider. */
export const accountQueries = {
  security: (identity: IdentityProvider) =>
    queryOptions({
      ...policyOf('accountSecurity'),
      queryKey: securityKey,
      queryFn: async () => (await identity.account()).security(),
    }),

  sessions: (identity: IdentityProvider) =>
    queryOptions({
      ...policyOf('accountSessions'),
      queryKey: sessionsKey,
      queryFn: async () => (await identity.account()).listSessions(),
    }),

  connections: (identity: IdentityProvider) =>
    queryOptions({
      ...policyOf('accountConnections'),
      queryKey: ['account', 'connections'],
      queryFn: async () => (await identity.account()).listConnections(),
    }),
};

/** After a change of how the account is secured: other sessions may have ended with it. */
export async function accountChanged(queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: securityKey }),
    queryClient.invalidateQueries({ queryKey: sessionsKey }),
  ]);
}

export const apiKeyQueries = {
  list: (api: ApiClient) =>
    queryOptions({
      ...policyOf('apiKeys'),
      queryKey: apiKeysKey,
      queryFn: ({ signal }) => api.call('api-keys.list', { signal }),
    }),
};

export const apiKeyMutations = {
  create: (api: ApiClient, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: NewApiKey) =>
        intent.once(body, (idempotencyKey) => api.call('api-keys.create', { body, idempotencyKey })),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: apiKeysKey }),
      meta: { failure: 'inline' },
    }),

  revoke: (api: ApiClient, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('api-keys.revoke', { params: { id } }),
      // Also after a failure: a key revoked elsewhere answers not found.
      onSettled: () => queryClient.invalidateQueries({ queryKey: apiKeysKey }),
    }),
};

export const meMutations = {
  /** The answer is the user as it is now, so what depends on locale and time zone changes with it. */
  update: (api: ApiClient, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (body: ProfileChange) => api.call('me.update', { body }),
      onSuccess: (me) => queryClient.setQueryData(currentUserQuery(api).queryKey, me),
      meta: { failure: 'inline' },
    }),
};
