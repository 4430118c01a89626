import { limits } from '@airdeck/contracts/limits';
import type { NotificationList } from '@airdeck/contracts/notifications/schema';
import { infiniteQueryOptions, mutationOptions, type QueryClient } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import { withNewFields } from './new-fields.ts';
import { notificationQueries } from './notifications.ts';

/** Those named, or all up to the newest that was shown. */
type Read = { ids: string[] } | { up_to: string };

/** All that is kept, page after page: what the list has beside the bell, which every screen loads. */
export function notificationList(tenantApi: TenantApi, queryClient: QueryClient) {
  const { api, tenantId } = tenantApi;
  const { queryKey: newestKey } = notificationQueries.newest(tenantApi);
  return infiniteQueryOptions({
    ...policyOf('notifications'),
    queryKey: [...resourceKey(tenantId, 'notifications'), 'list'],
    queryFn: ({ pageParam, signal }) => {
      // Who wants more than the newest is on the way through many.
      const query = pageParam === undefined ? {} : { cursor: pageParam, limit: limits.listMax };
      return api.call('notifications.list', { params: { tenant: tenantId }, query, signal });
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor ?? undefined,
    // It opens with what the bell has, and opened again with no more: all pages are read anew with each that comes.
    initialData: () => {
      const newest = queryClient.getQueryData(newestKey);
      return newest === undefined ? undefined : { pages: [newest], pageParams: [undefined] };
    },
    initialDataUpdatedAt: () => {
      const newest = queryClient.getQueryState(newestKey);
      return newest?.isInvalidated === true ? 0 : newest?.dataUpdatedAt;
    },
    gcTime: 0,
  });
}

/** Marks as read; shown at once, and taken back if the server refuses. */
export function markRead(tenantApi: TenantApi, queryClient: QueryClient) {
  const { api, tenantId } = tenantApi;
  const resource = resourceKey(tenantId, 'notifications');
  const call = (body: Partial<Read>) => api.call('notifications.read', { params: { tenant: tenantId }, body });
  return mutationOptions({
    mutationFn: (which: Read) => ('ids' in which ? call(which) : withNewFields(which, call)),
    onMutate: async (which: Read) => {
      await queryClient.cancelQueries({ queryKey: resource });
      const mark = marker(which);
      queryClient.setQueryData(notificationQueries.newest(tenantApi).queryKey, (newest) => newest && mark(newest));
      queryClient.setQueryData(
        notificationList(tenantApi, queryClient).queryKey,
        (list) => list && { ...list, pages: list.pages.map(mark) },
      );
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: resource }),
  });
}

/** Of those named only what is unread is ever marked. */
function marker(which: Read): (page: NotificationList) => NotificationList {
  const readAt = new Date().toISOString();
  const isMeant = (id: string) => !('ids' in which) || which.ids.includes(id);
  return (page) => ({
    ...page,
    notifications: page.notifications.map((each) =>
      each.read_at === null && isMeant(each.id) ? { ...each, read_at: readAt } : each,
    ),
    unread: 'ids' in which ? Math.max(0, page.unread - which.ids.length) : 0,
  });
}
