import type { RouteParts } from '@airdeck/api-client/route-call';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import { defined } from '../lib/search-params.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';
import { withNewFields } from './new-fields.ts';

export type ContractTermsBody = NonNullable<RouteParts<'contract.set'>['body']>;
type BillingBody = NonNullable<RouteParts<'contract.set-billing'>['body']>;

// 20 MB over a slow line.
const UPLOAD_TIMEOUT_MS = 300_000;

const termsKey = (tenantId: string) => [...resourceKey(tenantId, 'contract'), 'terms'] as const;
const billingKey = (tenantId: string) => [...resourceKey(tenantId, 'contract'), 'billing'] as const;

export const contractQueries = {
  /** Fails with NOT_FOUND while there is no contract. */
  terms: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('tenantContract'),
      queryKey: termsKey(tenantId),
      queryFn: ({ signal }) => api.call('contract.get', { params: { tenant: tenantId }, signal }),
    }),

  billing: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('tenantBilling'),
      queryKey: billingKey(tenantId),
      queryFn: ({ signal }) => api.call('contract.billing', { params: { tenant: tenantId }, signal }),
    }),
};

export const contractMutations = {
  set: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: ({ replaces, ...terms }: ContractTermsBody) =>
        withNewFields(defined({ replaces }), (known) =>
          api.call('contract.set', { params: { tenant: tenantId }, body: { ...terms, ...known } }),
        ),
      onSuccess: (contract) => queryClient.setQueryData(termsKey(tenantId), contract),
      // Refused, they are others than were read.
      onError: () => void queryClient.invalidateQueries({ queryKey: termsKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  setBilling: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: ({ replaces, ...texts }: BillingBody) =>
        withNewFields(defined({ replaces }), (known) =>
          api.call('contract.set-billing', { params: { tenant: tenantId }, body: { ...texts, ...known } }),
        ),
      onSuccess: (billing) => queryClient.setQueryData(billingKey(tenantId), billing),
      onError: () => void queryClient.invalidateQueries({ queryKey: billingKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  upload: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (file: File) =>
        intent.once([tenantId, file.name, file.size, file.lastModified], (idempotencyKey) =>
          api.call('contract.upload', {
            params: { tenant: tenantId },
            query: { name: file.name.slice(0, 200) },
            body: file,
            idempotencyKey,
            timeoutMs: UPLOAD_TIMEOUT_MS,
          }),
        ),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: termsKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  deleteFile: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('contract.delete-file', { params: { tenant: tenantId, id } }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: termsKey(tenantId) }),
      meta: { failure: 'inline' },
    }),

  /** A link good for two minutes, asked for when it is used. */
  download: ({ api, tenantId }: TenantApi) =>
    mutationOptions({
      mutationFn: (file: string) => api.call('contract.download', { params: { tenant: tenantId, file } }),
      meta: { name: 'tenantContractFiles' },
    }),
};
