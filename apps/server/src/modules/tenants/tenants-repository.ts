/**
 * The one repository with unscoped reads: who a caller is and where they may go has to be known before there is a
 * scope. These reads run in system transactions and name the user or the tenant themselves.
 */
import type { Role } from '@airdeck/contracts/access/roles';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Access, MembershipRow, TenantRow, UserKey, UserRow } from './tenants-port.ts';

const tenantColumns = ['tenant.id', 'tenant.name', 'tenant.managed_by', 'tenant.sku_info'] as const;
const userColumns = [
  'id',
  'uname',
  'fullname',
  'email',
  'home_tenant_id',
  'locale',
  'identity_issuer',
  'identity_subject',
  'status',
] as const;

export async function findTenant(tx: Tx, scope: TenantScope): Promise<TenantRow | undefined> {
  return await tx.selectFrom('tenant').select(tenantColumns).where('tenant.id', '=', scope.tenantId).executeTakeFirst();
}

export async function findAccess(tx: Tx, key: UserKey, tenantId: string): Promise<Access | undefined> {
  const row = await tx
    .selectFrom('app_user')
    .leftJoin('membership', (join) =>
      join.onRef('membership.user_id', '=', 'app_user.id').on('membership.tenant_id', '=', tenantId),
    )
    .leftJoin('tenant', 'tenant.id', 'membership.tenant_id')
    .select(userColumns.map((column) => `app_user.${column}` as const))
    .select([
      'membership.role',
      'tenant.id as tenant_id',
      'tenant.name as tenant_name',
      'tenant.managed_by',
      'tenant.sku_info',
    ])
    .$if('userId' in key, (query) => query.where('app_user.id', '=', 'userId' in key ? key.userId : ''))
    .$if('issuer' in key, (query) =>
      query
        .where('app_user.identity_issuer', '=', 'issuer' in key ? key.issuer : '')
        .where('app_user.identity_subject', '=', 'issuer' in key ? key.subject : ''),
    )
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { role, tenant_id: id, tenant_name: name, managed_by, sku_info, ...user } = row;
  const isMember = role !== null && id !== null && name !== null && sku_info !== null;
  return { user, membership: isMember ? { id, name, managed_by, sku_info, role } : undefined };
}

export async function findUser(tx: Tx, userId: string): Promise<UserRow | undefined> {
  return await tx.selectFrom('app_user').select(userColumns).where('id', '=', userId).executeTakeFirst();
}

export async function findMembership(tx: Tx, userId: string, tenantId: string): Promise<MembershipRow | undefined> {
  return await tx
    .selectFrom('membership')
    .innerJoin('tenant', 'tenant.id', 'membership.tenant_id')
    .select([...tenantColumns, 'membership.role'])
    .where('membership.user_id', '=', userId)
    .where('membership.tenant_id', '=', tenantId)
    .executeTakeFirst();
}

export async function listMemberships(tx: Tx, userId: string): Promise<MembershipRow[]> {
  return await tx
    .selectFrom('membership')
    .innerJoin('tenant', 'tenant.id', 'membership.tenant_id')
    .select([...tenantColumns, 'membership.role'])
    .where('membership.user_id', '=', userId)
    .orderBy('tenant.name')
    .orderBy('tenant.id')
    .execute();
}

export async function insertTenant(tx: Tx, row: TenantRow): Promise<void> {
  await tx
    .insertInto('tenant')
    .values({ ...row, sku_info: JSON.stringify(row.sku_info) })
    .execute();
}

export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  await tx.insertInto('app_user').values(row).execute();
}

export async function putMembership(tx: Tx, row: { tenant_id: string; user_id: string; role: Role }): Promise<void> {
  await tx
    .insertInto('membership')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'tenant_id']).doUpdateSet({ role: row.role }))
    .execute();
}

export async function deleteMembership(tx: Tx, row: { tenant_id: string; user_id: string }): Promise<void> {
  await tx.deleteFrom('membership').where('tenant_id', '=', row.tenant_id).where('user_id', '=', row.user_id).execute();
}

export async function updateUserStatus(tx: Tx, userId: string, status: UserRow['status']): Promise<void> {
  await tx.updateTable('app_user').set({ status }).where('id', '=', userId).execute();
}
