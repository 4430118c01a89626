import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Names of the automatic responses that act through a connector. */
export async function responsesThrough(tx: Tx, scope: TenantScope, connectorId: string): Promise<ToldPart[]> {
  const rows = await tx
    .selectFrom('rule_response')
    .select('response_name')
    .distinct()
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', connectorId)
    .orderBy('response_name')
    .limit(20)
    .execute();
  return rows.map(({ response_name }) => refusal('USED_BY_RESPONSE', { name: response_name }));
}

/** Names of the automatic responses that act through the default connector of an integration, because they name none. */
export async function responsesThroughDefault(tx: Tx, scope: TenantScope, definitionId: string): Promise<ToldPart[]> {
  const rows = await tx
    .selectFrom('rule_response')
    .select('response_name')
    .distinct()
    .where('tenant_id', '=', scope.tenantId)
    .where('response_type', '=', 'action')
    .where(sql<boolean>`starts_with(definition_id, ${`${definitionId}.`})`)
    .where('connector_id', 'is', null)
    .orderBy('response_name')
    .limit(20)
    .execute();
  return rows.map(({ response_name }) => refusal('USED_BY_RESPONSE', { name: response_name }));
}
