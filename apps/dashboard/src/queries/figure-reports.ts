import type { ActivityReportTable } from '@airdeck/contracts/reports/activity-report';
import type { LogReportTable } from '@airdeck/contracts/reports/log-report';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import { FILE_TIMEOUT_MS, fileMutation } from './file-mutation.ts';

/** What a report is over: ISO times, and the zone whose days are counted. */
export type ReportRange = { readonly start_time: string; readonly end_time?: string; readonly time_zone: string };

export const figureReportQueries = {
  /** Log-collection report. */
  log: ({ api, tenantId }: TenantApi, range: ReportRange) =>
    queryOptions({
      ...policyOf('graylogReport'),
      queryKey: [...resourceKey(tenantId, 'reports'), 'log', range],
      queryFn: ({ signal }) => api.call('log-report.get', { params: { tenant: tenantId }, query: range, signal }),
      placeholderData: keepPreviousData,
    }),

  /** What the tenant sends by day, or a customer of it. */
  usage: ({ api, tenantId }: TenantApi, range: ReportRange, customer?: string) =>
    queryOptions({
      ...policyOf('eventUsage'),
      queryKey: [...resourceKey(tenantId, 'reports'), 'usage', customer, range],
      queryFn: ({ signal }) =>
        customer === undefined
          ? api.call('log-report.usage', { params: { tenant: tenantId }, query: range, signal })
          : api.call('customers.usage', { params: { tenant: tenantId, id: customer }, query: range, signal }),
      placeholderData: keepPreviousData,
    }),

  /** SOAR report. */
  activity: ({ api, tenantId }: TenantApi, range: ReportRange) =>
    queryOptions({
      ...policyOf('soarReport'),
      queryKey: [...resourceKey(tenantId, 'reports'), 'activity', range],
      queryFn: ({ signal }) => api.call('activity-report.get', { params: { tenant: tenantId }, query: range, signal }),
      placeholderData: keepPreviousData,
    }),
};

export type ReportTable =
  | { readonly of: 'log-report.csv'; readonly table: LogReportTable }
  | { readonly of: 'activity-report.csv'; readonly table: ActivityReportTable };

export const figureReportMutations = {
  /** One table of a report as a CSV file. */
  csv: ({ api, tenantId }: TenantApi, { of, table }: ReportTable, range: ReportRange) =>
    fileMutation(async () => {
      const at = { params: { tenant: tenantId }, timeoutMs: FILE_TIMEOUT_MS };
      const { file, name = `${table}.csv` } =
        of === 'log-report.csv'
          ? await api.download(of, { ...at, query: { ...range, table } })
          : await api.download(of, { ...at, query: { ...range, table } });
      return { file, name };
    }),
};
