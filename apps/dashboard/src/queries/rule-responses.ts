import type { RouteParts } from '@airdeck/api-client/route-call';
import { limits } from '@airdeck/contracts/limits';
import type { RuleResponse } from '@airdeck/contracts/rule-responses/schema';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export type NewRuleResponse = NonNullable<RouteParts<'rule-responses.create'>['body']>;
/** A response of a policy. */
export type ResponseKey = Pick<RuleResponse, 'rule_id' | 'response_name'>;

const listsKey = (tenantId: string) => [...resourceKey(tenantId, 'rule-responses'), 'list'] as const;
const ofOneKey = (tenantId: string, { rule_id, response_name }: ResponseKey) =>
  [...resourceKey(tenantId, 'rule-responses'), 'detail', rule_id, response_name] as const;

export const ruleResponseQueries = {
  /** By policy, in the order in which they start; another page as long as a full one came (spec §9). */
  list: ({ api, tenantId }: TenantApi, q: string | undefined) =>
    infiniteQueryOptions({
      ...policyOf('automations'),
      queryKey: [...listsKey(tenantId), q ?? null],
      queryFn: ({ pageParam, signal }) =>
        api.call('rule-responses.list', {
          params: { tenant: tenantId },
          query: { page: pageParam, limit: limits.ruleResponsesPageSize, ...(q === undefined ? {} : { q }) },
          signal,
        }),
      initialPageParam: 1,
      getNextPageParam: ({ responses, total }, _pages, lastParam) =>
        responses.length < limits.ruleResponsesPageSize || lastParam * limits.ruleResponsesPageSize >= total
          ? undefined
          : lastParam + 1,
    }),

  /** Null when there is no such response. */
  detail: ({ api, tenantId }: TenantApi, key: ResponseKey) =>
    queryOptions({
      ...policyOf('automationDetails'),
      queryKey: ofOneKey(tenantId, key),
      queryFn: async ({ signal }) => {
        const query = { ...key, limit: 1 };
        const { responses } = await api.call('rule-responses.list', { params: { tenant: tenantId }, query, signal });
        return responses[0] ?? null;
      },
    }),

  /** Cases it was asked to answer, newest first. */
  history: ({ api, tenantId }: TenantApi, key: ResponseKey, page: number) =>
    queryOptions({
      ...policyOf('automationDetails'),
      queryKey: [...ofOneKey(tenantId, key), 'history', page],
      queryFn: ({ signal }) =>
        api.call('rule-responses.history', {
          params: { tenant: tenantId, id: key.rule_id },
          query: { response_name: key.response_name, page },
          signal,
        }),
    }),
};

/** Puts an answer in its place, and lets lists be read again. */
export function noteRuleResponse(queryClient: QueryClient, tenantId: string, response: RuleResponse): void {
  queryClient.setQueryData(ofOneKey(tenantId, response), response);
  void refreshRuleResponseLists(queryClient, tenantId);
}

/** Resolves when what is shown is there. */
export async function refreshRuleResponseLists(queryClient: QueryClient, tenantId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: listsKey(tenantId) }),
    queryClient.invalidateQueries({ queryKey: [...resourceKey(tenantId, 'rule-responses'), 'of-policy'] }),
  ]);
}

/** After a delete, once its screen is left: asked for while it still shows, it would only be not there. */
export function forgetRuleResponse(queryClient: QueryClient, tenantId: string, key: ResponseKey): void {
  queryClient.removeQueries({ queryKey: ofOneKey(tenantId, key) });
  void refreshRuleResponseLists(queryClient, tenantId);
}
