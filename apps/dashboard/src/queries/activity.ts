import type { RouteParts } from '@airdeck/api-client/route-call';
import type { ActionActivity, PlaybookRunSummary, Prompt } from '@airdeck/contracts/activity/schema';
import { limits } from '@airdeck/contracts/limits';
import type { ActionStatus } from '@airdeck/contracts/statuses';
import { isRunInProgress, isRunSettled } from '@airdeck/domain/run-progress';
import {
  infiniteQueryOptions,
  keepPreviousData,
  mutationOptions,
  type QueryClient,
  queryOptions,
} from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf, polling } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

export type RunListFilter = Pick<NonNullable<RouteParts<'playbook-activity.list'>['query']>, 'q' | 'status'>;
export type ActionListFilter = Pick<NonNullable<RouteParts<'actions-activity.list'>['query']>, 'q' | 'status' | 'type'>;
export type PromptAnswer = RouteParts<'prompts.answer'>['body'];

type StepRef = { runId: string; actionUuid: string; status: ActionStatus };
type PromptRef = { runId: string; promptId: string; status: ActionStatus };

const runDetailKey = (tenantId: string, id: string) =>
  [...resourceKey(tenantId, 'playbook-runs'), 'detail', id] as const;
const promptKey = (tenantId: string, { runId, promptId, status }: PromptRef) =>
  [...resourceKey(tenantId, 'prompts'), 'detail', runId, promptId, status] as const;

/** A run of the list or detail, asked in the words of spec §4. */
export function isActive({ status, actions_summary }: PlaybookRunSummary): boolean {
  return isRunInProgress({ status, actions: actions_summary });
}

/** An action on its own goes on until it is a success, an error or cancelled (spec §9, polling). */
export function isActionActive({ summary }: Pick<ActionActivity, 'summary'>): boolean {
  return isRunInProgress({ status: summary.status, actions: [] });
}

export const runQueries = {
  /** One page of runs; `page` counts from 0 and skips `page × 15` (spec §9). */
  list: ({ api, tenantId }: TenantApi, filter: RunListFilter, page: number) =>
    queryOptions({
      ...policyOf('playbookActivityList'),
      queryKey: [...resourceKey(tenantId, 'playbook-runs'), 'list', filter, page],
      queryFn: ({ signal }) =>
        api.call('playbook-activity.list', {
          params: { tenant: tenantId },
          query: {
            ...filter,
            skip: page * limits.playbookActivityPageSize,
            limit: limits.playbookActivityPageSize,
          },
          signal,
        }),
      refetchInterval: ({ state }) =>
        state.data?.some(({ summary }) => isActive(summary)) === true ? polling.playbookRunMs : false,
    }),

  detail: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('activityDetails'),
      queryKey: runDetailKey(tenantId, id),
      queryFn: ({ signal }) => api.call('playbook-activity.get', { params: { tenant: tenantId, id }, signal }),
      staleTime: ({ state }) => {
        if (state.status === 'error' || state.data === undefined) return 0;
        const { status, actions_summary: actions } = state.data.summary;
        return isRunSettled({ status, actions }) ? polling.finishedRunStaleMs : polling.activeRunStaleMs;
      },
      refetchInterval: ({ state }) =>
        state.data !== undefined && isActive(state.data.summary) ? polling.playbookRunMs : false,
    }),

  /** Result of one action of a run. Its state is part of the key: what was true while it ran is not what it ended in. */
  action: ({ api, tenantId }: TenantApi, { runId, actionUuid, status }: StepRef) =>
    queryOptions({
      ...policyOf('playbookCollapsible'),
      queryKey: [...resourceKey(tenantId, 'action-runs'), 'of-run', runId, actionUuid, status],
      queryFn: ({ signal }) =>
        api.call('playbook-activity.action', {
          params: { tenant: tenantId, id: runId, action_id: actionUuid },
          signal,
        }),
      placeholderData: keepPreviousData,
      refetchInterval: ({ state }) =>
        state.data !== undefined && isActionActive(state.data) ? polling.actionRunMs : false,
    }),

  /** A question of a run; its action's state is part of the key, so that an answer given elsewhere is looked up. */
  prompt: ({ api, tenantId }: TenantApi, which: PromptRef) =>
    queryOptions({
      ...policyOf('playbookPrompt'),
      queryKey: promptKey(tenantId, which),
      queryFn: ({ signal }) =>
        api.call('prompts.get', {
          params: { tenant: tenantId, id: which.runId, prompt_id: which.promptId },
          signal,
        }),
      placeholderData: keepPreviousData,
    }),
};

export const runMutations = {
  cancel: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) =>
    mutationOptions({
      mutationFn: () => api.call('playbook-activity.cancel', { params: { tenant: tenantId, id } }),
      onSuccess: (run) => queryClient.setQueryData(runDetailKey(tenantId, id), run),
      onSettled: () => refreshRuns(queryClient, tenantId),
    }),

  /** The first answer counts: whoever was second is shown the winner. */
  answer: ({ api, tenantId }: TenantApi, queryClient: QueryClient, which: PromptRef) =>
    mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (answer: PromptAnswer): Promise<Prompt> =>
        api.call('prompts.answer', {
          params: { tenant: tenantId, id: which.runId, prompt_id: which.promptId },
          body: answer,
        }),
      onSuccess: (prompt) => queryClient.setQueryData(promptKey(tenantId, which), prompt),
      onSettled: () => refreshRuns(queryClient, tenantId),
    }),
};

export const actionRunQueries = {
  /** Pages from 1 until one is empty (spec §7). */
  list: ({ api, tenantId }: TenantApi, filter: ActionListFilter) =>
    infiniteQueryOptions({
      ...policyOf('activityList'),
      queryKey: [...resourceKey(tenantId, 'action-runs'), 'list', filter],
      queryFn: ({ pageParam, signal }) =>
        api.call('actions-activity.list', {
          params: { tenant: tenantId },
          query: { ...filter, page: pageParam },
          signal,
        }),
      initialPageParam: 1,
      getNextPageParam: (last, _pages, lastParam) => (last.length === 0 ? undefined : lastParam + 1),
      refetchInterval: ({ state }) =>
        state.data?.pages.some((page) => page.some(isActionActive)) === true ? polling.actionRunMs : false,
    }),

  detail: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('activityStatus'),
      queryKey: [...resourceKey(tenantId, 'action-runs'), 'detail', id],
      queryFn: ({ signal }) => api.call('actions-activity.get', { params: { tenant: tenantId, id }, signal }),
      refetchInterval: ({ state }) =>
        state.data !== undefined && isActionActive(state.data) ? polling.actionRunMs : false,
    }),
};

function refreshRuns(queryClient: QueryClient, tenantId: string): void {
  for (const resource of ['prompts', 'playbook-runs', 'action-runs', 'cases'] as const) {
    void queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, resource) });
  }
}
