import type { RouteParts } from '@airdeck/api-client/route-call';
import type { JsonObject } from '@airdeck/contracts/fields';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import { type AlertPlace, nextPlace } from './alert-pages.ts';
import { type ReadSpan, spanParts, spanWindow, windowBefore } from './dashboards.ts';
import { type AlertPriority, type EventDefinition, readAlerts, readDefinitions } from './graylog-answers.ts';

export type AlertsAsked = { read: ReadSpan; priority?: AlertPriority | undefined };
type GraylogAction = RouteParts<'actions.run-now'>['body']['action_name'];

/** Alerts of a list's page (spec §9, triggered alerts). */
export const ALERTS_LIMIT = 100;
/** What a graph is drawn from; Graylog hands them out in pages of 500. */
export const HISTORY_LIMIT = 1000;
/** The server gives an action 30 s; its own answer needs a little more. */
const ACTION_TIMEOUT_MS = 35_000;

const definitionsKey = (tenantId: string) => [...resourceKey(tenantId, 'graylog'), 'definitions'] as const;
export const alertsKey = (tenantId: string) => [...resourceKey(tenantId, 'graylog'), 'alerts'] as const;
const alertsPartKey = (tenantId: string, part: string, { read, priority }: AlertsAsked) => [
  ...alertsKey(tenantId),
  part,
  ...spanParts(read),
  priority ?? null,
];

/** Read live from the tenant's default Graylog connector (spec §7). */
export const graylogQueries = {
  definitions: (tenantApi: TenantApi) =>
    queryOptions({
      ...policyOf('graylogEvents'),
      queryKey: definitionsKey(tenantApi.tenantId),
      queryFn: async ({ signal }) => {
        const { action_output, datetime } = await runAction(tenantApi, 'graylog.get_event_definitions', {}, signal);
        return { definitions: readDefinitions(action_output), datetime };
      },
    }),

  /** How many alerts a span has; only the number is wanted, so only one of them comes along. */
  count: (tenantApi: TenantApi, asked: AlertsAsked) =>
    queryOptions({
      ...policyOf('triggeredAlerts'),
      queryKey: alertsPartKey(tenantApi.tenantId, 'count', asked),
      queryFn: async ({ signal }) => {
        const window = spanWindow(asked.read, new Date());
        return (await alertsOf(tenantApi, { ...asked, ...window, limit: 1 }, signal)).total;
      },
    }),

  /** The same of the equally long span before, to compare with. */
  countBefore: (tenantApi: TenantApi, asked: AlertsAsked) =>
    queryOptions({
      ...policyOf('triggeredAlerts'),
      refetchInterval: false,
      queryKey: alertsPartKey(tenantApi.tenantId, 'count-before', asked),
      queryFn: async ({ signal }) => {
        const window = windowBefore(spanWindow(asked.read, new Date()));
        return (await alertsOf(tenantApi, { ...asked, ...window, limit: 1 }, signal)).total;
      },
    }),

  /** The newest alerts of a span, with the ends of the window they were read for. */
  newest: (tenantApi: TenantApi, asked: AlertsAsked & { limit: number }) =>
    queryOptions({
      ...policyOf('triggeredAlerts'),
      queryKey: [...alertsPartKey(tenantApi.tenantId, 'newest', asked), asked.limit],
      queryFn: async ({ signal }) => {
        const window = spanWindow(asked.read, new Date());
        return { ...(await alertsOf(tenantApi, { ...asked, ...window }, signal)), ...window };
      },
    }),

  /** Newest first, page after page: each begins at the oldest alert of the one before. */
  pages: (tenantApi: TenantApi, asked: AlertsAsked) =>
    infiniteQueryOptions({
      ...policyOf('triggeredAlerts'),
      queryKey: alertsPartKey(tenantApi.tenantId, 'pages', asked),
      queryFn: async ({ pageParam, signal }) => {
        const { start, end } = spanWindow(asked.read, new Date());
        const { until, limit }: AlertPlace = pageParam ?? { until: end.toISOString(), limit: ALERTS_LIMIT };
        return await alertsOf(tenantApi, { ...asked, start, end: new Date(until), limit }, signal);
      },
      initialPageParam: undefined as AlertPlace | undefined,
      getNextPageParam: (last, _pages, place) => nextPlace(last, place ?? { until: undefined, limit: ALERTS_LIMIT }),
    }),
};

export const graylogMutations = {
  /** By the title, as Graylog's actions take it. */
  setEnabled: (tenantApi: TenantApi, queryClient: QueryClient) => ({
    mutationFn: ({ definition, enabled }: { definition: EventDefinition; enabled: boolean }) =>
      runAction(tenantApi, enabled ? 'graylog.enable_event_definition' : 'graylog.disable_event_definition', {
        event_definition_title: definition.title,
      }),
    onSuccess: (_answer: unknown, { definition, enabled }: { definition: EventDefinition; enabled: boolean }) =>
      noteDefinition(queryClient, tenantApi.tenantId, { ...definition, enabled }),
    // Also after a failure: it may have been done before the answer was lost.
    onSettled: () => refreshDefinitions(queryClient, tenantApi.tenantId),
  }),

  removeNotification: (tenantApi: TenantApi, queryClient: QueryClient) => ({
    mutationFn: ({ definition, title }: { definition: EventDefinition; title: string }) =>
      runAction(tenantApi, 'graylog.remove_notification_from_event_definition', {
        event_definition_title: definition.title,
        notification_title: title,
      }),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: resourceKey(tenantApi.tenantId, 'automation-rules') });
      return refreshDefinitions(queryClient, tenantApi.tenantId);
    },
  }),
};

export function refreshAlerts(queryClient: QueryClient, tenantId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: alertsKey(tenantId) });
}

export function refreshDefinitions(queryClient: QueryClient, tenantId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: definitionsKey(tenantId) });
}

function noteDefinition(queryClient: QueryClient, tenantId: string, changed: EventDefinition): void {
  queryClient.setQueryData<{ definitions: EventDefinition[]; datetime: string }>(
    definitionsKey(tenantId),
    (before) =>
      before && {
        ...before,
        definitions: before.definitions.map((each) => (each.id === changed.id ? changed : each)),
      },
  );
}

type Wanted = { start: Date; end: Date; limit: number } & Pick<AlertsAsked, 'priority'>;

async function alertsOf(tenantApi: TenantApi, wanted: Wanted, signal: AbortSignal) {
  const { start, end, limit, priority } = wanted;
  const input = {
    limit,
    start_time: start.toISOString(),
    end_time: end.toISOString(),
    ...(priority === undefined ? {} : { priority }),
  };
  const { action_output, datetime } = await runAction(tenantApi, 'graylog.get_triggered_alerts', input, signal);
  return { ...readAlerts(action_output), datetime };
}

function runAction(
  { api, tenantId }: TenantApi,
  action_name: GraylogAction,
  action_input: JsonObject,
  signal?: AbortSignal,
) {
  return api.call('actions.run-now', {
    params: { tenant: tenantId },
    body: { action_name, action_input, connector_id: null },
    timeoutMs: ACTION_TIMEOUT_MS,
    ...(signal === undefined ? {} : { signal }),
  });
}
