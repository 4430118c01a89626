import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { SsoTables } from './sso-tables.ts';

export type ConnectionRow = Selectable<SsoTables['sso_connection']>;

export async function listConnections(tx: Tx, scope: TenantScope): Promise<ConnectionRow[]> {
  return await tx
    .selectFrom('sso_connection')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export async function findConnection(tx: Tx, scope: TenantScope, id: string): Promise<ConnectionRow | undefined> {
  return await tx
    .selectFrom('sso_connection')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The same, held until the transaction ends, so that of two changes one comes after the other. */
export async function lockConnection(tx: Tx, scope: TenantScope, id: string): Promise<ConnectionRow | undefined> {
  return await tx
    .selectFrom('sso_connection')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertConnection(tx: Tx, row: ConnectionRow): Promise<void> {
  await tx.insertInto('sso_connection').values(written(row)).execute();
}

export async function replaceConnection(tx: Tx, row: ConnectionRow): Promise<void> {
  const { id, tenant_id, created_at: _created, ...rest } = written(row);
  await tx.updateTable('sso_connection').set(rest).where('tenant_id', '=', tenant_id).where('id', '=', id).execute();
}

export async function deleteConnection(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.deleteFrom('sso_connection').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
}

export type EnabledConnectionRow = ConnectionRow & { proved_domains: string[] };

/** The following three need a system transaction: whose connection it is has to be found out before anybody is signed in. */
export async function findEnabledConnection(tx: Tx, id: string): Promise<EnabledConnectionRow | undefined> {
  return await tx
    .selectFrom('sso_connection as c')
    .selectAll('c')
    .select(
      sql<string[]>`array(select d.domain from sso_domain d
        where d.tenant_id = c.tenant_id and d.domain = any(c.domains) and d.proved_at is not null)`.as(
        'proved_domains',
      ),
    )
    .where('c.id', '=', id)
    .where('c.enabled', '=', true)
    .executeTakeFirst();
}

/** Connections of the one tenant that has proved the domain. */
export async function listEnabledOfDomain(
  tx: Tx,
  domain: string,
  limit: number,
): Promise<Pick<ConnectionRow, 'id' | 'kind' | 'label'>[]> {
  return await tx
    .selectFrom('sso_connection as c')
    .innerJoin('sso_domain as d', 'd.tenant_id', 'c.tenant_id')
    .select(['c.id', 'c.kind', 'c.label'])
    .where('d.domain', '=', domain)
    .where('d.proved_at', 'is not', null)
    .where(sql<boolean>`c.domains @> array[${domain}]::text[]`)
    .where('c.enabled', '=', true)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .limit(limit)
    .execute();
}

/** Of the home tenant first. People of a provider come in through it, not through its customers. */
export async function listEnabledOfMember(
  tx: Tx,
  userId: string,
  limit: number,
): Promise<Pick<ConnectionRow, 'id' | 'kind' | 'label'>[]> {
  return await tx
    .selectFrom('sso_connection as c')
    .innerJoin('membership as m', 'm.tenant_id', 'c.tenant_id')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['c.id', 'c.kind', 'c.label'])
    .where('u.id', '=', userId)
    .where('m.source', '=', 'direct')
    .where('c.enabled', '=', true)
    .orderBy(sql`c.tenant_id <> u.home_tenant_id`)
    .orderBy('c.created_at')
    .orderBy('c.id')
    .limit(limit)
    .execute();
}

function written(row: ConnectionRow) {
  return {
    ...row,
    wrapped_key: JSON.stringify(row.wrapped_key),
    sealed_secret: JSON.stringify(row.sealed_secret),
    group_roles: JSON.stringify(row.group_roles),
  };
}
