import type { CallControls, RouteParts } from '@airdeck/api-client/route-call';
import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { limits } from '@airdeck/contracts/limits';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';

export type NewAutomationRule = RouteParts<'automation-rules.create'>['body'];
export type AutomationRuleChange = NonNullable<RouteParts<'automation-rules.change'>['body']>;
type Controls = Pick<CallControls, 'idempotencyKey' | 'confirm'>;

/** While Graylog is being set up for a rule, or forgets one. */
const WORKING_REFRESH_MS = 2_000;
/** Graylog is asked several times for one rule, each with the time it takes. */
const GRAYLOG_TIMEOUT_MS = 40_000;

const listsKey = (tenantId: string) => [...resourceKey(tenantId, 'automation-rules'), 'list'] as const;
const detailKey = (tenantId: string, id: string) =>
  [...resourceKey(tenantId, 'automation-rules'), 'detail', id] as const;

export const isWorking = ({ notification }: Pick<AutomationRule, 'notification'>) => notification.state === 'working';

export const automationRuleQueries = {
  /** By name; another page as long as a full one came (spec §9). */
  list: ({ api, tenantId }: TenantApi, q: string | undefined) =>
    infiniteQueryOptions({
      ...policyOf('automationSettings'),
      queryKey: [...listsKey(tenantId), q ?? null],
      queryFn: ({ pageParam, signal }) =>
        api.call('automation-rules.list', {
          params: { tenant: tenantId },
          query: { page: pageParam, limit: limits.automationRulesPageSize, ...(q === undefined ? {} : { q }) },
          signal,
        }),
      initialPageParam: 1,
      getNextPageParam: (last, _pages, lastParam) =>
        last.length < limits.automationRulesPageSize ? undefined : lastParam + 1,
      refetchInterval: ({ state }) => (state.data?.pages.flat().some(isWorking) === true ? WORKING_REFRESH_MS : false),
    }),

  detail: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('automationDetail'),
      queryKey: detailKey(tenantId, id),
      queryFn: ({ signal }) => api.call('automation-rules.get', { params: { tenant: tenantId, id }, signal }),
      refetchInterval: ({ state }) => (state.data !== undefined && isWorking(state.data) ? WORKING_REFRESH_MS : false),
    }),

  /** Alerts it answered and what it started, newest first. */
  history: ({ api, tenantId }: TenantApi, id: string, page: number) =>
    queryOptions({
      ...policyOf('automationDetail'),
      queryKey: [...resourceKey(tenantId, 'automation-rules'), 'history', id, page],
      queryFn: ({ signal }) =>
        api.call('automation-rules.history', { params: { tenant: tenantId, id }, query: { page }, signal }),
    }),
};

/** The calls that go to Graylog, or may ask for a confirmation. */
export const automationRuleCalls = {
  create: (
    { api, tenantId }: TenantApi,
    body: NewAutomationRule,
    { intent, ...controls }: Controls & { intent: CallIntent },
  ) =>
    intent.once(body, (idempotencyKey) =>
      api.call('automation-rules.create', {
        params: { tenant: tenantId },
        body,
        timeoutMs: GRAYLOG_TIMEOUT_MS,
        ...controls,
        idempotencyKey,
      }),
    ),
  change: ({ api, tenantId }: TenantApi, id: string, body: AutomationRuleChange, controls: Controls) =>
    api.call('automation-rules.change', { params: { tenant: tenantId, id }, body, ...controls }),
  repair: ({ api, tenantId }: TenantApi, id: string) =>
    api.call('automation-rules.repair', { params: { tenant: tenantId, id }, timeoutMs: GRAYLOG_TIMEOUT_MS }),
  /** `force` forgets it here, whatever Graylog says. */
  delete: ({ api, tenantId }: TenantApi, id: string, force: boolean) =>
    api.call('automation-rules.delete', {
      params: { tenant: tenantId, id },
      query: force ? { force: 'true' } : {},
      timeoutMs: GRAYLOG_TIMEOUT_MS,
    }),
};

/** Puts an answer in its place, and lets lists be read again. */
export function noteAutomationRule(queryClient: QueryClient, tenantId: string, rule: AutomationRule): void {
  queryClient.setQueryData(detailKey(tenantId, rule.id), rule);
  void queryClient.invalidateQueries({ queryKey: listsKey(tenantId) });
}

export function refreshAutomationRules(queryClient: QueryClient, tenantId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'automation-rules') });
}

/** After a delete, once its screen is left. */
export function forgetAutomationRule(queryClient: QueryClient, tenantId: string, id: string): void {
  queryClient.removeQueries({ queryKey: detailKey(tenantId, id) });
  queryClient.removeQueries({ queryKey: [...resourceKey(tenantId, 'automation-rules'), 'history', id] });
  void queryClient.invalidateQueries({ queryKey: listsKey(tenantId) });
}
