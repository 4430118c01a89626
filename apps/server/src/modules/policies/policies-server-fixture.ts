import { type PolicyRule, policySchema } from '@airdeck/contracts/policies/schema';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';
import { guessingRule } from '../detection/detection-fixture.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** A server, and tenants on it whose policies are called by an analyst. */
export async function createPoliciesServer() {
  const server = await createTestServer();
  return { server, workspace: () => workspaceOn(server), close: () => server.close() };
}

async function workspaceOn(server: TestServer) {
  const tenant = await server.createTenant();
  const analyst = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
  async function call(
    method: Method,
    path: string,
    payload?: object,
    options: { as?: Actor; in?: string; headers?: Record<string, string> } = {},
  ) {
    const answer = await server.inject({
      method,
      url: `/api/tenants/${options.in ?? tenant}/soar/rules${path}`,
      headers: { ...(options.as ?? analyst).headers, ...options.headers },
      ...(payload === undefined ? {} : { payload }),
    });
    return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
  }
  const create = async (rule: PolicyRule, enabled = false) =>
    policySchema.parse((await call('POST', '', { rule, enabled })).body);
  return { tenant, analyst, call, create };
}

export const named = (name: string, parts: Partial<PolicyRule> = {}): PolicyRule => ({
  ...guessingRule(),
  name,
  ...parts,
});

/** A case the policy has just opened; its id. */
export async function putCase(
  server: TestServer,
  { tenant, policyId }: { tenant: string; policyId: string },
): Promise<string> {
  const id = v7();
  await server.stores.database.tenant(tenant, (tx) =>
    sql`insert into case_record (id, tenant_id, number, alert_type, policy_id, group_key, name, description, category,
        severity, severity_rank, status, log_sources, meta, opened_at, time_opened, time_updated, search_text)
      values (${id}, ${tenant}, 1, 'policy', ${policyId}, '[]', 'A case', '', '', 'high', 2, 'open', '{}', '{}',
        now(), now(), now(), '')`.execute(tx),
  );
  return id;
}

export const sigmaRule = (id: string, title: string) => `title: ${title}
id: ${id}
author: A. Author
license: DRL 1.1
logsource: { product: acme }
detection:
  sel: { result|contains: denied }
  condition: sel
`;
