import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { GENESIS } from './audit-hash.ts';
import type { AuditRecordTable } from './audit-tables.ts';

export type ChainHead = { sequence: number; hash: string };

/** Locks the chain of the tenant until the transaction ends and says where it stands; begins it when there is none. */
export async function lockChain(tx: Tx, scope: TenantScope): Promise<ChainHead> {
  return await tx
    .insertInto('audit_chain')
    .values({ tenant_id: scope.tenantId, sequence: 0, hash: GENESIS })
    // An update that changes nothing: it is what takes the row lock and returns the row in one statement.
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet({ tenant_id: scope.tenantId }))
    .returning(['sequence', 'hash'])
    .executeTakeFirstOrThrow();
}

/** The records and the new head in one statement. */
export async function appendRecords(
  tx: Tx,
  scope: TenantScope,
  records: readonly AuditRecordTable[],
  head: ChainHead,
): Promise<void> {
  const rows = records.map((record) => ({ ...record, data: sql`${JSON.stringify(record.data)}::jsonb` }));
  await tx
    .with('appended', (db) => db.insertInto('audit_record').values(rows))
    .updateTable('audit_chain')
    .set(head)
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow();
}

export async function listRecords(
  tx: Tx,
  scope: TenantScope,
  page: { after: number; limit: number },
): Promise<AuditRecordTable[]> {
  return await tx
    .selectFrom('audit_record')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('sequence', '>', page.after)
    .orderBy('sequence')
    .limit(page.limit)
    .execute();
}

/** Where the head says the chain ends, and the last record there is, as they were at one moment. */
export async function findChainEnd(tx: Tx, scope: TenantScope): Promise<ChainHead & { lastRecord: number }> {
  const { rows } = await sql<ChainHead & { lastRecord: number }>`
    select coalesce(max(c.sequence), 0)::bigint as sequence, coalesce(max(c.hash), ${GENESIS}) as hash,
      coalesce((select max(r.sequence) from audit_record r where r.tenant_id = ${scope.tenantId}), 0)::bigint as "lastRecord"
    from audit_chain c where c.tenant_id = ${scope.tenantId}`.execute(tx);
  return rows[0] ?? { sequence: 0, hash: GENESIS, lastRecord: 0 };
}
