import type { RouteParts } from '@airdeck/api-client/route-call';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import { defined } from '../lib/search-params.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import { currentUserQuery } from '../session/current-user.ts';
import type { CallIntent } from './activity.ts';
import { withNewFields } from './new-fields.ts';

export type SettingsChange = NonNullable<RouteParts<'settings.update'>['body']>;
export type SsoInput = NonNullable<RouteParts<'sso.create'>['body']>;

const ssoKey = (tenantId: string) => [...resourceKey(tenantId, 'settings'), 'sso'] as const;

export const settingsQueries = {
  get: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('tenantSettings'),
      queryKey: [...resourceKey(tenantId, 'settings'), 'values'],
      queryFn: ({ signal }) => api.call('settings.get', { params: { tenant: tenantId }, signal }),
    }),

  connections: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('ssoConnections'),
      queryKey: ssoKey(tenantId),
      queryFn: ({ signal }) => api.call('sso.list', { params: { tenant: tenantId }, signal }),
    }),

  domains: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('ssoDomains'),
      queryKey: [...ssoKey(tenantId), 'domains'],
      queryFn: ({ signal }) => api.call('sso.domains', { params: { tenant: tenantId }, signal }),
    }),
};

export function connectionsChanged({ tenantId }: TenantApi, queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ssoKey(tenantId) });
}

export const settingsMutations = {
  /** The answer is the settings as they are now; name, brand and automation also show in the frame. */
  update: (tenantApi: TenantApi, queryClient: QueryClient) => {
    const { api, tenantId } = tenantApi;
    return mutationOptions({
      mutationFn: (body: SettingsChange) => api.call('settings.update', { params: { tenant: tenantId }, body }),
      onSuccess: (settings) => {
        queryClient.setQueryData(settingsQueries.get(tenantApi).queryKey, settings);
        void queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'tenant') });
        void queryClient.invalidateQueries({ queryKey: currentUserQuery(api).queryKey });
      },
      meta: { failure: 'inline' },
    });
  },
};

export const ssoMutations = {
  /** Adds a connection, or replaces the one with this id, if nobody has changed it since `updated_at`. */
  save: (tenantApi: TenantApi, queryClient: QueryClient, intent: CallIntent) => {
    const { api, tenantId } = tenantApi;
    return mutationOptions({
      mutationFn: ({ id, body, updated_at }: { id: string | undefined; body: SsoInput; updated_at?: string }) =>
        id === undefined
          ? intent.once([tenantId, body], (idempotencyKey) =>
              api.call('sso.create', { params: { tenant: tenantId }, body, idempotencyKey }),
            )
          : withNewFields(defined({ updated_at }), (known) =>
              api.call('sso.update', { params: { tenant: tenantId, id }, body: { ...body, ...known } }),
            ),
      onSuccess: () => connectionsChanged(tenantApi, queryClient),
      meta: { failure: 'inline' },
    });
  },

  /** Looks for the record of a domain; a record that is not there is an answer, not a failure. */
  checkDomain: (tenantApi: TenantApi, queryClient: QueryClient) => {
    const { api, tenantId } = tenantApi;
    return mutationOptions({
      mutationFn: (domain: string) => api.call('sso.check-domain', { params: { tenant: tenantId }, body: { domain } }),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: settingsQueries.domains(tenantApi).queryKey }),
      meta: { failure: 'inline' },
    });
  },

  /** Whether the issuer can be used; a bad issuer is an answer, not a failure. */
  test: ({ api, tenantId }: TenantApi) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('sso.test', { params: { tenant: tenantId, id } }),
      meta: { failure: 'inline' },
    }),
};
