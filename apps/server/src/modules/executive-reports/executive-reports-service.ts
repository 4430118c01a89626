import type { AuditAction } from '@airdeck/contracts/audit/actions';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type {
  ExecutiveReport,
  ExecutiveReportInput,
  ExecutiveReportKind,
} from '@airdeck/contracts/reports/executive-report';
import { executiveReportLimits } from '@airdeck/contracts/reports/executive-report-limits';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Enqueue } from '../activity/enqueue-port.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy, TenantsService } from '../tenants/tenants-port.ts';
import type { ExecutiveFacts } from './executive-facts.ts';
import {
  deleteFailed,
  deleteReport,
  findFacts,
  findOfMonth,
  findReport,
  insertReport,
  listReports,
  lockMonth,
  type ReportRow,
} from './executive-reports-repository.ts';
import { createFormats } from './pdf/report-formats.ts';
import { latestMonth, monthsAgo, rangeOfMonth } from './report-month.ts';
import type { Habits } from './settings-repository.ts';
import { requireTimeZone, type SettingsService } from './settings-service.ts';

export const MAKE_JOB = 'executive-reports.make';
/** Runs of people come first. */
const PRIORITY = -10;
const NAME_MAX = 300;

export type ReportsDependencies = {
  enqueue: Enqueue;
  tenants: Pick<TenantsService, 'get'>;
  settings: Pick<SettingsService, 'habits'>;
  audit: Pick<AuditLog, 'record'>;
  ids: () => string;
  now: () => Date;
};

type Order = Habits & { kind: ExecutiveReportKind; month: string; createdBy: string; askedBy: string | null };

export type ExecutiveReportsService = ReturnType<typeof createExecutiveReportsService>;

