import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { OwnNetworksTable } from './own-networks-tables.ts';

export type OwnNetworksRow = Selectable<OwnNetworksTable>;
type Change = { networks: readonly { network: string; note: string }[]; at: Date };

/** Changes of a tenant's list one after the other: what is there is looked at before it is replaced. */
export async function lockNetworks(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`own networks ${scope.tenantId}`}, 0))`.execute(tx);
}

export async function findNetworks(tx: Tx, scope: TenantScope): Promise<OwnNetworksRow | undefined> {
  return await tx
    .selectFrom('tenant_own_networks')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirst();
}

export async function putNetworks(tx: Tx, scope: TenantScope, { networks, at }: Change): Promise<void> {
  const row = { networks: JSON.stringify(networks), updated_at: at };
  await tx
    .insertInto('tenant_own_networks')
    .values({ tenant_id: scope.tenantId, ...row })
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(row))
    .execute();
}
