import type { ApiClient } from '@airdeck/api-client/client';
import type { RouteParts } from '@airdeck/api-client/route-call';
import type { Contact } from '@airdeck/contracts/contacts/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export type ContactBody = NonNullable<RouteParts<'contacts.create'>['body']>;

type Move = {
  tenantId: string;
  id: string;
  body: ContactBody;
  /** The list as it will be. */
  after: Contact[];
};

const moves = 'contact-moves';

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'contacts'), 'list'] as const;

export const contactQueries = {
  /** All contacts of a tenant, those of the escalation first. */
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('tenantContacts'),
      queryKey: listKey(tenantId),
      queryFn: ({ signal }) => api.call('contacts.list', { params: { tenant: tenantId }, signal }),
    }),
};

export const contactMutations = {
  create: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (body: ContactBody) => api.call('contacts.create', { params: { tenant: tenantId }, body }),
      // Places of others may have moved, so the whole list is read again.
      onSuccess: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  update: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: ({ id, body }: { id: string; body: ContactBody }) =>
        api.call('contacts.update', { params: { tenant: tenantId, id }, body }),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  /** Shows the new order at once; it is taken back if the server refuses. Moves go out one after another. */
  move: (api: ApiClient, queryClient: QueryClient) =>
    mutationOptions({
      scope: { id: moves },
      mutationKey: [moves],
      mutationFn: ({ tenantId, id, body }: Move) =>
        api.call('contacts.update', { params: { tenant: tenantId, id }, body }),
      onMutate: async ({ tenantId, after }: Move) => {
        await queryClient.cancelQueries({ queryKey: listKey(tenantId) });
        queryClient.setQueryData(contactQueries.list({ api, tenantId }).queryKey, after);
      },
      onSettled: (_answer, _error, { tenantId }) => {
        // Between two moves the server's list lacks the later one.
        if (queryClient.isMutating({ mutationKey: [moves] }) > 1) return undefined;
        return queryClient.invalidateQueries({ queryKey: listKey(tenantId) });
      },
    }),

  delete: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('contacts.delete', { params: { tenant: tenantId, id } }),
      // Also after a failure: somebody else may have been first.
      onSettled: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      meta: { failure: 'inline' },
    }),
};