export function createExecutiveReportsService(deps: ReportsDependencies) {
  const { audit, ids, now } = deps;
  const record = (tx: Tx, scope: TenantScope, what: { action: AuditAction; row: ReportRow }, by: ChangedBy) =>
    audit.record(tx, {
      tenant: scope.tenantId,
      actor: by.actor,
      action: what.action,
      target: { kind: 'executive_report', id: what.row.id },
      data: { name: what.row.name, month: what.row.month, kind: what.row.kind },
      outcome: 'ok',
      request_id: by.requestId,
    });

  /** Needs a transaction of the tenant or the system's. One that is there stays until the one that is ordered takes its place. */
  async function order(tx: Tx, scope: TenantScope, wanted: Order, by: ChangedBy): Promise<ReportRow> {
    const { kind, month, locale, timeZone } = wanted;
    await lockMonth(tx, scope, wanted);
    const before = await findOfMonth(tx, scope, wanted);
    // Twice is once: what is being made is handed out, and the schedule's month is made a single time.
    if (before !== undefined && (before.finished_at === null || kind === 'monthly')) {
      return before;
    }
    await deleteFailed(tx, scope, wanted);
    const at = now();
    const { start, end } = rangeOfMonth(month, timeZone);
    const tenant = await deps.tenants.get(tx, scope);
    const row = await insertReport(tx, {
      ...{ id: ids(), tenant_id: scope.tenantId, kind, month, locale, time_zone: timeZone },
      name: nameOf(tenant.brand.display_name || tenant.name, { locale, time_zone: timeZone, month }),
      ...{
        range_start: start,
        range_end: new Date(Math.min(end.getTime(), at.getTime())),
        status: 'pending',
        attempt: 0,
      },
      ...{ created_at: at, created_by: wanted.createdBy, asked_by: wanted.askedBy, updated_at: at },
      ...{ finished_at: null, failure: null, file_id: null, size_bytes: 0, pages: 0, facts: null, expires_at: null },
    });
    const job = { tenantId: scope.tenantId, kind: MAKE_JOB, payload: { report_id: row.id }, dedupKey: row.id };
    await deps.enqueue(tx, { ...job, priority: PRIORITY });
    await record(tx, scope, { action: 'executive_report.create', row }, by);
    return row;
  }

  async function get(tx: Tx, scope: TenantScope, id: string): Promise<ReportRow> {
    const row = await findReport(tx, scope, id);
    if (row === undefined) throw noReport();
    return row;
  }

  /** One whose file is there and whose time is not over. */
  async function withFile(tx: Tx, scope: TenantScope, id: string): Promise<ReportRow & { file_id: string }> {
    const { file_id: file, ...row } = await get(tx, scope, id);
    if (file === null || isOver(row, now())) throw noReport();
    return { ...row, file_id: file };
  }

  return {
    order,
    withFile,
    /** Needs a system transaction, as it looks at the Admins' language and zone. */
    async create(
      tx: Tx,
      scope: TenantScope,
      input: ExecutiveReportInput,
      by: ChangedBy & { username: string; userId: string },
    ): Promise<ExecutiveReport> {
      const habits = await deps.settings.habits(tx, scope);
      const timeZone = input.time_zone ?? habits.timeZone;
      requireTimeZone(timeZone, 'body.time_zone');
      const month = input.month ?? latestMonth(now(), timeZone);
      requireMonth(month, monthsAgo(month, now(), timeZone));
      const row = await order(
        tx,
        scope,
        {
          ...{ kind: 'on_demand', month, timeZone, locale: input.locale ?? habits.locale },
          ...{ createdBy: by.username, askedBy: by.userId },
        },
        by,
      );
      return reportOnWire(row);
    },
    async list(tx: Tx, scope: TenantScope, page: { limit: number; before: string | undefined }) {
      return (await listReports(tx, scope, page)).map(reportOnWire);
    },
    async takeFile(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<ReportRow> {
      const row = await withFile(tx, scope, id);
      await record(tx, scope, { action: 'executive_report.download', row }, by);
      return row;
    },
    async facts(tx: Tx, scope: TenantScope, id: string): Promise<ExecutiveFacts> {
      const facts = await findFacts(tx, scope, id);
      if (facts === undefined || facts === null) throw noReport();
      return facts;
    },
    /** Answers the file that goes with it. */
    async remove(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<string | null> {
      const row = await deleteReport(tx, scope, id);
      if (row === undefined) throw noReport();
      await record(tx, scope, { action: 'executive_report.delete', row }, by);
      return row.file_id;
    },
  };
}

export function reportOnWire(row: ReportRow): ExecutiveReport {
  const { id, name, kind, month, locale, status, failure, pages } = row;
  return {
    ...{ id, name, kind, month, locale, status, failure, pages },
    period_start: row.range_start.toISOString(),
    period_end: row.range_end.toISOString(),
    time_zone: row.time_zone,
    created_at: row.created_at.toISOString(),
    created_by: row.created_by,
    finished_at: row.finished_at?.toISOString() ?? null,
    size_bytes: row.size_bytes,
    expires_at: row.expires_at?.toISOString() ?? null,
  };
}

/** As lists, files and mails show it. */
function nameOf(tenant: string, of: Pick<ExecutiveFacts, 'locale' | 'time_zone' | 'month'>): string {
  const { words, monthYear } = createFormats(of);
  const rest = ` – ${monthYear}`;
  const whole = `${words.title} – ${tenant.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').trim()}`;
  return whole.slice(0, NAME_MAX - rest.length) + rest;
}

function requireMonth(month: string, ago: number): void {
  if (ago >= 0 && ago <= executiveReportLimits.monthsBack) return;
  const refused =
    ago < 0
      ? refusal('REPORT_MONTH_NOT_BEGUN', { month })
      : refusal('REPORT_MONTH_TOO_OLD', { maximum: executiveReportLimits.monthsBack, month });
  throw new AppError('VALIDATION_FAILED', { ...refused, details: [{ path: 'body.month', ...refused }] });
}

function isOver({ expires_at: expiresAt }: Pick<ReportRow, 'expires_at'>, now: Date): boolean {
  return expiresAt !== null && expiresAt <= now;
}

export function noReport(): AppError {
  return new AppError('NOT_FOUND', { message: 'This report does not exist.' });
}
