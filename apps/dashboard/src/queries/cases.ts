import type { RouteParts } from '@airdeck/api-client/route-call';
import type { Case, CaseBulkChange, CaseList } from '@airdeck/contracts/cases/schema';
import {
  infiniteQueryOptions,
  mutationOptions,
  type QueryClient,
  queryOptions,
  skipToken,
} from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import { defined } from '../lib/search-params.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';
import { FILE_TIMEOUT_MS, fileMutation } from './file-mutation.ts';
import { withNewFields } from './new-fields.ts';

export type CaseListParams = NonNullable<RouteParts<'cases.list'>['query']>;
export type CaseChange = NonNullable<RouteParts<'cases.update'>['body']>;
export type NewCase = NonNullable<RouteParts<'cases.create'>['body']>;
export type CaseBulkBody = NonNullable<RouteParts<'cases.bulk'>['body']>;
export type SlaInput = NonNullable<RouteParts<'case-sla.update'>['body']>;
export type CasePdfQuery = NonNullable<RouteParts<'cases.pdf'>['query']>;

const lists = (tenantId: string) => [...resourceKey(tenantId, 'cases'), 'list'] as const;
const ownChangesKey = (tenantId: string) => [...resourceKey(tenantId, 'cases'), 'own-changes'] as const;
const detailKey = (tenantId: string, id: string) => [...resourceKey(tenantId, 'cases'), 'detail', id] as const;

export const caseQueries = {
  list: ({ api, tenantId }: TenantApi, query: CaseListParams) =>
    queryOptions({
      ...policyOf('cases'),
      queryKey: [...lists(tenantId), query],
      queryFn: ({ signal }) => api.call('cases.list', { params: { tenant: tenantId }, query, signal }),
    }),

  detail: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('caseDetails'),
      queryKey: detailKey(tenantId, id),
      queryFn: ({ signal }) => api.call('cases.get', { params: { tenant: tenantId, id }, signal }),
    }),

  /** How often cases were changed from here: never asked for, and different after each change. */
  ownChanges: ({ tenantId }: TenantApi) =>
    queryOptions<number>({ queryKey: ownChangesKey(tenantId), queryFn: skipToken }),

  /** Cases an event of the search belongs to. */
  ofEvent: ({ api, tenantId }: TenantApi, eventId: string) =>
    queryOptions({
      ...policyOf('cases'),
      queryKey: [...resourceKey(tenantId, 'cases'), 'of-event', eventId],
      queryFn: ({ signal }) =>
        api.call('cases.of-event', { params: { tenant: tenantId }, query: { event: eventId }, signal }),
    }),

  /** The policy that opened a case. */
  policy: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('policyDetails'),
      queryKey: [...resourceKey(tenantId, 'policies'), 'detail', id],
      queryFn: ({ signal }) => api.call('policies.get', { params: { tenant: tenantId, id }, signal }),
    }),
};

/** Cases of the lists on the screen, as they were read last: a board has each in two of them. */
export function shownCases({ tenantId }: TenantApi, queryClient: QueryClient): Case[] {
  const read = queryClient.getQueriesData<CaseList>({ queryKey: lists(tenantId), type: 'active' });
  const cases = read.flatMap(([, list]) => list?.cases ?? []);
  return [...new Map(cases.map((each) => [each.id, each])).values()];
}

const suppressionsKey = (tenantId: string) => [...resourceKey(tenantId, 'cases'), 'suppressions'] as const;
const slaKey = (tenantId: string) => [...resourceKey(tenantId, 'settings'), 'case-sla'] as const;

/** What stands around the cases. */
export const caseSettingQueries = {
  /** Groups of policies that open no case for now, page after page. */
  suppressions: ({ api, tenantId }: TenantApi) =>
    infiniteQueryOptions({
      ...policyOf('caseSuppressions'),
      queryKey: suppressionsKey(tenantId),
      queryFn: ({ pageParam, signal }) =>
        api.call('case-suppressions.list', { params: { tenant: tenantId }, query: { cursor: pageParam }, signal }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ cursor }) => cursor ?? undefined,
    }),

  sla: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('caseSla'),
      queryKey: slaKey(tenantId),
      queryFn: ({ signal }) => api.call('case-sla.get', { params: { tenant: tenantId }, signal }),
    }),
};

