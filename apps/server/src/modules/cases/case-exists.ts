import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { findCase } from './cases-repository.ts';

/** Whether the tenant has this case, whatever its status. */
export async function caseExists(tx: Tx, scope: TenantScope, id: string): Promise<boolean> {
  return (await findCase(tx, scope, id)) !== undefined;
}
