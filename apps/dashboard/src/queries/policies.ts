import type { CallControls, RouteParts } from '@airdeck/api-client/route-call';
import type { Policy, PolicyRule } from '@airdeck/contracts/policies/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';

export type PolicyListParams = NonNullable<RouteParts<'policies.list'>['query']>;
type PolicyChange = NonNullable<RouteParts<'policies.update'>['body']>;
type NewPolicy = NonNullable<RouteParts<'policies.create'>['body']>;

/** What a confirmed call is repeated with. */
type ConfirmControls = Pick<CallControls, 'idempotencyKey' | 'confirm'>;

export type Backtest = {
  rule: PolicyRule;
  /** ISO. */
  start_time: string;
  end_time: string;
  case_open_for_s: number;
};

/** A backtest reads many events; the server itself stops before this. */
const BACKTEST_TIMEOUT_MS = 60_000;
/** Longer than the server reads for, so that it can say that it took too long. */
const IMPORT_TIMEOUT_MS = 90_000;

const listsKey = (tenantId: string) => [...resourceKey(tenantId, 'policies'), 'list'] as const;
const detailKey = (tenantId: string, id: string) => [...resourceKey(tenantId, 'policies'), 'detail', id] as const;
const publicationsKey = (tenantId: string, id: string) => [...detailKey(tenantId, id), 'publications'] as const;

export const policyQueries = {
  list: ({ api, tenantId }: TenantApi, query: PolicyListParams) =>
    queryOptions({
      ...policyOf('policies'),
      queryKey: [...listsKey(tenantId), query],
      queryFn: ({ signal }) => api.call('policies.list', { params: { tenant: tenantId }, query, signal }),
    }),

  detail: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('policyDetails'),
      queryKey: detailKey(tenantId, id),
      queryFn: ({ signal }) => api.call('policies.get', { params: { tenant: tenantId, id }, signal }),
    }),

  /** Newest first. */
  versions: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('policyVersions'),
      queryKey: [...detailKey(tenantId, id), 'versions'],
      queryFn: ({ signal }) => api.call('policies.versions', { params: { tenant: tenantId, id }, signal }),
    }),

  /** The rule as its author wrote it, of an imported policy. */
  sourceText: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('policySourceText'),
      queryKey: [...detailKey(tenantId, id), 'source-text'],
      queryFn: ({ signal }) => api.call('policies.source-text', { params: { tenant: tenantId, id }, signal }),
    }),

  /** The customers of this provider where the reader works, and the copy each of them has. */
  publications: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('policyPublications'),
      queryKey: publicationsKey(tenantId, id),
      queryFn: ({ signal }) => api.call('policies.publications', { params: { tenant: tenantId, id }, signal }),
    }),

  /** What a policy starts when it opens a case. */
  responses: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('automations'),
      queryKey: [...resourceKey(tenantId, 'rule-responses'), 'of-policy', id],
      queryFn: ({ signal }) =>
        api.call('rule-responses.list', { params: { tenant: tenantId }, query: { rule_id: id, limit: 100 }, signal }),
    }),
};

/** What is called with `useConfirmedMutation`: a policy that would match nearly everything asks first. */
export function policyCalls({ api, tenantId }: TenantApi) {
  return {
    create: (body: NewPolicy, { intent, ...controls }: ConfirmControls & { intent: CallIntent }): Promise<Policy> =>
      intent.once(body, (idempotencyKey) =>
        api.call('policies.create', { params: { tenant: tenantId }, body, ...controls, idempotencyKey }),
      ),
    update: ({ id, ...body }: PolicyChange & { id: string }, controls: ConfirmControls): Promise<Policy> =>
      api.call('policies.update', { params: { tenant: tenantId, id }, body, ...controls }),
    rollBack: ({ id, version }: { id: string; version: number }, controls: ConfirmControls): Promise<Policy> =>
      api.call('policies.roll-back', { params: { tenant: tenantId, id }, body: { version }, ...controls }),
  };
}

export const policyMutations = {
  delete: ({ api, tenantId }: TenantApi, id: string) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: () => api.call('policies.delete', { params: { tenant: tenantId, id } }),
    }),

  test: ({ api, tenantId }: TenantApi) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (body: { rule: PolicyRule; events: string }) =>
        api.call('policies.test', { params: { tenant: tenantId }, body }),
    }),

  backtest: ({ api, tenantId }: TenantApi) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (body: Backtest) =>
        api.call('policies.backtest', {
          params: { tenant: tenantId },
          body,
          timeoutMs: BACKTEST_TIMEOUT_MS,
        }),
    }),
};

/** One portion of rules; several are sent one after the other. */
export function importPortion(
  { api, tenantId }: TenantApi,
  body: NonNullable<RouteParts<'policies.import'>['body']>,
  how: { signal: AbortSignal; idempotencyKey: string; confirm?: NonNullable<CallControls['confirm']> },
) {
  return api.call('policies.import', {
    params: { tenant: tenantId },
    body,
    ...how,
    timeoutMs: IMPORT_TIMEOUT_MS,
  });
}

/** One portion of tenants; several are sent one after the other. */
export function publishPortion(
  { api, tenantId }: TenantApi,
  body: NonNullable<RouteParts<'policies.publish'>['body']>,
  how: Pick<CallControls, 'idempotencyKey' | 'confirm'> & { signal: AbortSignal },
) {
  return api.call('policies.publish', { params: { tenant: tenantId }, body, ...how, timeoutMs: BACKTEST_TIMEOUT_MS });
}

export function refreshPublications(queryClient: QueryClient, tenantId: string, id: string): void {
  void queryClient.invalidateQueries({ queryKey: publicationsKey(tenantId, id) });
}

/** Shows a policy as the server answered it, and reads the lists and what belongs to it again. */
export function notePolicy(queryClient: QueryClient, tenantId: string, policy: Policy): void {
  queryClient.setQueryData(detailKey(tenantId, policy.id), policy);
  void queryClient.invalidateQueries({ queryKey: listsKey(tenantId) });
  void queryClient.invalidateQueries({ queryKey: [...detailKey(tenantId, policy.id), 'versions'] });
}

export function refreshPolicies(queryClient: QueryClient, tenantId: string): void {
  void queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'policies') });
}

/** After a delete, once its screen is left: asked for while it still shows, it would only be not found. */
export function forgetPolicy(queryClient: QueryClient, tenantId: string, id: string): void {
  queryClient.removeQueries({ queryKey: detailKey(tenantId, id) });
  void queryClient.invalidateQueries({ queryKey: listsKey(tenantId) });
}
