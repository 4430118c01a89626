import type { SavedSearchInput } from '@airdeck/contracts/search/schema';
import { type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { SearchTables } from './search-tables.ts';

/** `owner_name` is null once its owner is no member any more. */
export type SavedSearchRow = Selectable<SearchTables['saved_search']> & { owner_name: string | null };

/** Changes of one person's searches one after the other: their number and names are looked at first. */
export async function lockSavedSearches(tx: Tx, scope: TenantScope, ownerId: string): Promise<void> {
  const subject = `saved searches ${scope.tenantId} ${ownerId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(tx);
}

/** Those of a person and those that are shared, by name. */
export async function listSavedSearches(
  tx: Tx,
  scope: TenantScope,
  { ownerId, limit }: { ownerId: string; limit: number },
): Promise<SavedSearchRow[]> {
  return await rows(tx, scope)
    .where((eb) => eb.or([eb('s.owner_id', '=', ownerId), eb('s.shared', '=', true)]))
    // A tenant with a great many shared ones still shows everybody their own.
    .orderBy(sql`s.owner_id = ${ownerId} desc`)
    .orderBy(sql`lower(s.name)`)
    .orderBy('s.id')
    .limit(limit)
    .execute();
}

export async function findSavedSearch(tx: Tx, scope: TenantScope, id: string): Promise<SavedSearchRow | undefined> {
  return await rows(tx, scope).where('s.id', '=', id).executeTakeFirst();
}

export async function countSavedSearches(tx: Tx, scope: TenantScope, ownerId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('saved_search')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('tenant_id', '=', scope.tenantId)
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether the person has another one of this name, in any case. */
export async function isNameTaken(
  tx: Tx,
  scope: TenantScope,
  { ownerId, name, except }: { ownerId: string; name: string; except: string | undefined },
): Promise<boolean> {
  const row = await tx
    .selectFrom('saved_search')
    .select('id')
    .where('tenant_id', '=', scope.tenantId)
    .where('owner_id', '=', ownerId)
    .where(sql`lower(name)`, '=', sql`lower(${name})`)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? ''))
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertSavedSearch(
  tx: Tx,
  scope: TenantScope,
  { id, ownerId, at, input }: { id: string; ownerId: string; at: Date; input: SavedSearchInput },
): Promise<void> {
  const owned = { id, tenant_id: scope.tenantId, owner_id: ownerId, created_at: at };
  await tx
    .insertInto('saved_search')
    .values({ ...owned, ...columnsOf(input, at) })
    .execute();
}

export async function updateSavedSearch(
  tx: Tx,
  scope: TenantScope,
  { id, at, input }: { id: string; at: Date; input: SavedSearchInput },
): Promise<void> {
  await tx
    .updateTable('saved_search')
    .set(columnsOf(input, at))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .execute();
}

export async function deleteSavedSearch(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.deleteFrom('saved_search').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
}

function rows(tx: Tx, scope: TenantScope) {
  return tx
    .selectFrom('saved_search as s')
    .leftJoin('app_user as u', 'u.id', 's.owner_id')
    .selectAll('s')
    .select('u.fullname as owner_name')
    .where('s.tenant_id', '=', scope.tenantId);
}

function columnsOf({ name, shared, criteria, time_range, sort, columns }: SavedSearchInput, at: Date) {
  return {
    name,
    shared,
    criteria: JSON.stringify(criteria),
    time_range: JSON.stringify(time_range),
    sort,
    columns: JSON.stringify(columns),
    updated_at: at,
  };
}
