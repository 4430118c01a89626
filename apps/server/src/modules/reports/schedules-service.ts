import type { AuditAction } from '@airdeck/contracts/audit/actions';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { reportLimits } from '@airdeck/contracts/reports/report-limits';
import type { ReportSchedule, ReportScheduleInput } from '@airdeck/contracts/reports/schema';
import { isTimeZone } from '@airdeck/domain/time-zone';
import { AppError } from '../../http/app-error.ts';
import type { KeyedCreation } from '../../http/keyed-creation.ts';
import { overtaken } from '../../http/overtaken.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { scheduleOnWire } from './report-view.ts';
import type { ConditionOf, SearchPlan } from './reports-port.ts';
import { lockReports, type ReportRow } from './reports-repository.ts';
import { labelOf, type ReportsService } from './reports-service.ts';
import { coveredBy, coveredWords, latestSlot, nextSlot } from './schedule-slots.ts';
import {
  deleteSchedule,
  findSchedule,
  insertSchedule,
  lastRuns,
  listRecipients,
  listSchedules,
  type ScheduleRow,
  takeDueSchedule,
  updateSchedule,
} from './schedules-repository.ts';

/** Slots made up for in one go; the next minute goes on. */
const DUE_AT_ONCE = 200;
const NAME_MAX = 200;

export type SchedulesDependencies = {
  db: Pick<Database, 'system'>;
  reports: Pick<ReportsService, 'orderScheduled'>;
  conditionOf: ConditionOf;
  planOf: SearchPlan;
  audit: Pick<AuditLog, 'record'>;
  /** In the system transaction in which a report ends. */
  onEnd: (tx: Tx, scope: TenantScope, row: ReportRow) => Promise<void>;
  now: () => Date;
};

export type SchedulesService = ReturnType<typeof createSchedulesService>;

