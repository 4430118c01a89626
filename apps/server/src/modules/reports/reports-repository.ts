import { type Insertable, type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { SearchReportTable } from './reports-tables.ts';

export type ReportRow = Selectable<SearchReportTable>;
export type NewReport = Insertable<SearchReportTable>;

/** Which beginning of which report: one that was begun anew since does not count any more. */
export type Attempt = { id: string; attempt: number };
export type Progress = Pick<ReportRow, 'row_count' | 'size_bytes' | 'rows_expected'>;
export type Ending = Pick<ReportRow, 'status' | 'row_count' | 'size_bytes' | 'cut_by' | 'failure' | 'file_id'> & {
  at: Date;
  expiresAt: Date;
};

export async function listReports(
  tx: Tx,
  scope: TenantScope,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<ReportRow[]> {
  return await tx
    .selectFrom('search_report')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function findReport(tx: Tx, scope: TenantScope, id: string): Promise<ReportRow | undefined> {
  return await tx
    .selectFrom('search_report')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** What a request that carried an Idempotency-Key has ordered already. */
export async function findOrdered(tx: Tx, scope: TenantScope, requestId: string): Promise<ReportRow | undefined> {
  return await tx
    .selectFrom('search_report')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('request_id', '=', requestId)
    .executeTakeFirst();
}

/** Held until the transaction ends: what a tenant has is counted and added to by one at a time. */
export async function lockReports(tx: Tx, scope: TenantScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`reports ${scope.tenantId}`}, 0))`.execute(tx);
}

/** Of a schedule, and refused at once for want of room: it was never begun, and takes no room itself. */
const isRefused = sql<boolean>`(status = 'error' and attempt = 0 and schedule_id is not null)`;

export type ReportsUsed = {
  reports: number;
  /** Of those that people ordered. */
  unfinished: number;
  bytes: number;
};

export async function reportsUsed(tx: Tx, scope: TenantScope): Promise<ReportsUsed> {
  return await tx
    .selectFrom('search_report')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere(eb.not(isRefused)).as('reports'),
      eb.fn
        .countAll<number>()
        .filterWhere('finished_at', 'is', null)
        .filterWhere('schedule_id', 'is', null)
        .as('unfinished'),
      // What was cancelled has no file, though reports of the release before still say how far they came.
      sql<number>`coalesce(sum(size_bytes) filter (where status in ('success', 'running')), 0)::bigint`.as('bytes'),
    ])
    .where('tenant_id', '=', scope.tenantId)
    .executeTakeFirstOrThrow();
}

/** Undefined when its slot has one already. */
export async function insertReport(tx: Tx, row: NewReport): Promise<ReportRow | undefined> {
  return await tx
    .insertInto('search_report')
    .values(row)
    .onConflict((conflict) => conflict.columns(['schedule_id', 'slot_at']).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** All refused ones but the newest `kept`. */
export async function deleteRefused(tx: Tx, scope: TenantScope, kept: number): Promise<void> {
  await tx
    .deleteFrom('search_report')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('search_report')
        .select('id')
        .where('tenant_id', '=', scope.tenantId)
        .where(isRefused)
        .orderBy('id', 'desc')
        .offset(kept),
    )
    .execute();
}

/** From nothing, whatever an earlier attempt had; undefined when it is not wanted any more. */
export async function beginReport(tx: Tx, scope: TenantScope, id: string, at: Date): Promise<ReportRow | undefined> {
  return await tx
    .updateTable('search_report')
    .set((eb) => ({
      status: 'running',
      attempt: eb('attempt', '+', 1),
      row_count: 0,
      size_bytes: 0,
      rows_expected: null,
      updated_at: at,
    }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returningAll()
    .executeTakeFirst();
}

/** False when the attempt is not wanted any more. */
export async function noteProgress(
  tx: Tx,
  scope: TenantScope,
  { id, attempt }: Attempt,
  progress: Progress & { at: Date },
): Promise<boolean> {
  const { at, ...counts } = progress;
  const row = await tx
    .updateTable('search_report')
    .set({ ...counts, updated_at: at })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Undefined when the attempt is not wanted any more: then nothing was written. */
export async function endReport(
  tx: Tx,
  scope: TenantScope,
  { id, attempt }: Attempt,
  { at, expiresAt, ...ending }: Ending,
): Promise<ReportRow | undefined> {
  return await tx
    .updateTable('search_report')
    .set({ ...ending, updated_at: at, finished_at: at, expires_at: expiresAt })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
    .returningAll()
    .executeTakeFirst();
}

/** Undefined when it had ended. */
export async function cancelReport(
  tx: Tx,
  scope: TenantScope,
  id: string,
  { at, expiresAt }: { at: Date; expiresAt: Date },
): Promise<ReportRow | undefined> {
  return await tx
    .updateTable('search_report')
    .set({ status: 'cancelled', size_bytes: 0, updated_at: at, finished_at: at, expires_at: expiresAt })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returningAll()
    .executeTakeFirst();
}

export async function deleteReport(tx: Tx, scope: TenantScope, id: string): Promise<ReportRow | undefined> {
  return await tx
    .deleteFrom('search_report')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** In a system transaction: reports whose time is over; answers the files that go with them. */
export async function deleteExpired(tx: Tx, now: Date): Promise<string[]> {
  const rows = await tx.deleteFrom('search_report').where('expires_at', '<=', now).returning('file_id').execute();
  return rows.flatMap(({ file_id }) => file_id ?? []);
}

/**
 * In a system transaction: what nobody has worked on since then, and no job will, ends as failed and is answered. One whose
 * job is still there only waits, however long: for its turn, or for a program that was down.
 */
export async function endForgotten(
  tx: Tx,
  { jobKind, before, ...ending }: { jobKind: string; before: Date; failure: string; at: Date; expiresAt: Date },
): Promise<ReportRow[]> {
  const { failure, at, expiresAt } = ending;
  return await tx
    .updateTable('search_report')
    .set({ status: 'error', failure, size_bytes: 0, updated_at: at, finished_at: at, expires_at: expiresAt })
    .where('finished_at', 'is', null)
    .where('updated_at', '<', before)
    .where(
      sql<boolean>`not exists (select from engine.job j where j.tenant_id = search_report.tenant_id and j.kind = ${jobKind}
        and j.dedup_key = search_report.id::text and j.state <> 'dead')`,
    )
    .returningAll()
    .execute();
}

/** In a system transaction: which of the ids are files of any tenant. */
export async function knownReportFiles(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('search_report')
    .select('file_id')
    .where('file_id', 'in', [...ids])
    .execute();
  return new Set(rows.flatMap(({ file_id }) => file_id ?? []));
}
