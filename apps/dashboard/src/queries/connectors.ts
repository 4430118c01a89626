import type { RouteParts } from '@airdeck/api-client/route-call';
import type { Connector } from '@airdeck/contracts/connectors/schema';
import { mutationOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';
import type { CallIntent } from './activity.ts';

export type NewConnector = NonNullable<RouteParts<'connectors.put'>['body']>;
export type ConnectorChange = NonNullable<RouteParts<'connectors.update'>['body']>;
export type TriedConfiguration = NonNullable<RouteParts<'connectors.validate'>['body']>;

/** Counts of events are not announced, and the stream may be down. */
const REFRESH_MS = 60_000;
/** While the first test of a connector is out. */
const PENDING_REFRESH_MS = 4_000;
/** The server gives a vendor 30 s; its own answer needs a little more. */
const TEST_TIMEOUT_MS = 40_000;

/** Of the mutation that deletes it. */
export const connectorDeletionKey = ({ tenantId }: Pick<TenantApi, 'tenantId'>, id: string) =>
  [...resourceKey(tenantId, 'connectors'), 'delete', id] as const;

const detailKey = (tenantId: string, id: string) => [...resourceKey(tenantId, 'connectors'), 'detail', id] as const;

export const connectorQueries = {
  /** All of the tenant, without their configuration. */
  list: ({ api, tenantId }: TenantApi) =>
    queryOptions({
      ...policyOf('integrations'),
      refetchInterval: REFRESH_MS,
      queryKey: [...resourceKey(tenantId, 'connectors'), 'list'],
      queryFn: ({ signal }) => api.call('connectors.list', { params: { tenant: tenantId }, signal }),
    }),

  detail: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('integrationDetail'),
      refetchInterval: ({ state }: { state: { data: Connector | undefined } }) =>
        state.data?.state === 'pending' ? PENDING_REFRESH_MS : REFRESH_MS,
      queryKey: detailKey(tenantId, id),
      queryFn: ({ client, queryKey, signal }) =>
        unlessDeleted({ client, queryKey, deletion: connectorDeletionKey({ tenantId }, id) }, () =>
          api.call('connectors.get', { params: { tenant: tenantId, id }, signal }),
        ),
    }),

  health: ({ api, tenantId }: TenantApi, id: string) =>
    queryOptions({
      ...policyOf('integrationHealth'),
      refetchInterval: REFRESH_MS,
      queryKey: [...resourceKey(tenantId, 'connectors'), 'health', id],
      queryFn: ({ client, queryKey, signal }) =>
        unlessDeleted({ client, queryKey, deletion: connectorDeletionKey({ tenantId }, id) }, () =>
          api.call('connectors.health', { params: { tenant: tenantId, id }, signal }),
        ),
    }),
};

type Asked = { client: QueryClient; queryKey: QueryKey; deletion: QueryKey };

/**
 * What is known, while the deletion is under way: that it is gone may be announced before the deletion is answered, and
 * the page that is still open would be told "not found" about what it has just deleted.
 */
async function unlessDeleted<T>({ client, queryKey, deletion }: Asked, ask: () => Promise<T>): Promise<T> {
  const known = client.getQueryData<T>(queryKey);
  return known !== undefined && client.isMutating({ mutationKey: deletion }) > 0 ? known : await ask();
}

/** Shows a connector as the server answered it, and reads what else depends on it again. */
function changed({ tenantId }: TenantApi, queryClient: QueryClient) {
  return (connector: Connector) => {
    queryClient.setQueryData(detailKey(tenantId, connector.id), connector);
    // It may be another server now, and what Graylog's screens show is read through it.
    const dependent = (['connectors', 'graylog'] as const).map((resource) => resourceKey(tenantId, resource));
    return Promise.all(dependent.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
}

// Of what holds a secret nothing stays in memory longer than the form.
const holdsSecrets = { gcTime: 0, meta: { failure: 'inline' } } as const;

export const connectorMutations = {
  create: (tenantApi: TenantApi, queryClient: QueryClient, intent: CallIntent) =>
    mutationOptions({
      mutationFn: (body: NewConnector) =>
        intent.once(body, (idempotencyKey) =>
          tenantApi.api.call('connectors.put', { params: { tenant: tenantApi.tenantId }, body, idempotencyKey }),
        ),
      onSuccess: changed(tenantApi, queryClient),
      ...holdsSecrets,
    }),

  update: (tenantApi: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: ({ id, body }: { id: string; body: ConnectorChange }) =>
        tenantApi.api.call('connectors.update', { params: { tenant: tenantApi.tenantId, id }, body }),
      onSuccess: changed(tenantApi, queryClient),
      ...holdsSecrets,
    }),

  setPaused: (tenantApi: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: ({ id, paused }: { id: string; paused: boolean }) => {
        const params = { tenant: tenantApi.tenantId, id };
        return paused
          ? tenantApi.api.call('connectors.pause', { params })
          : tenantApi.api.call('connectors.resume', { params });
      },
      onSuccess: changed(tenantApi, queryClient),
    }),

  test: ({ api, tenantId }: TenantApi, queryClient: QueryClient) =>
    mutationOptions({
      mutationFn: (id: string) =>
        api.call('connectors.test', { params: { tenant: tenantId, id }, timeoutMs: TEST_TIMEOUT_MS }),
      // Also after a failure: the server may have written its result down before the answer was lost.
      onSettled: () => queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'connectors') }),
    }),

  /** Tries a configuration without saving it. */
  validate: ({ api, tenantId }: TenantApi) =>
    mutationOptions({
      mutationFn: ({ body, signal }: { body: TriedConfiguration; signal: AbortSignal }) =>
        api.call('connectors.validate', { params: { tenant: tenantId }, body, signal, timeoutMs: TEST_TIMEOUT_MS }),
      ...holdsSecrets,
    }),
};

/** Reads the connectors again; resolves when they are there. */
export function reloadConnectors({ tenantId }: TenantApi, queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'connectors') });
}

/** After a connector was deleted: nothing asks for it any more. */
export function forgetConnector({ tenantId }: TenantApi, queryClient: QueryClient, id: string): Promise<void> {
  for (const part of ['detail', 'health']) {
    queryClient.removeQueries({ queryKey: [...resourceKey(tenantId, 'connectors'), part, id] });
  }
  return queryClient.invalidateQueries({ queryKey: resourceKey(tenantId, 'connectors') });
}
