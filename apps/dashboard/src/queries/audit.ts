import { readFailure } from '@airdeck/api-client/answer';
import { ApiError } from '@airdeck/api-client/api-error';
import { prepareCall, type RouteParts } from '@airdeck/api-client/route-call';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { IdentityProvider } from '../session/identity-provider.ts';

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

export type AuditDownload = {
  identity: Pick<IdentityProvider, 'getToken'>;
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  tenantId: string;
  filter: AuditFilter;
  format: AuditFormat;
  signal: AbortSignal;
  onProgress: (bytes: number) => void;
};

/**
 * The filtered records as a file. A plain link could not carry the token, so the answer is read here; the browser keeps
 * a large one on disk, not in memory. An answer that breaks off half-way is a failure, never a shorter file.
 *
 * @throws ApiError as every call
 */
export async function downloadAudit(download: AuditDownload): Promise<{ file: Blob; name: string }> {
  const { tenantId, filter, format, signal, onProgress } = download;
  const call = prepareCall(download.baseUrl, 'audit.export', {
    params: { tenant: tenantId },
    query: { ...filter, format },
  });
  const at = { endpoint: call.endpoint, method: call.method };
  try {
    const response = await authorized(download, call.url);
    if (!response.ok || response.body === null) throw await readFailure(response, call);
    const parts: Blob[] = [];
    let bytes = 0;
    const reader = response.body.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      parts.push(new Blob([next.value]));
      bytes += next.value.byteLength;
      onProgress(bytes);
    }
    const type = response.headers.get('content-type') ?? '';
    return { file: new Blob(parts, { type }), name: nameOf(response) ?? `audit-${tenantId}.${format}` };
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    if (signal.aborted) {
      throw new ApiError({ ...at, category: 'abort', code: 'ABORTED', message: 'The request was cancelled.', cause });
    }
    const message = 'The download broke off. Nothing was saved; try again.';
    throw new ApiError({ ...at, category: 'network', code: 'UNREACHABLE', message, cause });
  }
}

/** Once more with a fresh token, as every call does. */
async function authorized({ identity, fetch, signal }: AuditDownload, url: string): Promise<Response> {
  const ask = async (refresh: boolean) =>
    fetch(url, {
      headers: { authorization: `Bearer ${(await identity.getToken({ refresh })) ?? ''}` },
      credentials: 'same-origin',
      signal,
    });
  const response = await ask(false);
  return response.status === 401 ? ask(true) : response;
}

function nameOf(response: Response): string | undefined {
  return /filename="([\w.-]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
}
