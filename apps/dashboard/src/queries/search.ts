import type { RouteParts } from '@airdeck/api-client/route-call';
import type { SearchOrder } from '@airdeck/contracts/search/schema';
import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

/** What is searched for, and when, with the ends of the range reckoned. */
export type Selection = NonNullable<RouteParts<'search.fields'>['body']>;
export type SavedSearchBody = NonNullable<RouteParts<'search.saved-create'>['body']>;
type SavedSearchChange = NonNullable<RouteParts<'search.saved-update'>['body']>;

/** Events of one page: more than a screen shows, so that scrolling seldom waits. */
const PAGE_EVENTS = 200;
/** A search over months takes the store longer than other calls. */
const SEARCH_TIMEOUT_MS = 60_000;

const savedKey = (tenantId: string) => [...resourceKey(tenantId, 'search'), 'saved'] as const;

export const searchQueries = {
  /** Page after page; total, histogram and connectors come with the first one. */
  run: ({ api, tenantId }: TenantApi, selection: Selection, sort: SearchOrder) =>
    infiniteQueryOptions({
      ...policyOf('eventSearch'),
      queryKey: [...resourceKey(tenantId, 'search'), 'run', selection, sort],
      queryFn: ({ pageParam, signal }) =>
        api.call('search.run', {
          params: { tenant: tenantId },
          body: { ...selection, sort, limit: PAGE_EVENTS, ...(pageParam === undefined ? {} : { cursor: pageParam }) },
          signal,
          timeoutMs: SEARCH_TIMEOUT_MS,
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ cursor }) => cursor ?? undefined,
    }),

  /** Fields of what a search finds, from a sample. */
  fields: ({ api, tenantId }: TenantApi, selection: Selection) =>
    queryOptions({
      ...policyOf('eventFields'),
      queryKey: [...resourceKey(tenantId, 'search'), 'fields', selection],
      queryFn: ({ signal }) =>
        api.call('search.fields', {
          params: { tenant: tenantId },
          body: selection,
          signal,
          timeoutMs: SEARCH_TIMEOUT_MS,
        }),
    }),

  /** One event, for links that name it; much faster when its time is known. */
  event: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('foundEvent'),
      queryKey: [...resourceKey(tenantId, 'search'), 'event', id],
      queryFn: ({ signal }) =>
        api.call('search.event', { params: { tenant: tenantId, id }, query: {}, signal, timeoutMs: SEARCH_TIMEOUT_MS }),
    }),

  /** Integrations and event types that have sent events. */
  scopes: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('searchScopes'),
      queryKey: [...resourceKey(tenantId, 'search'), 'scopes'],
      queryFn: ({ signal }) => api.call('search.scopes', { params: { tenant: tenantId }, signal }),
    }),

  /** Own and shared ones, by name. */
  saved: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('savedSearches'),
      queryKey: savedKey(tenantId),
      queryFn: ({ signal }) => api.call('search.saved-list', { params: { tenant: tenantId }, signal }),
    }),
};

/** Values of a field that begin with what was typed, for completion; none when they cannot be had in time. */
export function fieldValues(
  { api, tenantId }: TenantApi,
  query: RouteParts<'search.values'>['query'],
  signal: AbortSignal,
) {
  return api.call('search.values', { params: { tenant: tenantId }, query, signal, timeoutMs: 5_000 });
}

export const searchMutations = {
  save: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (body: SavedSearchBody) => api.call('search.saved-create', { params: { tenant: tenantId }, body }),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: savedKey(tenantId) }),
    }),

  change: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: ({ id, body }: { id: string; body: SavedSearchChange }) =>
        api.call('search.saved-update', { params: { tenant: tenantId, id }, body }),
      // Also after a failure: what is known of it may be what is wrong.
      onSettled: () => queryClient.invalidateQueries({ queryKey: savedKey(tenantId) }),
    }),

  delete: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (id: string) => api.call('search.saved-delete', { params: { tenant: tenantId, id } }),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: savedKey(tenantId) }),
    }),
};
