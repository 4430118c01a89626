/**
 * The one repository with unscoped reads: who a caller is and where they may go has to be known before there is a
 * scope. These reads run in system transactions and name the user or the tenant themselves.
 */
import type { Role } from '@airdeck/contracts/access/roles';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type {
  Access,
  ListedMembership,
  MembershipRow,
  MembershipSource,
  ProfileChange,
  TenantRow,
  UserKey,
  UserRow,
} from './tenants-port.ts';

const tenantColumns = [
  'tenant.id',
  'tenant.name',
  'tenant.managed_by',
  'tenant.sku_info',
  'tenant.is_provider',
  'tenant.brand',
] as const;
const userColumns = [
  'id',
  'uname',
  'fullname',
  'email',
  'home_tenant_id',
  'locale',
  'phone',
  'job_title',
  'timezone',
  'notification_preferences',
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
      'tenant.is_provider',
    ])
    .$if('userId' in key, (query) => query.where('app_user.id', '=', 'userId' in key ? key.userId : ''))
    .$if('issuer' in key, (query) =>
      query
        .where('app_user.identity_issuer', '=', 'issuer' in key ? key.issuer : '')
        .where('app_user.identity_subject', '=', 'issuer' in key ? key.subject : ''),
    )
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { role, tenant_id: id, tenant_name: name, managed_by, sku_info, is_provider, ...user } = row;
  const isMember = role !== null && id !== null && name !== null && sku_info !== null && is_provider !== null;
  return { user, membership: isMember ? { id, name, managed_by, sku_info, is_provider, role } : undefined };
}

export async function findUser(tx: Tx, userId: string): Promise<UserRow | undefined> {
  return await tx.selectFrom('app_user').select(userColumns).where('id', '=', userId).executeTakeFirst();
}

/** The same, held until the transaction ends, so that of two changes made from what is there one comes after the other. */
export async function lockUser(tx: Tx, userId: string): Promise<UserRow | undefined> {
  return await tx
    .selectFrom('app_user')
    .select(userColumns)
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function findMembership(tx: Tx, userId: string, tenantId: string): Promise<MembershipRow | undefined> {
  return await tx
    .selectFrom('membership')
    .innerJoin('tenant', 'tenant.id', 'membership.tenant_id')
    .select([...tenantColumns, 'membership.role', 'membership.source'])
    .where('membership.user_id', '=', userId)
    .where('membership.tenant_id', '=', tenantId)
    .executeTakeFirst();
}

export async function listMemberships(tx: Tx, userId: string): Promise<ListedMembership[]> {
  return await tx
    .selectFrom('membership')
    .innerJoin('tenant', 'tenant.id', 'membership.tenant_id')
    .select(tenantColumns.filter((column) => column !== 'tenant.brand'))
    .select(sql<ListedMembership['brand']>`tenant.brand - 'logo'`.as('brand'))
    .select(['membership.role', 'membership.source'])
    .where('membership.user_id', '=', userId)
    .orderBy('tenant.name')
    .orderBy('tenant.id')
    .execute();
}

export async function insertTenant(tx: Tx, row: TenantRow): Promise<void> {
  await tx
    .insertInto('tenant')
    .values({ ...row, sku_info: JSON.stringify(row.sku_info), brand: JSON.stringify(row.brand) })
    .execute();
}

export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  const { notification_preferences: preferences, ...rest } = row;
  await tx
    .insertInto('app_user')
    .values({ ...rest, notification_preferences: preferences && JSON.stringify(preferences) })
    .execute();
}

export async function putMembership(
  tx: Tx,
  row: { tenant_id: string; user_id: string; role: Role; source: MembershipSource },
): Promise<void> {
  const { role, source } = row;
  await tx
    .insertInto('membership')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'tenant_id']).doUpdateSet({ role, source }))
    .execute();
}

type MembershipKey = { tenant_id: string; user_id: string };

export async function deleteMembership(tx: Tx, row: MembershipKey): Promise<void> {
  await tx.deleteFrom('membership').where('tenant_id', '=', row.tenant_id).where('user_id', '=', row.user_id).execute();
}

