/**
 * The server as it is composed, with what the dashboard calls it by. Tests of one side hand the other side's answers to
 * themselves: what a form sends and the server refuses is green in both. Only here is it said by one and heard by the other.
 */
import { randomUUID } from 'node:crypto';
import { ApiError } from '@airdeck/api-client/api-error';
import { type ApiClient, createApiClient } from '@airdeck/api-client/client';
import type { Role } from '@airdeck/contracts/access/roles';
import { createCallIntent } from '../../apps/dashboard/src/components/action-run/call-intent.ts';
import type { ConfirmControls } from '../../apps/dashboard/src/components/confirmation/use-confirmed-mutation.ts';
import { createQueryClient } from '../../apps/dashboard/src/lib/query-client.ts';
import type { TenantApi } from '../../apps/dashboard/src/lib/tenant-api.ts';
import { createTestServer, fullPlan, type TestServer } from '../../apps/server/src/http/test-server.ts';

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

export type JoinedProduct = Awaited<ReturnType<typeof joinProduct>>;

type Options = Pick<NonNullable<Parameters<typeof createTestServer>[0]>, 'env' | 'sandbox'> & { isProvider?: boolean };

export async function joinProduct(role: Role = 'SystemManager', { isProvider = false, ...options }: Options = {}) {
  // Saved connectors are tried at once: no name has an address, so nothing is called.
  const server = await createTestServer({ ...options, resolveHost: async () => [] });
  const tenant = { name: 'Watchtower', managedBy: null, skuInfo: fullPlan, isProvider };
  const tenantId = await server.stores.database.system((tx) => server.composition.tenants.createTenant(tx, tenant, by));
  const { token } = await server.createActor({ home: tenantId, roles: { [tenantId]: role } });
  const client = createApiClient({
    baseUrl: 'http://air.example',
    getToken: async () => token,
    fetch: fetchFrom(server),
    onUnauthorized: () => undefined,
    newId: randomUUID,
  });
  const api: ApiClient = { ...client, call: (...asked) => client.call(...asked).catch(tellingDetails) };
  const tenantApi: TenantApi = { api, tenantId };
  return {
    server,
    tenantApi,
    queryClient: createQueryClient({ onMutationError: () => undefined }),
    intent: createCallIntent(randomUUID),
    close: () => server.close(),
  };
}

/** A form shows them at its fields; a test that fails has only the message. */
function tellingDetails(error: unknown): never {
  if (error instanceof ApiError && error.details.length > 0) error.message += ` ${JSON.stringify(error.details)}`;
  throw error;
}

function fetchFrom({ inject }: TestServer): typeof fetch {
  return async (address, { method = 'GET', headers, body } = {}) => {
    const { pathname, search } = new URL(String(address));
    const payload = body instanceof Blob ? Buffer.from(await body.arrayBuffer()) : body;
    const own = body instanceof Blob && body.type !== '' ? { 'content-type': body.type } : {};
    const answer = await inject({
      method: method as 'GET',
      url: `${pathname}${search}`,
      headers: { ...own, ...Object.fromEntries(new Headers(headers)) },
      ...(typeof payload === 'string' || Buffer.isBuffer(payload) ? { payload } : {}),
    });
    const sent = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const isEmpty = answer.rawPayload.length === 0;
    return new Response(isEmpty ? null : answer.body, { status: answer.statusCode, headers: sent });
  };
}

/** A call whose question is answered with yes, as its dialog does. */
export async function confirmed<T>(call: (controls: ConfirmControls) => Promise<T>): Promise<T> {
  const idempotencyKey = randomUUID();
  try {
    return await call({ idempotencyKey });
  } catch (error) {
    if (!(error instanceof ApiError) || error.confirmation === undefined) throw error;
    return await call({ idempotencyKey, confirm: {} });
  }
}