/** Before the lists are read again, so that they know whose change that shows. */
function noteOwnChange(queryClient: QueryClient, tenantId: string): void {
  queryClient.setQueryData<number>(ownChangesKey(tenantId), (changes = 0) => changes + 1);
}

export const caseMutations = {
  create: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: NewCase) =>
        intent.once(body, (idempotencyKey) =>
          api.call('cases.create', { params: { tenant: tenantId }, body, idempotencyKey }),
        ),
      onSuccess: (detail) => {
        queryClient.setQueryData(detailKey(tenantId, detail.id), detail);
        noteOwnChange(queryClient, tenantId);
        void queryClient.invalidateQueries({ queryKey: lists(tenantId) });
      },
      meta: { failure: 'inline' },
    }),

  /** Answers case by case; what was refused is no failure. */
  bulk: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: CaseBulkBody) =>
        intent.once(body, (idempotencyKey) => {
          const { unacknowledge, waiting_on_customer } = body.change ?? {};
          return withNewFields(defined({ unacknowledge, waiting_on_customer }), (known) =>
            api.call('cases.bulk', {
              params: { tenant: tenantId },
              body: bulkBody(body, known),
              idempotencyKey,
            }),
          );
        }),
      onSuccess: () => noteOwnChange(queryClient, tenantId),
      onSettled: () => queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'cases') }),
      meta: { failure: 'inline' },
    }),

  /** The whole case as one document; read anew each time. */
  export: ({ api, tenantId }: TenantApi, { id, reference }: { id: string; reference: string }) =>
    fileMutation(async () => {
      const document = await api.call('cases.export', { params: { tenant: tenantId, id } });
      const file = new Blob([JSON.stringify(document, null, 2)], { type: 'application/json' });
      return { file, name: `${reference}.json` };
    }),

  /** The case as a PDF, in the language and times of whoever reads it. */
  pdf: ({ api, tenantId }: TenantApi, { id, reference }: { id: string; reference: string }, query: CasePdfQuery) =>
    fileMutation(async () => {
      const params = { tenant: tenantId, id };
      const { file } = await api.download('cases.pdf', { params, query, timeoutMs: FILE_TIMEOUT_MS });
      return { file, name: `${reference}.pdf` };
    }),

  endSuppression: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) => api.call('case-suppressions.end', { params: { tenant: tenantId, id } }),
      onSettled: () => queryClient.invalidateQueries({ queryKey: suppressionsKey(tenantId) }),
    }),

  saveSla: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (body: SlaInput) => api.call('case-sla.update', { params: { tenant: tenantId }, body }),
      onSuccess: (saved) => queryClient.setQueryData(slaKey(tenantId), saved),
      meta: { failure: 'inline' },
    }),

  /** Changes a case; its answer is the case as it is now, so nothing is shown before the server agreed. */
  update: (
    { api, tenantId }: TenantApi,
    queryClient: QueryClient,
    { id, intent }: { id: string; intent: CallIntent },
  ) =>
    mutationOptions({
      mutationFn: (body: CaseChange) =>
        intent.once([id, body], (idempotencyKey) =>
          api.call('cases.update', { params: { tenant: tenantId, id }, body, idempotencyKey }),
        ),
      onSuccess: (detail) => {
        queryClient.setQueryData(detailKey(tenantId, id), detail);
        noteOwnChange(queryClient, tenantId);
        void queryClient.invalidateQueries({ queryKey: lists(tenantId) });
        void queryClient.invalidateQueries({ queryKey: suppressionsKey(tenantId) });
      },
    }),
};

/** Without the parts of a change that are new in this release, unless they are known. */
function bulkBody({ change, seen, ...body }: CaseBulkBody, known: Partial<CaseBulkChange>): CaseBulkBody {
  if (change === undefined) return body;
  const { unacknowledge, waiting_on_customer, ...before } = change;
  const seenBefore = seen?.map(({ time_acknowledged, ...of }) =>
    known.unacknowledge === undefined || time_acknowledged === undefined ? of : { ...of, time_acknowledged },
  );
  return { ...body, change: { ...before, ...known }, ...defined({ seen: seenBefore }) };
}
