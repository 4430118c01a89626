import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type PlaybookResponse = { rule_id: string; rule_name: string; response_name: string; enabled: boolean };

/** The automatic responses that start a playbook, with the policy each belongs to. */
export async function responsesStarting(tx: Tx, scope: TenantScope, playbookId: string): Promise<PlaybookResponse[]> {
  const { rows } = await sql<PlaybookResponse>`
    select r.rule_id, p.rule ->> 'name' as rule_name, r.response_name, r.enabled
    from rule_response r join policy p on p.tenant_id = r.tenant_id and p.id = r.rule_id
    where r.tenant_id = ${scope.tenantId} and r.response_type = 'playbook' and r.definition_id = ${playbookId}
    order by 2, 3 limit 200`.execute(tx);
  return rows;
}

/** Ids of the playbooks that some response that is switched on starts. */
export async function playbooksStartedByPolicies(tx: Tx, scope: TenantScope): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('rule_response')
    .select('definition_id')
    .distinct()
    .where('tenant_id', '=', scope.tenantId)
    .where('response_type', '=', 'playbook')
    .where('enabled', '=', true)
    .execute();
  return new Set(rows.map(({ definition_id }) => definition_id));
}
