import type { RouteParts } from '@airdeck/api-client/route-call';
import type { ExecutiveReport, ExecutiveReportTable } from '@airdeck/contracts/reports/executive-report';
import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf, polling } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';
import { FILE_TIMEOUT_MS, fileMutation } from './file-mutation.ts';

export type ExecutiveReportBody = NonNullable<RouteParts<'executive-reports.create'>['body']>;
export type ExecutiveSettingsBody = NonNullable<RouteParts<'executive-reports.set-settings'>['body']>;

const PAGE = 25;

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'executive-reports'), 'list'] as const;
const settingsKey = (tenantId: string) => [...resourceKey(tenantId, 'reports'), 'executive', 'settings'] as const;

export function isBeingMade({ status }: Pick<ExecutiveReport, 'status'>): boolean {
  return status === 'pending' || status === 'running';
}

export const executiveReportQueries = {
  /** Newest first; asked for often while one is being made. */
  list: ({ api, tenantId }: TenantApi) =>
    infiniteQueryOptions({
      ...policyOf('mdrReports'),
      queryKey: listKey(tenantId),
      queryFn: ({ pageParam, signal }) =>
        api.call('executive-reports.list', {
          params: { tenant: tenantId },
          query: { limit: String(PAGE), ...(pageParam === undefined ? {} : { before: pageParam }) },
          signal,
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ files }) => (files.length < PAGE ? undefined : files.at(-1)?.id),
      refetchInterval: ({ state: { data } }) =>
        data?.pages.some(({ files }) => files.some(isBeingMade)) === true ? polling.unfinishedReportMs : false,
    }),

  /** Asked for when it is wanted, and used again: the server's lives a little longer. */
  link: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('mdrDownloadLink'),
      queryKey: [...resourceKey(tenantId, 'executive-reports'), 'link', id] as const,
      queryFn: ({ signal }) => api.call('executive-reports.link', { params: { tenant: tenantId, id }, signal }),
    }),

  settings: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('reportSettings'),
      queryKey: settingsKey(tenantId),
      queryFn: ({ signal }) => api.call('executive-reports.settings', { params: { tenant: tenantId }, signal }),
    }),

  recipients: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('reportRecipients'),
      queryKey: [...resourceKey(tenantId, 'reports'), 'executive', 'recipients'],
      queryFn: ({ signal }) => api.call('executive-reports.recipients', { params: { tenant: tenantId }, signal }),
    }),
};

export const executiveReportMutations = {
  create: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: ExecutiveReportBody) =>
        intent.once([tenantId, body], (idempotencyKey) =>
          api.call('executive-reports.create', { params: { tenant: tenantId }, body, idempotencyKey }),
        ),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  /** One table of a report as a CSV file. */
  csv: ({ api, tenantId }: TenantApi, { id, month }: Pick<ExecutiveReport, 'id' | 'month'>) =>
    fileMutation(async (table: ExecutiveReportTable) => {
      const parts = { params: { tenant: tenantId, id }, query: { table } };
      const { file, name = `${month}-${table.replaceAll('_', '-')}.csv` } = await api.download(
        'executive-reports.csv',
        { ...parts, timeoutMs: FILE_TIMEOUT_MS },
      );
      return { file, name };
    }),

  delete: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('executive-reports.delete', { params: { tenant: tenantId, id } }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  setSettings: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (body: ExecutiveSettingsBody) =>
        api.call('executive-reports.set-settings', { params: { tenant: tenantId }, body }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: settingsKey(tenantId) }),
      meta: { failure: 'inline' },
    }),
};
