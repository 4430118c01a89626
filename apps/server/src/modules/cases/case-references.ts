import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { referenceOf } from './case-view.ts';

/** `CASE-7` by id, of those the tenant has. */
export async function caseReferences(
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('case_record')
    .select(['id', 'number'])
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, number }) => [id, referenceOf(number)]));
}
