import { type Selectable, sql, type Updateable } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ContactTable } from './contacts-tables.ts';

export type ContactRow = Selectable<ContactTable>;
export type ContactFields = Omit<
  ContactRow,
  'id' | 'tenant_id' | 'created_at' | 'updated_at' | 'notify' | 'request_hash'
> & {
  notify: string;
};

/** Escalation first, in its order, then everybody else by name. */
export async function listContacts(
  tx: Tx,
  scope: TenantScope,
  { q, limit }: { q: string | undefined; limit: number },
): Promise<ContactRow[]> {
  const pattern = q === undefined ? undefined : `%${q.replace(/[\\%_]/g, '\\$&')}%`;
  return await tx
    .selectFrom('contact')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .$if(pattern !== undefined, (query) =>
      query.where(sql<boolean>`concat_ws(${'\n'}::text, name, email, phone, job_title, notes) ilike ${pattern ?? ''}`),
    )
    .orderBy(sql`escalation_order asc nulls last`)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Held until the transaction ends: places and the number of contacts are changed by one at a time. */
export async function lockContacts(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`contacts ${scope.tenantId}`}, 0))`.execute(tx);
}

export async function countContacts(tx: Tx, scope: TenantScope): Promise<{ all: number; escalation: number }> {
  return await tx
    .selectFrom('contact')
    .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.count<number>('escalation_order').as('escalation')])
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow();
}

export async function findContact(tx: Tx, scope: TenantScope, id: string): Promise<ContactRow | undefined> {
  return await tx
    .selectFrom('contact')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertContact(
  tx: Tx,
  scope: TenantScope,
  row: ContactFields & { id: string; at: Date; request_hash: string | null },
): Promise<ContactRow> {
  const { at, ...fields } = row;
  return await tx
    .insertInto('contact')
    .values({ ...fields, tenant_id: scope.tenantId, created_at: at, updated_at: at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateContact(
  tx: Tx,
  scope: TenantScope,
  { id, set }: { id: string; set: Updateable<ContactTable> },
): Promise<ContactRow> {
  return await tx
    .updateTable('contact')
    .set(set)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteContact(tx: Tx, scope: TenantScope, id: string): Promise<void> {
  await tx.deleteFrom('contact').where('tenant_id', '=', scope.tenantId).where('id', '=', id).execute();
}

/** Moves everybody from a place on by one place: `by` is 1 to make room, -1 to close a gap. */
export async function shiftPlaces(
  tx: Tx,
  scope: TenantScope,
  { from, by }: { from: number; by: 1 | -1 },
): Promise<void> {
  await tx
    .updateTable('contact')
    .set((eb) => ({ escalation_order: eb('escalation_order', '+', by) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('escalation_order', '>=', from)
    .execute();
}
