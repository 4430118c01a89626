import { type Insertable, type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ExecutiveReportTable } from './executive-reports-tables.ts';

export type ReportRow = Omit<Selectable<ExecutiveReportTable>, 'facts'>;
export type NewReport = Insertable<ExecutiveReportTable>;
export type Attempt = { id: string; attempt: number };
export type Ending = Pick<NewReport, 'status' | 'failure' | 'file_id' | 'size_bytes' | 'pages' | 'facts'> & {
  at: Date;
  expiresAt: Date;
};

/** Without what it says: a list of years of reports would carry all of it. */
const columns = [
  ...(['id', 'tenant_id', 'kind', 'month', 'name', 'locale', 'time_zone', 'range_start', 'range_end'] as const),
  ...(['status', 'attempt', 'created_at', 'created_by', 'asked_by', 'updated_at', 'finished_at', 'failure'] as const),
  ...(['file_id', 'size_bytes', 'pages', 'expires_at'] as const),
] as const;

export async function listReports(
  tx: Tx,
  scope: TenantScope,
  { limit, before }: { limit: number; before: string | undefined },
): Promise<ReportRow[]> {
  return await tx
    .selectFrom('executive_report')
    .select(columns)
    .where('tenant_id', '=', scope.tenantId)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function findReport(tx: Tx, scope: TenantScope, id: string): Promise<ReportRow | undefined> {
  return await tx
    .selectFrom('executive_report')
    .select(columns)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function findFacts(
  tx: Tx,
  scope: TenantScope,
  id: string,
): Promise<Selectable<ExecutiveReportTable>['facts'] | undefined> {
  const row = await tx
    .selectFrom('executive_report')
    .select('facts')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.facts;
}

/** Held until the transaction ends: a month is asked for by one at a time. */
export async function lockMonth(
  tx: Tx,
  scope: TenantScope,
  { kind, month }: Pick<ReportRow, 'kind' | 'month'>,
): Promise<void> {
  const key = `executive report ${scope.tenantId} ${kind} ${month}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx);
}

/**
 * The unfinished one, otherwise any: of those that ended there may be one whose place the next takes once it is there. Not by
 * its id, which goes by the clock of whichever machine ordered it.
 */
export async function findOfMonth(
  tx: Tx,
  scope: TenantScope,
  { kind, month }: Pick<ReportRow, 'kind' | 'month'>,
): Promise<ReportRow | undefined> {
  return await tx
    .selectFrom('executive_report')
    .select(columns)
    .where('tenant_id', '=', scope.tenantId)
    .where('kind', '=', kind)
    .where('month', '=', month)
    .orderBy(sql`finished_at is null`, 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

export async function insertReport(tx: Tx, row: NewReport): Promise<ReportRow> {
  return await tx.insertInto('executive_report').values(row).returning(columns).executeTakeFirstOrThrow();
}

/** From nothing, whatever an earlier attempt had; undefined when it is not wanted any more. */
export async function beginReport(tx: Tx, scope: TenantScope, id: string, at: Date): Promise<ReportRow | undefined> {
  return await tx
    .updateTable('executive_report')
    .set((eb) => ({ status: 'running', attempt: eb('attempt', '+', 1), updated_at: at }))
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'running'])
    .returning(columns)
    .executeTakeFirst();
}

/** Undefined when the attempt is not wanted any more: then nothing was written. */
export async function endReport(
  tx: Tx,
  scope: TenantScope,
  { id, attempt }: Attempt,
  { at, expiresAt, ...ending }: Ending,
): Promise<ReportRow | undefined> {
  return await tx
    .updateTable('executive_report')
    .set({ ...ending, updated_at: at, finished_at: at, expires_at: expiresAt })
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'running')
    .returning(columns)
    .executeTakeFirst();
}

export async function deleteReport(tx: Tx, scope: TenantScope, id: string): Promise<ReportRow | undefined> {
  return await tx
    .deleteFrom('executive_report')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirst();
}

/** Takes away the failed ones of a month, which have no files. */
export async function deleteFailed(
  tx: Tx,
  scope: TenantScope,
  { kind, month }: Pick<ReportRow, 'kind' | 'month'>,
): Promise<void> {
  await tx
    .deleteFrom('executive_report')
    .where('tenant_id', '=', scope.tenantId)
    .where('kind', '=', kind)
    .where('month', '=', month)
    .where('status', '=', 'error')
    .execute();
}

/** Takes away all others of its month that ended; answers the files that go with them. */
export async function deleteReplaced(
  tx: Tx,
  scope: TenantScope,
  { id, kind, month }: Pick<ReportRow, 'id' | 'kind' | 'month'>,
): Promise<string[]> {
  const rows = await tx
    .deleteFrom('executive_report')
    .where('tenant_id', '=', scope.tenantId)
    .where('kind', '=', kind)
    .where('month', '=', month)
    .where('id', '<>', id)
    .where('finished_at', 'is not', null)
    .returning('file_id')
    .execute();
  return rows.flatMap(({ file_id }) => file_id ?? []);
}

/** In a system transaction: reports whose time is over; answers the files that go with them. */
export async function deleteExpired(tx: Tx, now: Date): Promise<string[]> {
  const rows = await tx.deleteFrom('executive_report').where('expires_at', '<=', now).returning('file_id').execute();
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
    .updateTable('executive_report')
    .set({ status: 'error', failure, updated_at: at, finished_at: at, expires_at: expiresAt })
    .where('finished_at', 'is', null)
    .where('updated_at', '<', before)
    .where(
      sql<boolean>`not exists (select from engine.job j where j.tenant_id = executive_report.tenant_id and j.kind = ${jobKind}
        and j.dedup_key = executive_report.id::text and j.state <> 'dead')`,
    )
    .returning(columns)
    .execute();
}

/** In a system transaction: which of the ids are files of any tenant. */
export async function knownFiles(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('executive_report')
    .select('file_id')
    .where('file_id', 'in', [...ids])
    .execute();
  return new Set(rows.flatMap(({ file_id }) => file_id ?? []));
}
