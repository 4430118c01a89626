/** Calls of user management as a browser makes them, with the question of 449 answered. */
import type { TenantUser } from '@airdeck/contracts/users/schema';
import type { Actor, TestServer } from '../../http/test-server.ts';

export const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
export const confirmed = { 'x-air-confirm': 'true' };

const TICKET = '__clerk_ticket=';

type Method = 'GET' | 'PUT' | 'PATCH' | 'DELETE' | 'POST';
type Call = { method?: Method; url: string; payload?: object; headers?: Record<string, string> };

export type Answer<T = Record<string, unknown>> = { status: number; body: T };

export async function call<T = Record<string, unknown>>(
  server: TestServer,
  actor: Pick<Actor, 'headers'> | undefined,
  { method = 'GET', url, payload, headers = {} }: Call,
): Promise<Answer<T>> {
  const answer = await server.inject({
    method,
    url,
    headers: { ...actor?.headers, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: (answer.body === '' ? {} : answer.json()) as T };
}

/** Asks, and answers the question. */
export async function callConfirmed(server: TestServer, actor: Actor, wanted: Call): Promise<Answer> {
  const asked = await call(server, actor, wanted);
  if (asked.status !== 449) return asked;
  return await call(server, actor, { ...wanted, headers: { ...wanted.headers, ...confirmed } });
}

export function usersOf(tenant: string) {
  const url = `/api/tenants/${tenant}/users`;
  return {
    url,
    setRole: (username: string, role: string): Call => ({
      method: 'PUT',
      url: `${url}/user_role`,
      payload: { username, role },
    }),
    remove: (username: string): Call => ({
      method: 'DELETE',
      url: `${url}?username=${encodeURIComponent(username)}`,
    }),
    update: (payload: object): Call => ({ method: 'PATCH', url, payload }),
    invite: (payload: object): Call => ({ method: 'PUT', url, payload }),
    resetPassword: (username: string): Call => ({
      method: 'POST',
      url: `${url}/admin_password_reset?username=${encodeURIComponent(username)}`,
    }),
  };
}

export async function listUsers(server: TestServer, actor: Actor, tenant: string, query = ''): Promise<TenantUser[]> {
  const { body } = await call<TenantUser[]>(server, actor, { url: `${usersOf(tenant).url}?${query}` });
  return body;
}

export async function auditOf(server: TestServer, tenant: string, action: string) {
  return await server.stores.database.system((tx) =>
    tx
      .selectFrom('audit_record')
      .selectAll()
      .where('tenant_id', '=', tenant)
      .where('action', '=', action)
      .orderBy('sequence')
      .execute(),
  );
}

/** The newest invitation mailed to an address, and its ticket. Notices to the same address come when they come. */
export async function invitationTo(server: TestServer, to: string) {
  const mail = await server.stores.database.system((tx) =>
    tx
      .selectFrom('mail')
      .select(['subject', 'body'])
      .where('recipient', '=', to)
      .where('body', 'like', `%${TICKET}%`)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow(),
  );
  return { ...mail, ticket: /\S+/.exec(mail.body.split(TICKET)[1] ?? '')?.[0] ?? '' };
}
