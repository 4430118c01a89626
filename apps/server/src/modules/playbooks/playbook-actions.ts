import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Names of the playbooks with an action of an integration. */
export async function playbooksActingOn(tx: Tx, scope: TenantScope, definitionId: string): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select definition #>> '{metadata,name}' as name from playbook
    where tenant_id = ${scope.tenantId} and exists (
      select from jsonb_array_elements(definition -> 'actions') a where starts_with(a ->> 'action', ${`${definitionId}.`}))
    order by 1 limit 20`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_PLAYBOOK', { name }));
}

/** Names of the playbooks that run one of these actions. */
export async function playbooksRunning(tx: Tx, scope: TenantScope, actionIds: readonly string[]): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select definition #>> '{metadata,name}' as name from playbook
    where tenant_id = ${scope.tenantId} and exists (
      select from jsonb_array_elements(definition -> 'actions') a where a ->> 'action' = any(${[...actionIds]}::text[]))
    order by 1 limit 20`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_PLAYBOOK', { name }));
}
