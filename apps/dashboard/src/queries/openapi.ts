import type { CallControls, RouteParts } from '@airdeck/api-client/route-call';
import type { ImportedIntegration } from '@airdeck/contracts/openapi/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';

export type ImportInput = NonNullable<RouteParts<'openapi.import'>['body']>;

// Five megabytes over a slow line, and up to twenty seconds of reading behind others that wait for theirs.
const READING_TIMEOUT_MS = 180_000;

export const importedQueries = {
  /** What the tenant has imported, with the versions that another import replaces. */
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('importedIntegrations'),
      // Under the catalogue they are part of: both are read again together.
      queryKey: [...resourceKey(tenantId, 'integrations'), 'imported'],
      queryFn: ({ signal }) => api.call('openapi.list', { params: { tenant: tenantId }, signal }),
    }),
};

export const importMutations = {
  /** Uploads a description and answers what is in it. Nothing comes of it until operations are chosen. */
  read: ({ api, tenantId }: TenantApi) =>
    mutationOptions({
      mutationFn: ({ content, signal }: { content: Blob; signal: AbortSignal }) =>
        api.call('openapi.upload', {
          params: { tenant: tenantId },
          // YAML holds JSON, too.
          body: new Blob([content], { type: 'application/yaml' }),
          signal,
          timeoutMs: READING_TIMEOUT_MS,
        }),
      // A document may have thousands of operations.
      gcTime: 0,
      meta: { failure: 'inline' },
    }),

  /** Asks first where it takes away actions that something uses. */
  make: (tenantApi: TenantApi, queryClient: QueryClient, intent: CallIntent) => ({
    mutationFn: (body: ImportInput, controls: Pick<CallControls, 'confirm'>) =>
      intent.once(body, (idempotencyKey) =>
        tenantApi.api.call('openapi.import', {
          params: { tenant: tenantApi.tenantId },
          body,
          ...controls,
          idempotencyKey,
          timeoutMs: READING_TIMEOUT_MS,
        }),
      ),
    onSuccess: () => catalogueChanged(tenantApi, queryClient),
    gcTime: 0,
    meta: { failure: 'inline' as const },
  }),
};

/** What can be connected and done is not what it was, and connectors of it may have other fields. */
function catalogueChanged({ tenantId }: TenantApi, queryClient: QueryClient): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'integrations') }),
    queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'actions') }),
    queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'connectors') }),
  ]);
}

/** After an imported integration was deleted: nothing asks for it any more. */
export function forgetImported(
  tenantApi: TenantApi,
  queryClient: QueryClient,
  { definition_id }: Pick<ImportedIntegration, 'definition_id'>,
): Promise<unknown> {
  const key = [...resourceKey(tenantApi.tenantId, 'integrations'), 'detail', definition_id];
  queryClient.removeQueries({ queryKey: key });
  return catalogueChanged(tenantApi, queryClient);
}
