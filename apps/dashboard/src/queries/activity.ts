import { ApiError } from '@airdeck/api-client/api-error';
import type { CallControls, RouteParts } from '@airdeck/api-client/route-call';
import type { ActionActivity, PlaybookRun, PlaybookRunSummary, Prompt } from '@airdeck/contracts/activity/schema';
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
import { type RunPages, runPage } from './action-run-pages.ts';

export type RunListFilter = Pick<
  NonNullable<RouteParts<'playbook-activity.list'>['query']>,
  'q' | 'status' | 'playbook_id'
>;
export type ActionListFilter = Pick<NonNullable<RouteParts<'actions-activity.list'>['query']>, 'q' | 'status' | 'type'>;
export type ActionStart = RouteParts<'actions-activity.start'>['body'];
export type PromptAnswer = RouteParts<'prompts.answer'>['body'];

type Controls = Pick<CallControls, 'idempotencyKey' | 'confirm'>;
/** Gives calls that mean the same the same Idempotency-Key, until it is known how one ended. */
export type CallIntent = { once: <T>(meant: unknown, call: (idempotencyKey: string) => Promise<T>) => Promise<T> };

/** `item` is one of a list the action ran for, from 0; left out: the action as a whole. */
type StepRef = { runId: string; actionUuid: string; status: ActionStatus; item?: number };
/** `link` is the signed answer of a notice's link. */
export type PromptRef = { runId: string; promptId: string; status: ActionStatus; link?: string | undefined };

const runDetailKey = (tenantId: string, id: string) =>
  [...resourceKey(tenantId, 'playbook-runs'), 'detail', id] as const;
const actionDetailKey = (tenantId: string, id: string) =>
  [...resourceKey(tenantId, 'action-runs'), 'detail', id] as const;
const promptKey = (tenantId: string, { runId, promptId, status, link }: PromptRef) =>
  [...resourceKey(tenantId, 'prompts'), 'detail', runId, promptId, status, link ?? null] as const;

/** A run of the list or detail, asked in the words of spec §4. */
export function isActive({ status, actions_summary }: PlaybookRunSummary): boolean {
  return isRunInProgress({ status, actions: actions_summary });
}

/** An action on its own goes on until it is a success, an error or cancelled (spec §9, polling). */
export function isActionActive({ summary }: Pick<ActionActivity, 'summary'>): boolean {
  return isRunInProgress({ status: summary.status, actions: [] });
}

/** It waits for a time that was set. */
export function isNotDue({ summary, details }: ActionActivity, now: Date): boolean {
  const { time_scheduled } = details.context;
  return summary.status === 'pending' && time_scheduled !== null && new Date(time_scheduled) > now;
}

const LONGEST_WAIT_MS = 60_000;

