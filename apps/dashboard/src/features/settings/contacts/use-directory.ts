import { hasRole } from '@airdeck/contracts/access/roles';
import { useQueries } from '@tanstack/react-query';
import { contactQueries } from '../../../queries/contacts.ts';
import { useApp, useSession } from '../../../session/app-context.ts';
import { useCurrentUser } from '../../../session/use-current-user.ts';
import type { TenantContacts } from './contact-rows.ts';

/** Contacts of the chosen tenants, of those where one is Admin; without a choice those of the current one. */
export function useDirectory(wanted: readonly string[] | undefined) {
  const { api } = useApp();
  const { currentTenant } = useSession();
  const { allowed_tenants, tenant_roles } = useCurrentUser();
  const choices = allowed_tenants.filter(({ id }) => hasRole(tenant_roles[id] ?? 'ReadOnly', 'Admin'));
  const chosen = choices.filter(({ id }) => wanted?.includes(id) ?? id === currentTenant);
  // A link of somebody else may name none of ours.
  const tenants = chosen.length > 0 ? chosen : choices.filter(({ id }) => id === currentTenant);
  const lists = useQueries({ queries: tenants.map(({ id }) => contactQueries.list({ api, tenantId: id })) });
  const loaded: TenantContacts[] = tenants.flatMap(({ id, fullname }, index) => {
    const contacts = lists[index]?.data;
    return contacts === undefined ? [] : [{ tenantId: id, tenantName: fullname, contacts }];
  });
  return {
    choices,
    tenants,
    loaded,
    /** Shown beside what did load, one for each tenant whose contacts did not. */
    failures: tenants.flatMap((tenant, index) => {
      const list = lists[index];
      return list?.isError === true && list.data === undefined ? [{ tenant, list }] : [];
    }),
    waiting: lists.some(({ isPending }) => isPending),
    readAt: Math.min(...lists.flatMap(({ data, dataUpdatedAt }) => (data === undefined ? [] : [dataUpdatedAt]))),
  };
}
