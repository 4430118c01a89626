import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Names of the playbooks with an action that names a connector. */
export async function playbooksThrough(tx: Tx, scope: TenantScope, connectorId: string): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select definition #>> '{metadata,name}' as name from playbook
    where tenant_id = ${scope.tenantId}
      and definition @> ${JSON.stringify({ actions: [{ connector_id: connectorId }] })}::jsonb
    order by 1 limit 20`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_PLAYBOOK', { name }));
}

/** Names of the playbooks with an action of an integration that names no connector, and so acts through the default one. */
export async function playbooksThroughDefault(tx: Tx, scope: TenantScope, definitionId: string): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select definition #>> '{metadata,name}' as name from playbook
    where tenant_id = ${scope.tenantId} and exists (
      select from jsonb_array_elements(definition -> 'actions') a
      where starts_with(a ->> 'action', ${`${definitionId}.`}) and a ->> 'connector_id' is null)
    order by 1 limit 20`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_PLAYBOOK', { name }));
}
