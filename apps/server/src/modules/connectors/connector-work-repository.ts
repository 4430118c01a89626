/** What is due for connectors, and what came of it. */
import type { ConnectorCheck } from '@airdeck/contracts/connectors/schema';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { WorkKind } from './connectors-tables.ts';

export type DueWork = { tenant_id: string; connector_id: string; kind: WorkKind; due_at: Date };
export type WorkRow = { kind: WorkKind; due_at: Date | null; failures: number; failing_since: Date | null };
type Piece = { connectorId: string; kind: WorkKind };

/** In a system transaction, of all tenants; oldest first. */
export async function listDueWork(tx: Tx, until: Date, limit: number): Promise<DueWork[]> {
  return await tx
    .selectFrom('connector_work')
    .select(['tenant_id', 'connector_id', 'kind', 'due_at'])
    .where('due_at', '<=', until)
    .$narrowType<{ due_at: Date }>()
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** In a system transaction: connectors from before there was such work are tested like new ones. */
export async function addMissingTests(tx: Tx, now: Date): Promise<void> {
  await sql`
    insert into connector_work (tenant_id, connector_id, kind, due_at)
    select c.tenant_id, c.id, 'test', ${now}::timestamptz + random() * interval '60 seconds' from connector c
    where c.enabled and c.state <> 'paused'
      and not exists (select from connector_work w where w.connector_id = c.id and w.kind = 'test')
    on conflict do nothing`.execute(tx);
}

export async function workOf(tx: Tx, scope: TenantScope, connectorId: string): Promise<WorkRow[]> {
  return await tx
    .selectFrom('connector_work')
    .select(['kind', 'due_at', 'failures', 'failing_since'])
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', connectorId)
    .execute();
}

/** Begins anew: what failed before was with another configuration. Null puts it off until somebody sets it again. */
export async function setWork(tx: Tx, scope: TenantScope, piece: Piece & { dueAt: Date | null }): Promise<void> {
  await tx
    .insertInto('connector_work')
    .values({
      tenant_id: scope.tenantId,
      connector_id: piece.connectorId,
      kind: piece.kind,
      due_at: piece.dueAt,
      failures: 0,
      failing_since: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['connector_id', 'kind']).doUpdateSet({ due_at: piece.dueAt, failures: 0, failing_since: null }),
    )
    .execute();
}

/** After an attempt; a piece that was put off meanwhile stays put off. */
export async function settleWork(
  tx: Tx,
  scope: TenantScope,
  piece: Piece & { dueAt: Date; failures: number; failingSince: Date | null },
): Promise<void> {
  await tx
    .updateTable('connector_work')
    .set({ due_at: piece.dueAt, failures: piece.failures, failing_since: piece.failingSince })
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', piece.connectorId)
    .where('kind', '=', piece.kind)
    .where('due_at', 'is not', null)
    .execute();
}

/** One that fails already keeps its own pace: a vendor may lock an account that keeps knocking. */
export async function bringTestForward(tx: Tx, scope: TenantScope, connectorId: string, at: Date): Promise<void> {
  await tx
    .updateTable('connector_work')
    .set({ due_at: at })
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', connectorId)
    .where('kind', '=', 'test')
    .where('failures', '=', 0)
    .where('due_at', '>', at)
    .execute();
}

export type NewCheck = Omit<ConnectorCheck, 'at' | 'by' | 'reason' | 'values'> & {
  by: ConnectorCheck['by'];
  at: Date;
  id: string;
  /** JSON of `{ reason, values }`. */
  told: string | null;
};

export async function addCheck(tx: Tx, scope: TenantScope, connectorId: string, check: NewCheck): Promise<void> {
  await tx
    .insertInto('connector_check')
    .values({
      id: check.id,
      tenant_id: scope.tenantId,
      connector_id: connectorId,
      kind: check.kind,
      done_by: check.by,
      at: check.at,
      status: check.status,
      code: check.code,
      message: check.message,
      told: check.told,
      records: check.records,
      duration_ms: check.duration_ms,
    })
    .execute();
}

/** Newest first. */
export async function listChecks(
  tx: Tx,
  scope: TenantScope,
  which: { connectorId: string; kinds: readonly WorkKind[]; limit: number },
): Promise<ConnectorCheck[]> {
  const rows = await tx
    .selectFrom('connector_check')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('connector_id', '=', which.connectorId)
    .where('kind', 'in', [...which.kinds])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(which.limit)
    .execute();
  return rows.map((row) => ({
    at: row.at.toISOString(),
    kind: row.kind,
    by: row.done_by,
    status: row.status,
    code: row.code,
    message: row.message,
    ...row.told,
    records: row.records,
    duration_ms: row.duration_ms,
  }));
}

/** In a system transaction: of every connector the newest of each kind stay. */
export async function pruneChecks(tx: Tx, keep: number): Promise<void> {
  await sql`
    delete from connector_check where id in (
      select id from (
        select id, row_number() over (partition by connector_id, kind order by at desc, id desc) as place from connector_check
      ) ranked where place > ${keep})`.execute(tx);
}
