import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

/** Undefined when the tenant has no such connector. */
export async function connectorName(tx: Tx, scope: TenantScope, id: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('connector')
    .select('name')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.name;
}
