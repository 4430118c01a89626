import type { RouteParts } from '@airdeck/api-client/route-call';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import { defined } from '../lib/search-params.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';
import { withNewFields } from './new-fields.ts';

export type NewCustomer = NonNullable<RouteParts<'customers.create'>['body']>;
export type CustomerChange = NonNullable<RouteParts<'customers.update'>['body']>;

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'customers'), 'list'] as const;
const rolesKey = (tenantId: string) => [...resourceKey(tenantId, 'customers'), 'roles'] as const;

/** Tenants a provider manages, and its people's roles in all of them. */
export const customerQueries = {
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('customers'),
      queryKey: listKey(tenantId),
      queryFn: ({ signal }) => api.call('customers.list', { params: { tenant: tenantId }, signal }),
    }),

  roles: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('providerRoles'),
      queryKey: rolesKey(tenantId),
      queryFn: ({ signal }) => api.call('customers.roles', { params: { tenant: tenantId }, signal }),
    }),
};

/** After any change here the tenants the reader may work in can be others. */
export async function customersChanged({ tenantId }: TenantApi, queryClient: QueryClient): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'customers') }),
    queryClient.invalidateQueries({ queryKey: ['me'] }),
    queryClient.invalidateQueries({ queryKey: ['overview'] }),
  ]);
}

export const customerMutations = {
  create: (tenantApi: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: NewCustomer) =>
        intent.once([tenantApi.tenantId, body], (idempotencyKey) =>
          tenantApi.api.call('customers.create', { params: { tenant: tenantApi.tenantId }, body, idempotencyKey }),
        ),
      // It may have been made where the answer got lost. What went wrong is told without waiting for the list.
      onSettled: (_, error) => {
        const read = customersChanged(tenantApi, queryClient);
        return error === null ? read : undefined;
      },
      meta: { failure: 'inline' },
    }),

  update: (tenantApi: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: ({ id, body: { replaces, ...change } }: { id: string; body: CustomerChange }) =>
        withNewFields(defined({ replaces }), (known) =>
          tenantApi.api.call('customers.update', {
            params: { tenant: tenantApi.tenantId, id },
            body: { ...change, ...known },
          }),
        ),
      onSuccess: () => customersChanged(tenantApi, queryClient),
      meta: { failure: 'inline' },
    }),
};
