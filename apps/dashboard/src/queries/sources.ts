import type { CallControls, RouteParts } from '@airdeck/api-client/route-call';
import type { EventSource } from '@airdeck/contracts/sources/schema';
import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';

type ConfirmControls = Pick<CallControls, 'idempotencyKey' | 'confirm'>;

export type NewSource = NonNullable<RouteParts<'sources.create'>['body']>;

const REFRESH_MS = 10_000;
// Whoever looks at the list often waits for the first event of a source just set up.
const WAITING_REFRESH_MS = 2_000;

const listKey = (tenantId: string) => [...resourceKey(tenantId, 'sources'), 'list'] as const;

export const sourceQueries = {
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('eventSources'),
      refetchInterval: ({ state }: { state: { data: EventSource[] | undefined } }) =>
        state.data?.some(({ last_event_at }) => last_event_at === null) === true ? WAITING_REFRESH_MS : REFRESH_MS,
      queryKey: listKey(tenantId),
      queryFn: ({ signal }) => api.call('sources.list', { params: { tenant: tenantId }, signal }),
    }),
};

export const sourceMutations = {
  create: ({ api, tenantId }: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: NewSource) =>
        intent.once(body, (idempotencyKey) =>
          api.call('sources.create', { params: { tenant: tenantId }, body, idempotencyKey }),
        ),
      // Not waited for: whoever leaves meanwhile would never see the token. It shows with its source, so the list has that
      // before it is read again.
      onSuccess: ({ token: _token, ...made }) => {
        queryClient.setQueryData<EventSource[]>(listKey(tenantId), (known) =>
          known === undefined ? undefined : [...known.filter(({ id }) => id !== made.id), made],
        );
        void queryClient.invalidateQueries({ queryKey: listKey(tenantId) });
      },
      // The answer holds the token; nothing keeps it longer than the dialog is open.
      gcTime: 0,
      meta: { failure: 'inline' },
    }),
  rename: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) =>
    mutationOptions({
      mutationFn: (name: string) => api.call('sources.update', { params: { tenant: tenantId, id }, body: { name } }),
      onSuccess: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
      meta: { failure: 'inline' },
    }),
};

/** Calls that ask first, for `useConfirmedMutation`. */
export const sourceCalls = {
  rotateToken: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) => ({
    mutationFn: (_: undefined, controls: ConfirmControls) =>
      api.call('sources.rotate-token', { params: { tenant: tenantId, id }, ...controls }),
    // Not waited for: the token shows at once.
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
    gcTime: 0,
    meta: { failure: 'inline' as const },
  }),
  remove: ({ api, tenantId }: TenantApi, queryClient: QueryClient, id: string) => ({
    mutationFn: (_: undefined, controls: ConfirmControls) =>
      api.call('sources.delete', { params: { tenant: tenantId, id }, ...controls }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: listKey(tenantId) }),
    meta: { failure: 'inline' as const },
  }),
};
