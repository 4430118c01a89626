/** All in system transactions: a provider's customers are other tenants. Each names the provider it speaks for. */
import type { Role } from '@airdeck/contracts/access/roles';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';

export type CustomerRow = {
  id: string;
  name: string;
  sku_info: SkuInfo;
  created_at: Date;
  users: number;
  invited: number;
};

function customerQuery(tx: Tx, provider: TenantScope) {
  return tx
    .selectFrom('tenant as t')
    .select(['t.id', 't.name', 't.sku_info', 't.created_at'])
    .select([
      sql<number>`(select count(*)::int from membership m join app_user u on u.id = m.user_id
        where m.tenant_id = t.id and u.status <> 'disabled')`.as('users'),
      // Who let it expire has to be asked again.
      sql<number>`(select count(*)::int from invitation i
        where i.tenant_id = t.id and i.state = 'pending' and i.expires_at > now())`.as('invited'),
    ])
    .where('t.managed_by', '=', provider.tenantId);
}

export async function listCustomers(tx: Tx, provider: TenantScope): Promise<CustomerRow[]> {
  return await customerQuery(tx, provider).orderBy('t.name').orderBy('t.id').execute();
}

export async function findCustomer(tx: Tx, provider: TenantScope, id: string): Promise<CustomerRow | undefined> {
  return await customerQuery(tx, provider).where('t.id', '=', id).executeTakeFirst();
}

export async function hasCustomerNamed(
  tx: Tx,
  provider: TenantScope,
  { name, except }: { name: string; except?: string },
): Promise<boolean> {
  const row = await tx
    .selectFrom('tenant')
    .select('id')
    .where('managed_by', '=', provider.tenantId)
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .$if(except !== undefined, (query) => query.where('id', '<>', except ?? ''))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function isProvider(tx: Tx, scope: TenantScope): Promise<boolean> {
  const row = await tx.selectFrom('tenant').select('is_provider').where('id', '=', scope.tenantId).executeTakeFirst();
  return row?.is_provider === true;
}

export type ProviderPerson = { id: string; username: string; fullname: string; role: Role | null };

function peopleQuery(tx: Tx, provider: TenantScope) {
  return (
    tx
      .selectFrom('membership as m')
      .innerJoin('app_user as u', 'u.id', 'm.user_id')
      .leftJoin('provider_role as p', (join) =>
        join.onRef('p.user_id', '=', 'm.user_id').onRef('p.provider_id', '=', 'm.tenant_id'),
      )
      .select(['u.id', 'u.uname as username', 'u.fullname', 'p.role'])
      .where('m.tenant_id', '=', provider.tenantId)
      // Who works here only for a provider above this one reaches no further down.
      .where('m.source', '=', 'direct')
  );
}

export async function findPerson(tx: Tx, provider: TenantScope, username: string): Promise<ProviderPerson | undefined> {
  return await peopleQuery(tx, provider).where('u.uname', '=', username).executeTakeFirst();
}

export async function listPeopleWithRole(tx: Tx, provider: TenantScope): Promise<(ProviderPerson & { role: Role })[]> {
  const rows = await peopleQuery(tx, provider)
    .where('p.role', 'is not', null)
    .orderBy('u.fullname')
    .orderBy('u.id')
    .execute();
  return rows.flatMap(({ role, ...person }) => (role === null ? [] : [{ ...person, role }]));
}

export async function countCustomers(tx: Tx, provider: TenantScope): Promise<number> {
  const { count } = await tx
    .selectFrom('tenant')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('managed_by', '=', provider.tenantId)
    .executeTakeFirstOrThrow();
  return count;
}

type PersonRole = { user: string; role: Role };

export async function putProviderRole(tx: Tx, provider: TenantScope, { user, role }: PersonRole): Promise<void> {
  await tx
    .insertInto('provider_role')
    .values({ provider_id: provider.tenantId, user_id: user, role })
    .onConflict((conflict) => conflict.columns(['user_id', 'provider_id']).doUpdateSet({ role }))
    .execute();
}

export async function deleteProviderRole(tx: Tx, provider: TenantScope, user: string): Promise<void> {
  await tx
    .deleteFrom('provider_role')
    .where('provider_id', '=', provider.tenantId)
    .where('user_id', '=', user)
    .execute();
}

/**
 * Makes the person a member of every customer. A membership of their own there stays as it is, higher or lower. Returns
 * the tenants in which something changed.
 */
export async function grantInCustomers(tx: Tx, provider: TenantScope, { user, role }: PersonRole): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    insert into membership as m (tenant_id, user_id, role, source)
    select t.id, ${user}::uuid, ${role}, 'provider' from tenant t where t.managed_by = ${provider.tenantId}
    on conflict (user_id, tenant_id) do update set role = excluded.role
      where m.source = 'provider' and m.role <> excluded.role
    returning m.tenant_id`.execute(tx);
  return rows.map(({ tenant_id }) => tenant_id);
}

/** Everybody with a role joins one new customer. */
export async function grantEverybodyIn(tx: Tx, provider: TenantScope, customer: string): Promise<PersonRole[]> {
  const { rows } = await sql<PersonRole>`
    insert into membership (tenant_id, user_id, role, source)
    select ${customer}::uuid, p.user_id, p.role, 'provider' from provider_role p where p.provider_id = ${provider.tenantId}
    on conflict (user_id, tenant_id) do nothing
    returning user_id as user, role`.execute(tx);
  return rows;
}
