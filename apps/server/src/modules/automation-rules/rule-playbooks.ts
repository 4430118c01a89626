import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type PlaybookRule = { id: string; name: string; response_name: string; enabled: boolean };

/** The automation rules that start a playbook, once for each response that does. */
export async function rulesStarting(tx: Tx, scope: TenantScope, playbookId: string): Promise<PlaybookRule[]> {
  const { rows } = await sql<PlaybookRule>`
    select r.id, r.name, s ->> 'name' as response_name, r.enabled
    from automation_rule r, jsonb_array_elements(r.responses) s
    where r.tenant_id = ${scope.tenantId} and not r.deleting and s ->> 'playbook_id' = ${playbookId}
    order by lower(r.name), 3 limit 200`.execute(tx);
  return rows;
}

/** Ids of the playbooks that some rule that is switched on starts. */
export async function playbooksStartedByRules(tx: Tx, scope: TenantScope): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ playbook_id: string }>`
    select distinct s ->> 'playbook_id' as playbook_id
    from automation_rule r, jsonb_array_elements(r.responses) s
    where r.tenant_id = ${scope.tenantId} and r.enabled and not r.deleting and s ? 'playbook_id'`.execute(tx);
  return new Set(rows.map(({ playbook_id }) => playbook_id));
}
