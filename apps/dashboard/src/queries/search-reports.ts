import type { RouteParts } from '@airdeck/api-client/route-call';
import type { SearchReport } from '@airdeck/contracts/reports/schema';
import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf, polling, queryRows, staleUnlessFailed } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';

export type ExportBody = NonNullable<RouteParts<'search-reports.export'>['body']>;
export type ScheduleBody = NonNullable<RouteParts<'search-reports.create-schedule'>['body']>;

const PAGE = 50;
/** The server's two minutes begin before its answer is here, and end before the file is asked for. */
const LINK_MARGIN_MS = 10_000;

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'search-reports'), 'list'] as const;
const schedulesKey = (tenantId: string) => [...resourceKey(tenantId, 'search-reports'), 'schedules'] as const;

export function isUnfinished({ status }: Pick<SearchReport, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

/** How soon reports are to be asked for again: often while one is being made. */
export function reportsPollMs(pages: readonly (readonly Pick<SearchReport, 'status'>[])[] | undefined): number {
  return pages?.some((page) => page.some(isUnfinished)) ? polling.unfinishedReportMs : polling.reportListMs;
}

export const searchReportQueries = {
  /** Newest first, page after page; a screen that shows them asks again every `reportsPollMs`, so how far they are shows. */
  list: ({ api, tenantId }: TenantApi) =>
    infiniteQueryOptions({
      ...policyOf('airReport'),
      queryKey: listKey(tenantId),
      queryFn: ({ pageParam, signal }) =>
        api.call('search-reports.list', {
          params: { tenant: tenantId },
          query: { limit: PAGE, ...(pageParam === undefined ? {} : { before: pageParam }) },
          signal,
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => (page.length < PAGE ? undefined : page.at(-1)?.id),
    }),

  /** Asked for when it is wanted, and used again while it is sure to open. */
  link: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('airDownloadLink'),
      staleTime: staleUnlessFailed(queryRows.airDownloadLink.staleMs - LINK_MARGIN_MS),
      queryKey: [...resourceKey(tenantId, 'search-reports'), 'link', id] as const,
      queryFn: ({ signal }) => api.call('search-reports.link', { params: { tenant: tenantId, id }, signal }),
    }),

  /** By name. */
  schedules: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('reportSchedules'),
      queryKey: schedulesKey(tenantId),
      queryFn: ({ signal }) => api.call('search-reports.schedules', { params: { tenant: tenantId }, signal }),
    }),

  recipients: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('reportRecipients'),
      queryKey: [...resourceKey(tenantId, 'search-reports'), 'recipients'],
      queryFn: ({ signal }) => api.call('search-reports.recipients', { params: { tenant: tenantId }, signal }),
    }),
};

export const searchReportMutations = {
  export: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: ExportBody) =>
        intent.once(body, (idempotencyKey) =>
          api.call('search-reports.export', { params: { tenant: tenantId }, body, idempotencyKey }),
        ),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  runAgain: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (id: string) =>
        intent.once(id, (idempotencyKey) =>
          api.call('search-reports.run-again', { params: { tenant: tenantId, id }, idempotencyKey }),
        ),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
    }),

  cancel: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('search-reports.cancel', { params: { tenant: tenantId, id } }),
      // Also after a failure: it may have ended meanwhile.
      onSettled: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
    }),

  delete: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('search-reports.delete', { params: { tenant: tenantId, id } }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  createSchedule: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: ScheduleBody) =>
        intent.once(body, (idempotencyKey) =>
          api.call('search-reports.create-schedule', { params: { tenant: tenantId }, body, idempotencyKey }),
        ),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: schedulesKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  setSchedule: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: ({ id, body, updatedAt }: { id: string; body: ScheduleBody; updatedAt: string }) =>
        api.call('search-reports.set-schedule', {
          params: { tenant: tenantId, id },
          body: { ...body, updated_at: updatedAt },
        }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: schedulesKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  deleteSchedule: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('search-reports.delete-schedule', { params: { tenant: tenantId, id } }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: schedulesKey(tenantId) }),
      meta: { failure: 'inline' },
    }),
};
