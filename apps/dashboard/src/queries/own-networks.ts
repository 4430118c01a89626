import type { RouteParts } from '@airdeck/api-client/route-call';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export type OwnNetworksBody = NonNullable<RouteParts<'own-networks.put'>['body']>;

export const ownNetworkQueries = {
  get: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('ownNetworks'),
      queryKey: [...resourceKey(tenantId, 'settings'), 'own-networks'],
      queryFn: ({ signal }) => api.call('own-networks.get', { params: { tenant: tenantId }, signal }),
    }),
};

export const ownNetworkMutations = {
  /** Replaces the whole list; the answer is the list as it is now. */
  put: (tenantApi: TenantApi, queryClient: QueryClient) => {
    const { api, tenantId } = tenantApi;
    const { queryKey } = ownNetworkQueries.get(tenantApi);
    return mutationOptions({
      mutationFn: (body: OwnNetworksBody) => api.call('own-networks.put', { params: { tenant: tenantId }, body }),
      onSuccess: (networks) => queryClient.setQueryData(queryKey, networks),
      // Refused because somebody else was faster, or never answered: what is there now is to be seen.
      onError: () => queryClient.invalidateQueries({ queryKey }),
      meta: { failure: 'inline' },
    });
  },
};
