import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { SsoTables } from './sso-tables.ts';

export type DomainRow = Selectable<SsoTables['sso_domain']>;

export async function listDomains(tx: Tx, scope: TenantScope): Promise<DomainRow[]> {
  return await tx
    .selectFrom('sso_domain')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('domain')
    .execute();
}

export async function findDomain(tx: Tx, scope: TenantScope, domain: string): Promise<DomainRow | undefined> {
  return await tx
    .selectFrom('sso_domain')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** Proved domains nobody has looked for since that time, those waiting longest first; in system transactions. */
export async function listDomainsToReview(tx: Tx, since: Date, limit: number): Promise<DomainRow[]> {
  return await tx
    .selectFrom('sso_domain')
    .selectAll()
    .where('proved_at', 'is not', null)
    .where((eb) => eb.or([eb('checked_at', 'is', null), eb('checked_at', '<=', since)]))
    .orderBy('checked_at', (order) => order.asc().nullsFirst())
    .limit(limit)
    .execute();
}

/** All following need a system transaction: whose a domain is, is a question across tenants. */
export async function insertDomains(tx: Tx, rows: readonly DomainRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto('sso_domain')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['tenant_id', 'domain']).doNothing())
    .execute();
}

/** Lets go of domains no connection of the tenant names any more, so that somebody else may prove them. */
export async function releaseDomains(tx: Tx, scope: TenantScope): Promise<void> {
  await tx
    .deleteFrom('sso_domain')
    .where('tenant_id', '=', scope.tenantId)
    .where(
      sql<boolean>`not exists (select from sso_connection c where c.tenant_id = sso_domain.tenant_id
        and c.domains @> array[sso_domain.domain])`,
    )
    .execute();
}

/** Of two tenants that prove one domain at once, the second waits here and finds the first. */
export async function lockDomain(tx: Tx, domain: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sso domain ${domain}`}, 0))`.execute(tx);
}

export async function isProvedElsewhere(tx: Tx, scope: TenantScope, domain: string): Promise<boolean> {
  const row = await tx
    .selectFrom('sso_domain')
    .select('tenant_id')
    .where('domain', '=', domain)
    .where('tenant_id', '<>', scope.tenantId)
    .where('proved_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateDomain(
  tx: Tx,
  scope: TenantScope,
  change: Pick<DomainRow, 'domain' | 'proved_at' | 'checked_at' | 'missing_since'>,
): Promise<void> {
  const { domain, proved_at, checked_at, missing_since } = change;
  await tx
    .updateTable('sso_domain')
    .set({ proved_at, checked_at, missing_since })
    .where('tenant_id', '=', scope.tenantId)
    .where('domain', '=', domain)
    .execute();
}
