import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { BillingFacts, TermFacts } from './contract-port.ts';
import type { ContractTables } from './contract-tables.ts';

export type ContractRow = Omit<ContractTables['contract'], 'updated_at'> & { sku_name: string; seats_used: number };
export type FileRow = ContractTables['contract_file'];

export async function findContract(tx: Tx, scope: TenantScope): Promise<ContractRow | undefined> {
  return (await tx
    .selectFrom('contract as c')
    .innerJoin('tenant as t', 't.id', 'c.tenant_id')
    .select(['c.id', 'c.tenant_id', 'c.seats'])
    .select([
      // A day has no time zone; the driver would give it one.
      sql<string>`c.start_date::text`.as('start_date'),
      sql<string>`c.end_date::text`.as('end_date'),
      sql<string | null>`c.renewal_notice_date::text`.as('renewal_notice_date'),
      sql<string>`t.sku_info ->> 'sku_name'`.as('sku_name'),
    ])
    .select((eb) =>
      eb
        .selectFrom('membership as m')
        .innerJoin('app_user as u', 'u.id', 'm.user_id')
        .select((inner) => inner.fn.countAll<number>().as('used'))
        .whereRef('m.tenant_id', '=', 'c.tenant_id')
        // People of the provider have their seat there.
        .where('m.source', '=', 'direct')
        .where('u.status', 'in', ['active', 'invited'])
        .$castTo<number>()
        .as('seats_used'),
    )
    .where('c.tenant_id', '=', scope.tenantId)
    .executeTakeFirst()) as ContractRow | undefined;
}

/** People who still can accept an invitation; in a system transaction, because invitations hold tickets. */
export async function countInvited(tx: Tx, scope: TenantScope, at: Date): Promise<number> {
  const { invited } = await tx
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('invited'))
    .where('tenant_id', '=', scope.tenantId)
    .where('state', '=', 'pending')
    .where('email', 'is not', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  return invited;
}

/** The first terms of a tenant; false where there are some. Of two at once the second waits until it sees those of the first. */
export async function insertContract(
  tx: Tx,
  scope: TenantScope,
  { id, at, ...facts }: TermFacts & { id: string; at: Date },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('contract')
    .values({ ...facts, updated_at: at, id, tenant_id: scope.tenantId })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateContract(
  tx: Tx,
  scope: TenantScope,
  { at, ...facts }: TermFacts & { at: Date },
): Promise<void> {
  await tx
    .updateTable('contract')
    .set({ ...facts, updated_at: at })
    .where('tenant_id', '=', scope.tenantId)
    .execute();
}

export async function listFiles(tx: Tx, scope: TenantScope): Promise<FileRow[]> {
  return await tx
    .selectFrom('contract_file')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy('uploaded_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Locks the contract, under which its terms are compared and changed and files counted and added; undefined without one. */
export async function lockContract(tx: Tx, scope: TenantScope): Promise<TermFacts | undefined> {
  return await tx
    .selectFrom('contract')
    .select([
      'seats',
      sql<string>`start_date::text`.as('start_date'),
      sql<string>`end_date::text`.as('end_date'),
      sql<string | null>`renewal_notice_date::text`.as('renewal_notice_date'),
    ])
    .where('tenant_id', '=', scope.tenantId)
    .forUpdate()
    .executeTakeFirst();
}

export async function countFiles(tx: Tx, scope: TenantScope): Promise<number> {
  const { files } = await tx
    .selectFrom('contract_file')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow();
  return files;
}

export async function findFile(tx: Tx, scope: TenantScope, id: string): Promise<FileRow | undefined> {
  return await tx
    .selectFrom('contract_file')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertFile(tx: Tx, row: FileRow): Promise<void> {
  await tx.insertInto('contract_file').values(row).execute();
}

export async function deleteFile(tx: Tx, scope: TenantScope, id: string): Promise<FileRow | undefined> {
  return await tx
    .deleteFrom('contract_file')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** For the sweep, in a system transaction: which of the ids are files of any tenant. */
export async function knownFiles(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('contract_file')
    .select('id')
    .where('id', 'in', [...ids])
    .execute();
  return new Set(rows.map((row) => row.id));
}

export async function findBilling(tx: Tx, scope: TenantScope): Promise<BillingFacts | undefined> {
  return await billingOf(tx, scope).executeTakeFirst();
}

/** Locks the billing information, under which it is compared and changed; undefined without any. */
export async function lockBilling(tx: Tx, scope: TenantScope): Promise<BillingFacts | undefined> {
  return await billingOf(tx, scope).forUpdate().executeTakeFirst();
}

function billingOf(tx: Tx, scope: TenantScope) {
  return tx
    .selectFrom('billing')
    .select(['address', 'city', 'contact_email', 'contact_name', 'contact_phone', 'state', 'zip_code'])
    .where('tenant_id', '=', scope.tenantId);
}

/** The first of a tenant; false where there is some. Of two at once the second waits until it sees that of the first. */
export async function insertBilling(
  tx: Tx,
  scope: TenantScope,
  { at, ...facts }: BillingFacts & { at: Date },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('billing')
    .values({ ...facts, updated_at: at, tenant_id: scope.tenantId })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .returning('tenant_id')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateBilling(
  tx: Tx,
  scope: TenantScope,
  { at, ...facts }: BillingFacts & { at: Date },
): Promise<void> {
  await tx
    .updateTable('billing')
    .set({ ...facts, updated_at: at })
    .where('tenant_id', '=', scope.tenantId)
    .execute();
}
