import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Used } from '../integrations/uses-port.ts';

/** Names of the automatic responses that act through it. */
export async function responseUses(tx: Tx, scope: TenantScope, used: Used): Promise<ToldPart[]> {
  const rows = await tx
    .selectFrom('rule_response')
    .select('response_name')
    .distinct()
    .where('tenant_id', '=', scope.tenantId)
    .where(conditionOf(used))
    .orderBy('response_name')
    .limit(20)
    .execute();
  return rows.map(({ response_name }) => refusal('USED_BY_RESPONSE', { name: response_name }));
}

function conditionOf(used: Used): RawBuilder<boolean> {
  if ('connectorId' in used) return sql`connector_id = ${used.connectorId}`;
  return sql`response_type = 'action' and ${actionCondition(used)}`;
}

function actionCondition(used: Exclude<Used, { connectorId: string }>): RawBuilder<unknown> {
  if ('actionIds' in used) return sql`definition_id = any(${[...used.actionIds]}::text[])`;
  if ('integration' in used) return sql`starts_with(definition_id, ${`${used.integration}.`})`;
  return sql`starts_with(definition_id, ${`${used.defaultOf}.`}) and connector_id is null`;
}
