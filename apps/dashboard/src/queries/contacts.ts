import type { ApiClient } from '@airdeck/api-client/client';
import type { RouteParts } from '@airdeck/api-client/route-call';
import type { Contact } from '@airdeck/contracts/contacts/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';

export type ContactBody = NonNullable<RouteParts<'contacts.create'>['body']>;
export type ContactChange = NonNullable<RouteParts<'contacts.update'>['body']>;

type Move = {
  tenantId: string;
  /** As it was when it was moved. */
  contact: Contact;
  /** Place in the escalation it shall have. */
  place: number;
  /** The list as it will be. */
  after: Contact[];
};

const moves = 'contact-moves';

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'contacts'), 'list'] as const;

/** The directory, and who of it reports can be sent to; resolves when the directory is there. */
async function refreshContacts(queryClient: QueryClient, tenantId: string): Promise<void> {
  void queryClient.invalidateQueries({ queryKey: [...resourceKey(tenantId, 'search-reports'), 'recipients'] });
  void queryClient.invalidateQueries({ queryKey: [...resourceKey(tenantId, 'reports'), 'executive', 'recipients'] });
  await queryClient.invalidateQueries({ queryKey: listKey(tenantId) });
}

/** A contact as the routes take it, made from the state it is in. */
function changeOf(contact: Contact): ContactChange {
  const { name, email, phone, job_title, kind, escalation_order, notify, notes, updated_at } = contact;
  return { name, email, phone, job_title, kind, escalation_order, notify, notes, updated_at };
}

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
  create: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: ContactBody) =>
        intent.once([tenantId, body], (idempotencyKey) =>
          api.call('contacts.create', { params: { tenant: tenantId }, body, idempotencyKey }),
        ),
      // Places of others may have moved, so the whole list is read again.
      onSuccess: () => refreshContacts(queryClient, tenantId),
      meta: { failure: 'inline' },
    }),

  update: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: ({ id, body }: { id: string; body: ContactChange }) =>
        api.call('contacts.update', { params: { tenant: tenantId, id }, body }),
      onSuccess: () => refreshContacts(queryClient, tenantId),
      meta: { failure: 'inline' },
    }),

  /** Reads the list again, after somebody else was faster; resolves when it is there. */
  reload: ({ tenantId }: TenantApi, queryClient: QueryClient) =>
    queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),

  /** Shows the new order at once; it is taken back if the server refuses. Moves go out one after another. */
  move: (api: ApiClient, queryClient: QueryClient) =>
    mutationOptions({
      scope: { id: moves },
      mutationKey: [moves],
      mutationFn: ({ tenantId, contact, place }: Move) => {
        const { id } = contact;
        const contacts = queryClient.getQueryData(contactQueries.list({ api, tenantId }).queryKey);
        // As the list has it now: a move that waited for another of the same contact goes on from what that one made.
        const body = { ...changeOf(contacts?.find((each) => each.id === id) ?? contact), escalation_order: place };
        return api.call('contacts.update', { params: { tenant: tenantId, id }, body });
      },
      onSuccess: ({ id, updated_at }, { tenantId }) => {
        queryClient.setQueryData(contactQueries.list({ api, tenantId }).queryKey, (contacts) =>
          contacts?.map((each) => (each.id === id ? { ...each, updated_at } : each)),
        );
      },
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
      onSettled: () => refreshContacts(queryClient, tenantId),
      meta: { failure: 'inline' },
    }),
};