/** The role somebody has here because of the provider. Nobody gives or takes it until the transaction ends. */
export async function holdProviderRole(tx: Tx, row: MembershipKey): Promise<Role | undefined> {
  const held = await tx
    .selectFrom('provider_role')
    .innerJoin('tenant', 'tenant.managed_by', 'provider_role.provider_id')
    .select('provider_role.role')
    .where('tenant.id', '=', row.tenant_id)
    .where('provider_role.user_id', '=', row.user_id)
    .forShare('provider_role')
    .executeTakeFirst();
  return held?.role;
}

/** Memberships the user has in managed tenants because of this one; the tenants they were in. */
export async function deleteProviderMemberships(tx: Tx, row: MembershipKey): Promise<string[]> {
  const gone = await tx
    .deleteFrom('membership')
    .where('user_id', '=', row.user_id)
    .where('source', '=', 'provider')
    .where('tenant_id', 'in', (eb) =>
      eb.selectFrom('tenant').select('tenant.id').where('tenant.managed_by', '=', row.tenant_id),
    )
    .returning('tenant_id')
    .execute();
  return gone.map(({ tenant_id }) => tenant_id);
}

/** The tenants they were in. */
export async function deleteAllMemberships(tx: Tx, userId: string): Promise<string[]> {
  const gone = await tx.deleteFrom('membership').where('user_id', '=', userId).returning('tenant_id').execute();
  return gone.map(({ tenant_id }) => tenant_id);
}

/** Makes the oldest other tenant of the user their home, if the given one was and there is one. */
export async function moveHome(tx: Tx, row: MembershipKey): Promise<void> {
  await sql`
    update app_user u set home_tenant_id = other.tenant_id
    from (
      select tenant_id from membership
      where user_id = ${row.user_id} and tenant_id <> ${row.tenant_id} and source = 'direct'
      order by created_at, tenant_id limit 1
    ) other
    where u.id = ${row.user_id} and u.home_tenant_id = ${row.tenant_id}`.execute(tx);
}

export async function giveHome(tx: Tx, { tenant_id, user_id }: MembershipKey): Promise<void> {
  await sql`
    update app_user u set home_tenant_id = ${tenant_id}
    where u.id = ${user_id} and not exists (
      select 1 from membership m where m.user_id = u.id and m.tenant_id = u.home_tenant_id)`.execute(tx);
}

/** Rows that point at the tenant can still be written: only changes that take the same lock wait. */
export async function lockTenant(tx: Tx, tenantId: string): Promise<void> {
  await tx.selectFrom('tenant').select('id').where('id', '=', tenantId).forNoKeyUpdate().execute();
}

export async function listAdmins(tx: Tx, tenantId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('membership')
    .innerJoin('app_user', 'app_user.id', 'membership.user_id')
    .select('membership.user_id')
    .where('membership.tenant_id', '=', tenantId)
    .where('membership.role', '=', 'Admin')
    .where('membership.source', '=', 'direct')
    .where('app_user.status', '=', 'active')
    .limit(2)
    .execute();
  return rows.map((row) => row.user_id);
}

export async function updateUserStatus(tx: Tx, userId: string, status: UserRow['status']): Promise<void> {
  await tx.updateTable('app_user').set({ status }).where('id', '=', userId).execute();
}

export async function updateProfile(tx: Tx, userId: string, change: ProfileChange): Promise<void> {
  const { notification_preferences: preferences, ...rest } = change;
  await tx
    .updateTable('app_user')
    .set({
      ...rest,
      ...(preferences === undefined
        ? {}
        : { notification_preferences: preferences === null ? null : JSON.stringify(preferences) }),
    })
    .where('id', '=', userId)
    .execute();
}

export async function eraseUser(tx: Tx, userId: string): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({
      uname: `deleted-${userId}`,
      fullname: 'Deleted user',
      email: `${userId}@deleted.invalid`,
      locale: 'en-US',
      phone: '',
      job_title: '',
      timezone: '',
      notification_preferences: null,
      identity_issuer: 'urn:airdeck:deleted',
      identity_subject: userId,
      status: 'disabled',
    })
    .where('id', '=', userId)
    .execute();
}
