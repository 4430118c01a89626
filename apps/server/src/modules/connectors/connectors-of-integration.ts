import type { ToldPart } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { lockConnectors } from './connector-rows.ts';

/** Names of a tenant's connectors of an integration. No new one is made until the transaction ends. */
export async function connectorsOf(tx: Tx, scope: TenantScope, definitionId: string): Promise<ToldPart[]> {
  await lockConnectors(tx, scope);
  const rows = await tx
    .selectFrom('connector')
    .select('name')
    .where('tenant_id', '=', scope.tenantId)
    .where('definition_id', '=', definitionId)
    .orderBy('name')
    .limit(20)
    .execute();
  return rows.map(({ name }) => refusal('USED_BY_CONNECTOR', { name }));
}
