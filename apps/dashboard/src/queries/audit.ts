import type { RouteParts } from '@airdeck/api-client/route-call';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export type AuditFilter = Omit<NonNullable<RouteParts<'audit.list'>['query']>, 'cursor' | 'limit'>;
export type AuditFormat = 'csv' | 'ndjson';

/** A chain of many records takes the server longer than other calls. */
const VERIFY_TIMEOUT_MS = 10 * 60_000;

export const auditQueries = {
  /** Newest first, page after page. */
  list: ({ api, tenantId }: TenantApi, filter: AuditFilter) =>
    infiniteQueryOptions({
      ...policyOf('audit'),
      queryKey: [...resourceKey(tenantId, 'audit'), 'list', filter],
      queryFn: ({ pageParam, signal }) =>
        api.call('audit.list', { params: { tenant: tenantId }, query: { ...filter, cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ cursor }) => cursor ?? undefined,
    }),
};

export function verifyAudit({ api, tenantId }: TenantApi, signal: AbortSignal) {
  return api.call('audit.verify', { params: { tenant: tenantId }, signal, timeoutMs: VERIFY_TIMEOUT_MS });
}

type AuditDownload = {
  filter: AuditFilter;
  format: AuditFormat;
  signal: AbortSignal;
  onProgress: (bytes: number) => void;
};

/** The filtered records as a file. */
export async function downloadAudit(
  { api, tenantId }: TenantApi,
  { filter, format, ...controls }: AuditDownload,
): Promise<{ file: Blob; name: string }> {
  const parts = { params: { tenant: tenantId }, query: { ...filter, format } };
  const { file, name = `audit-${tenantId}.${format}` } = await api.download('audit.export', { ...parts, ...controls });
  return { file, name };
}
