import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Names of the automatic responses that run an action of an integration. */
export async function responsesActingOn(tx: Tx, scope: TenantScope, definitionId: string): Promise<ToldPart[]> {
  const rows = await tx
    .selectFrom('rule_response')
    .select('response_name')
    .distinct()
    .where('tenant_id', '=', scope.tenantId)
    .where('response_type', '=', 'action')
    .where(sql<boolean>`starts_with(definition_id, ${`${definitionId}.`})`)
    .orderBy('response_name')
    .limit(20)
    .execute();
  return rows.map(({ response_name }) => refusal('USED_BY_RESPONSE', { name: response_name }));
}

/** Names of the automatic responses that run one of these actions. */
export async function responsesRunning(tx: Tx, scope: TenantScope, actionIds: readonly string[]): Promise<ToldPart[]> {
  const rows = await tx
    .selectFrom('rule_response')
    .select('response_name')
    .distinct()
    .where('tenant_id', '=', scope.tenantId)
    .where('response_type', '=', 'action')
    .where('definition_id', 'in', [...actionIds])
    .orderBy('response_name')
    .limit(20)
    .execute();
  return rows.map(({ response_name }) => refusal('USED_BY_RESPONSE', { name: response_name }));
}
