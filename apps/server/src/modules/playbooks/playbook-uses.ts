import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Used } from '../integrations/uses-port.ts';

/** Names of the playbooks that act through it. */
export async function playbookUses(tx: Tx, scope: TenantScope, used: Used): Promise<ToldPart[]> {
  const { rows } = await sql<{ name: string }>`
    select definition #>> '{metadata,name}' as name from playbook
    where tenant_id = ${scope.tenantId} and ${conditionOf(used)}
    order by 1 limit 20`.execute(tx);
  return rows.map(({ name }) => refusal('USED_BY_PLAYBOOK', { name }));
}

function conditionOf(used: Used): RawBuilder<unknown> {
  if ('connectorId' in used) {
    return sql`definition @> ${JSON.stringify({ actions: [{ connector_id: used.connectorId }] })}::jsonb`;
  }
  return sql`exists (select from jsonb_array_elements(definition -> 'actions') a where ${actionCondition(used)})`;
}

function actionCondition(used: Exclude<Used, { connectorId: string }>): RawBuilder<unknown> {
  if ('actionIds' in used) return sql`a ->> 'action' = any(${[...used.actionIds]}::text[])`;
  if ('integration' in used) return sql`starts_with(a ->> 'action', ${`${used.integration}.`})`;
  return sql`starts_with(a ->> 'action', ${`${used.defaultOf}.`}) and a ->> 'connector_id' is null`;
}
