import { v5 } from 'uuid';
import type { Tx } from '../../../storage/schema.ts';
import type { TenantScope } from '../../../tenant-scope.ts';
import type { PlaybooksService } from '../playbooks-service.ts';
import { type ShippedPlaybook, shippedPlaybooks } from './shipped-playbooks.ts';

/** Never changes: ids of copies that tenants have are made of it. */
const NAMESPACE = 'b0a7c1de-5f3e-4c86-9d0a-6a1f0b9b7c55';

const allKeys = Object.keys(shippedPlaybooks) as ShippedPlaybook[];

type ChangedBy = Parameters<PlaybooksService['create']>[3];

/**
 * Gives a tenant its copies of the library, all or those asked for. A copy that is there already stays as people left it, so that doing it again
 * adds what is missing and changes nothing else. Returns the ids by key.
 */
export async function addShippedPlaybooks(
  playbooks: Pick<PlaybooksService, 'create'>,
  tx: Tx,
  scope: TenantScope,
  by: ChangedBy,
  keys: readonly ShippedPlaybook[] = allKeys,
): Promise<Readonly<Record<ShippedPlaybook, string>>> {
  const ids: [string, string][] = [];
  for (const key of keys) {
    const id = shippedPlaybookId(scope, key);
    ids.push([key, await playbooks.create(tx, scope, shippedPlaybooks[key], by, { id })]);
  }
  return Object.fromEntries(ids) as Record<ShippedPlaybook, string>;
}

/** Whether the library has this key. */
export function isShipped(key: string): key is ShippedPlaybook {
  return Object.hasOwn(shippedPlaybooks, key);
}

/** The id of a tenant's copy: the same whenever it is asked for, another one in every tenant. */
export function shippedPlaybookId({ tenantId }: TenantScope, key: ShippedPlaybook): string {
  return v5(`${tenantId}/${key}`, NAMESPACE);
}
