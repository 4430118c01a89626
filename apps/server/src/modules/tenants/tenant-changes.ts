import type { SkuInfo } from '@airdeck/contracts/me/schema';
import type { Brand } from '@airdeck/contracts/tenants/schema';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type TenantChange = {
  readonly name?: string | undefined;
  readonly brand?: Brand | undefined;
  readonly skuInfo?: SkuInfo | undefined;
};

/** What its settings and its provider change of a tenant; both need a system transaction and write their own audit record. */
export interface TenantChanges {
  /** Lets one change of the tenant at a time through until the transaction ends. Work in the tenant goes on meanwhile. */
  lock(tx: Tx, scope: TenantScope): Promise<void>;
  update(tx: Tx, scope: TenantScope, change: TenantChange): Promise<void>;
}

export const tenantChanges: TenantChanges = {
  async lock(tx, scope) {
    await tx.selectFrom('tenant').select('id').where('id', '=', scope.tenantId).forNoKeyUpdate().executeTakeFirst();
  },
  async update(tx, scope, { name, brand, skuInfo }) {
    const set = {
      ...(name === undefined ? {} : { name }),
      ...(brand === undefined ? {} : { brand: JSON.stringify(brand) }),
      ...(skuInfo === undefined ? {} : { sku_info: JSON.stringify(skuInfo) }),
    };
    if (Object.keys(set).length === 0) return;
    await tx.updateTable('tenant').set(set).where('id', '=', scope.tenantId).execute();
  },
};