/** When to look at a list of actions again: every four seconds while one goes on, later while all wait for their time. */
function nextLookMs(runs: readonly ActionActivity[]): number | false {
  const active = runs.filter(isActionActive);
  if (active.length === 0) return false;
  const now = new Date();
  return active.every((run) => isNotDue(run, now)) ? LONGEST_WAIT_MS : polling.actionRunMs;
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
  action: ({ api, tenantId }: TenantApi, { runId, actionUuid, status, item }: StepRef) =>
    queryOptions({
      ...policyOf('playbookCollapsible'),
      queryKey: [...resourceKey(tenantId, 'action-runs'), 'of-run', runId, actionUuid, status, item ?? null],
      queryFn: ({ signal }) =>
        api.call('playbook-activity.action', {
          params: { tenant: tenantId, id: runId, action_id: actionUuid },
          ...(item === undefined ? {} : { query: { item } }),
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
          ...(which.link === undefined ? {} : { query: { answer: which.link } }),
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

  /** Begins a new run that takes over what succeeded: before one action, or all that did. */
  retry: ({ api, tenantId }: TenantApi, queryClient: QueryClient, { id, intent }: { id: string; intent: CallIntent }) =>
    mutationOptions({
      mutationFn: (body: { from_action?: string }): Promise<PlaybookRun> =>
        intent.once({ id, ...body }, (idempotencyKey) =>
          api.call('playbook-activity.retry', { params: { tenant: tenantId, id }, body, idempotencyKey }),
        ),
      onSuccess: (run) => noteRun(queryClient, tenantId, run),
    }),

  /** The first answer counts: whoever was second is shown the winner. */
  answer: (
    tenantApi: TenantApi,
    queryClient: QueryClient,
    { which, intent }: { which: PromptRef; intent: CallIntent },
  ) => {
    const { api, tenantId } = tenantApi;
    return mutationOptions({
      meta: { failure: 'inline' },
      mutationFn: (answer: PromptAnswer): Promise<Prompt> =>
        intent.once([which, answer], (idempotencyKey) =>
          api.call('prompts.answer', {
            params: { tenant: tenantId, id: which.runId, prompt_id: which.promptId },
            body: answer,
            idempotencyKey,
          }),
        ),
      onSuccess: (prompt) => queryClient.setQueryData(promptKey(tenantId, which), prompt),
      onSettled: () => refreshRuns(queryClient, tenantId),
    });
  },
};

export const actionRunQueries = {
  /** Pages from 1 until one is empty (spec §7); a refresh reads only what may have changed. */
  list: ({ api, tenantId }: TenantApi, filter: ActionListFilter) =>
    infiniteQueryOptions({
      ...policyOf('activityList'),
      queryKey: [...resourceKey(tenantId, 'action-runs'), 'list', filter],
      queryFn: ({ client, queryKey, pageParam, signal }) =>
        runPage(pageParam, client.getQueryData<RunPages>(queryKey), {
          page: (page) =>
            api.call('actions-activity.list', { params: { tenant: tenantId }, query: { ...filter, page }, signal }),
          one: (id) => api.call('actions-activity.get', { params: { tenant: tenantId, id }, signal }),
          isActive: isActionActive,
          statuses: filter.status?.split(','),
        }),
      initialPageParam: 1,
      getNextPageParam: (last, _pages, lastParam) => (last.length === 0 ? undefined : lastParam + 1),
      refetchInterval: ({ state }) => nextLookMs(state.data?.pages.flat() ?? []),
    }),

  /** The last runs of one action, newest first. */
  recent: ({ api, tenantId }: TenantApi, actionName: string) =>
    queryOptions({
      ...policyOf('activityList'),
      queryKey: [...resourceKey(tenantId, 'action-runs'), 'recent', actionName],
      queryFn: async ({ signal }) => {
        const params = { tenant: tenantId };
        try {
          return await api.call('actions-activity.list', { params, query: { action: actionName, page: 1 }, signal });
        } catch (error) {
          // A server of the release before, while it is replaced, searches in names alone.
          if (!(error instanceof ApiError) || error.status !== 400) throw error;
          const runs = await api.call('actions-activity.list', { params, query: { q: actionName, page: 1 }, signal });
          return runs.filter(({ summary }) => summary.action_name === actionName);
        }
      },
      refetchInterval: ({ state }) => nextLookMs(state.data ?? []),
    }),

  detail: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('activityStatus'),
      queryKey: actionDetailKey(tenantId, id),
      queryFn: ({ signal }) => api.call('actions-activity.get', { params: { tenant: tenantId, id }, signal }),
      refetchInterval: ({ state }) =>
        state.data !== undefined && isActionActive(state.data) ? polling.actionRunMs : false,
    }),
};

export const actionRunMutations = {
  start: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) => ({
    meta: { failure: 'inline' as const },
    mutationFn: (body: ActionStart, controls: Controls) =>
      intent.once(body, (idempotencyKey) =>
        api.call('actions-activity.start', { params: { tenant: tenantId }, body, ...controls, idempotencyKey }),
      ),
    onSuccess: (run: ActionActivity) => noteActionRun(queryClient, tenantId, run),
  }),

  cancel: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) =>
    mutationOptions({
      mutationFn: () => api.call('actions-activity.cancel', { params: { tenant: tenantId, id } }),
      onSuccess: (run) => queryClient.setQueryData(actionDetailKey(tenantId, id), run),
      onSettled: () => refreshRuns(queryClient, tenantId),
    }),

  /** Once more with the same input; answers the new run. */
  retry: (
    { api, tenantId }: TenantApi,
    queryClient: QueryClient,
    { id, intent }: { id: string; intent: CallIntent },
  ) => ({
    mutationFn: (_: undefined, controls: Controls) =>
      intent.once(id, (idempotencyKey) =>
        api.call('actions-activity.retry', { params: { tenant: tenantId, id }, ...controls, idempotencyKey }),
      ),
    onSuccess: (run: ActionActivity) => noteActionRun(queryClient, tenantId, run),
  }),
};

/** A run of a playbook that just began: its own answer is there at once, lists learn of it. */
export function noteRun(queryClient: QueryClient, tenantId: string, run: PlaybookRun): void {
  queryClient.setQueryData(runDetailKey(tenantId, run.summary.workflow_uuid), run);
  void queryClient.invalidateQueries({ queryKey: [...resourceKey(tenantId, 'playbook-runs'), 'list'] });
}

/** A run that just began: its own answer is there at once, lists learn of it. */
function noteActionRun(queryClient: QueryClient, tenantId: string, run: ActionActivity): void {
  queryClient.setQueryData(actionDetailKey(tenantId, run.details.context.action_uuid), run);
  void queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'action-runs') });
}

function refreshRuns(queryClient: QueryClient, tenantId: string): void {
  for (const resource of ['prompts', 'playbook-runs', 'action-runs', 'cases'] as const) {
    void queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, resource) });
  }
}