export function createSchedulesService(deps: SchedulesDependencies) {
  const { db, audit, now } = deps;
  const record = (tx: Tx, scope: TenantScope, action: AuditAction, row: ScheduleRow, by: ChangedBy) =>
    audit.record(tx, {
      tenant: scope.tenantId,
      actor: by.actor,
      action,
      target: { kind: 'search_report_schedule', id: row.id },
      data: { name: row.name, period: row.period, enabled: row.enabled, recipients: row.contact_ids.length },
      outcome: 'ok',
      request_id: by.requestId,
    });

  async function shown(tx: Tx, scope: TenantScope, rows: readonly ScheduleRow[]): Promise<ReportSchedule[]> {
    const known = { runs: await lastRuns(tx, scope), contacts: await listRecipients(tx, scope) };
    return rows.map((row) => scheduleOnWire(row, known));
  }

  async function one(tx: Tx, scope: TenantScope, row: ScheduleRow): Promise<ReportSchedule> {
    const [schedule] = await shown(tx, scope, [row]);
    if (schedule === undefined) throw noSchedule();
    return schedule;
  }

  /** What is stored of an input, once all of it is known to be right. */
  async function checked(tx: Tx, scope: TenantScope, input: ReportScheduleInput, at: Date) {
    const { search, time_zone, contact_ids, enabled, ...rest } = input;
    if (!isTimeZone(time_zone)) throw wrong('body.time_zone', 'A time zone such as Europe/Lisbon.');
    const unique = [...new Set(contact_ids)];
    if ((await listRecipients(tx, scope, unique)).length < unique.length) {
      throw wrong('body.contact_ids', 'One of these contacts does not exist any more.');
    }
    const { searchLengthDays } = await deps.planOf(tx, scope);
    const rule = { ...rest, time_zone };
    const { start, end } = coveredBy(rule, latestSlot(rule, at));
    const range = { start: start.toISOString(), end: end.toISOString() };
    deps.conditionOf({ ...search, time_range: range }, { now: at, searchLengthDays, at: 'body.search' });
    return {
      ...rest,
      name: labelOf(input.name),
      search: JSON.stringify(search),
      time_zone,
      contact_ids: JSON.stringify(unique),
      enabled,
      updated_at: at,
    };
  }

  return {
    list: async (tx: Tx, scope: TenantScope) => await shown(tx, scope, await listSchedules(tx, scope)),
    recipients: (tx: Tx, scope: TenantScope) => listRecipients(tx, scope),
    /** The same request again, by its key, finds what it made. Throws IDEMPOTENCY_KEY_REUSED, CONFLICT. */
    async create(
      tx: Tx,
      scope: TenantScope,
      input: ReportScheduleInput,
      by: ChangedBy & { username: string; request: KeyedCreation },
    ) {
      const at = now();
      const { id, hash } = by.request;
      await lockReports(tx, scope);
      const known = hash === null ? undefined : await findSchedule(tx, scope, id);
      if (known !== undefined && known.request_hash !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      if (known !== undefined) return await one(tx, scope, known);
      if ((await listSchedules(tx, scope)).length >= reportLimits.schedulesMax) {
        throw new AppError('CONFLICT', refusal('SCHEDULES_TOO_MANY', { maximum: reportLimits.schedulesMax }));
      }
      const row = await insertSchedule(tx, scope, {
        ...(await checked(tx, scope, input, at)),
        ...{ id, created_at: at, created_by: by.username, request_hash: hash },
        next_slot_at: input.enabled ? nextSlot(input, at) : null,
      });
      const schedule = await one(tx, scope, row);
      await record(tx, scope, 'search_report_schedule.create', row, by);
      return schedule;
    },
    async set(
      tx: Tx,
      scope: TenantScope,
      change: { id: string; input: ReportScheduleInput; updatedAt: string },
      by: ChangedBy,
    ) {
      const { id, input } = change;
      const before = await findSchedule(tx, scope, id);
      if (before === undefined) throw noSchedule();
      if (before.updated_at.getTime() !== Date.parse(change.updatedAt)) throw overtaken('body.updated_at');
      const at = now();
      const row = await updateSchedule(tx, scope, id, {
        ...(await checked(tx, scope, input, at)),
        next_slot_at: input.enabled ? slotAfterChange(before, input, at) : null,
      });
      const schedule = await one(tx, scope, row);
      await record(tx, scope, 'search_report_schedule.update', row, by);
      return schedule;
    },
    async remove(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<void> {
      const row = await deleteSchedule(tx, scope, id);
      if (row === undefined) throw noSchedule();
      await record(tx, scope, 'search_report_schedule.delete', row, by);
    },
    /**
     * Orders the reports that are due. A slot and the next one are written in one transaction under the lock of the
     * schedule, and a slot has one report: several processes, or one that crashed in between, order it once.
     */
    async orderDue(): Promise<void> {
      for (let done = 0; done < DUE_AT_ONCE; done++) {
        const isLast = await db.system(async (tx) => {
          const row = await takeDueSchedule(tx, now());
          if (row !== undefined) await orderOne(deps, tx, row);
          return row === undefined;
        });
        if (isLast) return;
      }
    },
  };
}

async function orderOne(deps: SchedulesDependencies, tx: Tx, row: ScheduleRow): Promise<void> {
  const scope = trustedTenantScope(row.tenant_id);
  const at = deps.now();
  const slot = latestSlot(row, at);
  await updateSchedule(tx, scope, row.id, { next_slot_at: nextSlot(row, at) });
  // Comes back with the plan.
  if (!(await deps.planOf(tx, scope)).enabled) return;
  const suffix = `, ${coveredWords(row, slot)}`;
  const wanted = {
    name: `${row.name.slice(0, NAME_MAX - suffix.length)}${suffix}`,
    format: row.format,
    search: row.search,
    range: coveredBy(row, slot),
    createdBy: row.created_by,
    ...{ scheduleId: row.id, slot },
  };
  const by = { actor: { kind: 'system', id: null, name: `Schedule ${row.name}` }, requestId: null } as const;
  const ordered = await deps.reports.orderScheduled(tx, scope, wanted, by);
  if (ordered?.status === 'error') await deps.onEnd(tx, scope, ordered);
}

function wrong(path: string, message: string): AppError {
  return new AppError('VALIDATION_FAILED', { details: [{ path, message }] });
}

function noSchedule(): AppError {
  return new AppError('NOT_FOUND', { message: 'This schedule does not exist.' });
}

/** A slot that is due and not ordered yet stays due, unless the change is of when reports are made. */
function slotAfterChange(before: ScheduleRow, input: ReportScheduleInput, at: Date): Date {
  const { next_slot_at: due } = before;
  const isMadeThen =
    before.period === input.period && before.at_minute === input.at_minute && before.time_zone === input.time_zone;
  return due !== null && due <= at && isMadeThen ? due : nextSlot(input, at);
}
