import { type Insertable, type Selectable, sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ReportRow } from './reports-repository.ts';
import type { SearchReportScheduleTable } from './reports-tables.ts';

export type ScheduleRow = Selectable<SearchReportScheduleTable>;
type ScheduleFields = Omit<Insertable<SearchReportScheduleTable>, 'id' | 'tenant_id' | 'created_at' | 'created_by'>;

export async function listSchedules(tx: Tx, scope: TenantScope): Promise<ScheduleRow[]> {
  return await tx
    .selectFrom('search_report_schedule')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
}

export async function findSchedule(tx: Tx, scope: TenantScope, id: string): Promise<ScheduleRow | undefined> {
  return await tx
    .selectFrom('search_report_schedule')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

export async function insertSchedule(
  tx: Tx,
  scope: TenantScope,
  row: ScheduleFields & { id: string; created_at: Date; created_by: string },
): Promise<ScheduleRow> {
  return await tx
    .insertInto('search_report_schedule')
    .values({ ...row, tenant_id: scope.tenantId })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateSchedule(
  tx: Tx,
  scope: TenantScope,
  id: string,
  set: Partial<ScheduleFields>,
): Promise<ScheduleRow> {
  return await tx
    .updateTable('search_report_schedule')
    .set(set)
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function deleteSchedule(tx: Tx, scope: TenantScope, id: string): Promise<ScheduleRow | undefined> {
  return await tx
    .deleteFrom('search_report_schedule')
    .where('tenant_id', '=', scope.tenantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/** In a system transaction: one that is due and that nobody else is working on, held until the end. */
export async function takeDueSchedule(tx: Tx, now: Date): Promise<ScheduleRow | undefined> {
  return await tx
    .selectFrom('search_report_schedule')
    .selectAll()
    .where('next_slot_at', '<=', now)
    .orderBy('next_slot_at')
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

export type LastRun = Pick<ReportRow, 'id' | 'created_at' | 'status'>;

/** The newest report of each schedule that has one. */
export async function lastRuns(tx: Tx, scope: TenantScope): Promise<Map<string, LastRun>> {
  const rows = await tx
    .selectFrom('search_report')
    .distinctOn('schedule_id')
    .select(['schedule_id', 'id', 'created_at', 'status'])
    .where('tenant_id', '=', scope.tenantId)
    .where('schedule_id', 'is not', null)
    .orderBy('schedule_id')
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ schedule_id, ...run }) => [schedule_id ?? '', run]));
}

export type Recipient = { id: string; name: string; email: string };

/** Contacts of the tenant by name; those of `ids` when given. */
export async function listRecipients(tx: Tx, scope: TenantScope, ids?: readonly string[]): Promise<Recipient[]> {
  if (ids?.length === 0) return [];
  return await tx
    .selectFrom('contact')
    .select(['id', 'name', 'email'])
    .where('tenant_id', '=', scope.tenantId)
    .$if(ids !== undefined, (query) => query.where('id', 'in', [...(ids ?? [])]))
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
}
