import type { AuditAction } from '@airdeck/contracts/audit/actions';
import type { ErrorCode } from '@airdeck/contracts/error-codes';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { ReportFormat, SearchExport, SearchReport } from '@airdeck/contracts/reports/schema';
import type { SearchCriteria } from '@airdeck/contracts/search/schema';
import { AppError } from '../../http/app-error.ts';
import type { KeyedCreation } from '../../http/keyed-creation.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { Enqueue } from '../activity/enqueue-port.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { ChangedBy } from '../tenants/tenants-port.ts';
import { EXPORT_JOB } from './export-job.ts';
import { expiryOf, isOver } from './report-expiry.ts';
import { hasRoom, noRoom, perTenant } from './report-room.ts';
import { reportOnWire } from './report-view.ts';
import type { ConditionOf, SearchPlan } from './reports-port.ts';
import {
  cancelReport,
  deleteRefused,
  deleteReport,
  findOrdered,
  findReport,
  insertReport,
  listReports,
  lockReports,
  type ReportRow,
  type ReportsUsed,
  reportsUsed,
} from './reports-repository.ts';

/** Runs of people come first. */
const PRIORITY = -10;

export type ReportsDependencies = {
  conditionOf: ConditionOf;
  planOf: SearchPlan;
  enqueue: Enqueue;
  audit: Pick<AuditLog, 'record'>;
  ids: () => string;
  now: () => Date;
};

export type ReportOrder = {
  name: string;
  format: ReportFormat;
  search: SearchCriteria;
  range: { start: Date; end: Date };
  createdBy: string;
  scheduleId: string | null;
  /** What relative times and the reach of the plan count from; null for when it is ordered. */
  slot: Date | null;
  /** Given where people order: the same request again finds what it ordered. */
  request?: KeyedCreation;
};

type Orderer = ChangedBy & {
  username: string;
  request: KeyedCreation;
  /** Counts an order, throws RATE_LIMITED beyond the limit; not asked for a request that came before. */
  requireLeft: () => void;
};

export type ReportsService = ReturnType<typeof createReportsService>;

export function createReportsService(deps: ReportsDependencies) {
  const { audit, ids, now } = deps;
  type Happening = { action: AuditAction; row: ReportRow; refusedFor?: ErrorCode };
  const record = (tx: Tx, scope: TenantScope, what: Happening, by: ChangedBy) =>
    audit.record(tx, {
      tenant: scope.tenantId,
      actor: by.actor,
      action: what.action,
      target: { kind: 'search_report', id: what.row.id },
      data: { name: what.row.name, format: what.row.format },
      ...(what.refusedFor === undefined ? { outcome: 'ok' } : { outcome: 'refused', code: what.refusedFor }),
      request_id: by.requestId,
    });

  /** Undefined when the slot of its schedule has a report already; with a failure it has ended at once. */
  async function insert(tx: Tx, scope: TenantScope, wanted: ReportOrder, failure: string | null) {
    const at = now();
    return await insertReport(tx, {
      ...{ id: ids(), tenant_id: scope.tenantId, name: wanted.name, format: wanted.format },
      search: JSON.stringify(wanted.search),
      ...{ range_start: wanted.range.start, range_end: wanted.range.end },
      ...{ created_at: at, created_by: wanted.createdBy, updated_at: at },
      ...{ schedule_id: wanted.scheduleId, slot_at: wanted.slot },
      ...requestColumns(wanted.request),
      ...{ attempt: 0, row_count: 0, size_bytes: 0, rows_expected: null, cut_by: null, failure },
      ...(failure === null
        ? { status: 'pending', finished_at: null, expires_at: null }
        : { status: 'error', finished_at: at, expires_at: expiryOf(at) }),
      file_id: null,
    });
  }

  async function enqueue(tx: Tx, scope: TenantScope, row: ReportRow, by: ChangedBy): Promise<void> {
    await deps.enqueue(tx, {
      tenantId: scope.tenantId,
      kind: EXPORT_JOB,
      payload: { report_id: row.id },
      dedupKey: row.id,
      priority: PRIORITY,
    });
    await record(tx, scope, { action: 'search_report.create', row }, by);
  }

  /**
   * Nobody waits for the answer of a schedule, so where there is no room its report is there at once and says so.
   * Undefined when the slot has a report already.
   */
  async function orderScheduled(
    tx: Tx,
    scope: TenantScope,
    wanted: ReportOrder,
    by: ChangedBy,
  ): Promise<ReportRow | undefined> {
    await lockReports(tx, scope);
    const refused = hasRoom(await reportsUsed(tx, scope)) ? undefined : noRoom();
    const row = await insert(tx, scope, wanted, refused?.message ?? null);
    if (row === undefined) return undefined;
    if (refused === undefined) {
      await enqueue(tx, scope, row, by);
    } else {
      await deleteRefused(tx, scope, perTenant.refused);
      await record(tx, scope, { action: 'search_report.create', row, refusedFor: refused.code }, by);
    }
    return row;
  }

  /** Of a request that came before: what it ordered. Throws IDEMPOTENCY_KEY_REUSED when it ordered something else. */
  async function orderedBefore(tx: Tx, scope: TenantScope, { id, hash }: KeyedCreation) {
    if (hash === null) return undefined;
    // The same request may be under way beside this one.
    await lockReports(tx, scope);
    const known = await findOrdered(tx, scope, id);
    if (known !== undefined && known.request_hash !== hash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    return known === undefined ? undefined : reportOnWire(known);
  }

  /** Throws CONFLICT when the tenant has too much. */
  async function order(tx: Tx, scope: TenantScope, wanted: ReportOrder, by: ChangedBy): Promise<SearchReport> {
    await lockReports(tx, scope);
    requireRoom(await reportsUsed(tx, scope));
    const row = await insert(tx, scope, wanted, null);
    if (row === undefined) throw new AppError('CONFLICT');
    await enqueue(tx, scope, row, by);
    return reportOnWire(row);
  }

  async function get(tx: Tx, scope: TenantScope, id: string): Promise<ReportRow> {
    const row = await findReport(tx, scope, id);
    if (row === undefined) throw noReport();
    return row;
  }

  return {
    orderScheduled,
    async export(tx: Tx, scope: TenantScope, body: SearchExport, by: Orderer) {
      const before = await orderedBefore(tx, scope, by.request);
      if (before !== undefined) return before;
      by.requireLeft();
      const { name, format, time_range: range, ...search } = body;
      const { searchLengthDays } = await deps.planOf(tx, scope);
      // What cannot be written for the store is refused now, not by a job nobody looks at.
      deps.conditionOf({ ...search, time_range: range }, { now: now(), searchLengthDays });
      const wanted: ReportOrder = {
        name: labelOf(name),
        format,
        search,
        range: { start: new Date(range.start), end: new Date(range.end) },
        createdBy: by.username,
        ...{ scheduleId: null, slot: null },
        request: by.request,
      };
      return await order(tx, scope, wanted, by);
    },
    async list(tx: Tx, scope: TenantScope, page: { limit: number; before: string | undefined }) {
      return (await listReports(tx, scope, page)).map(reportOnWire);
    },
    /** The report when its file is there; who may read events takes them away with it, so it is on record. */
    async takeFile(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<ReportRow> {
      const row = await get(tx, scope, id);
      if (row.file_id === null || isOver(row, now())) throw noReport();
      await record(tx, scope, { action: 'search_report.download', row }, by);
      return row;
    },
    async cancel(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<SearchReport> {
      const at = now();
      const row = await cancelReport(tx, scope, id, { at, expiresAt: expiryOf(at) });
      if (row === undefined) {
        await get(tx, scope, id);
        throw new AppError('CONFLICT', { message: 'This report has already ended.' });
      }
      await record(tx, scope, { action: 'search_report.cancel', row }, by);
      return reportOnWire(row);
    },
    /** Answers the file that goes with it. */
    async remove(tx: Tx, scope: TenantScope, id: string, by: ChangedBy): Promise<string | null> {
      const row = await deleteReport(tx, scope, id);
      if (row === undefined) throw noReport();
      await record(tx, scope, { action: 'search_report.delete', row }, by);
      return row.file_id;
    },
    async runAgain(tx: Tx, scope: TenantScope, id: string, by: Orderer) {
      const before = await orderedBefore(tx, scope, by.request);
      if (before !== undefined) return before;
      by.requireLeft();
      const row = await get(tx, scope, id);
      const { name, format, search, range_start: start, range_end: end, slot_at: slot } = row;
      // The slot goes with it, or the same name would stand over other events.
      const from = { createdBy: by.username, scheduleId: null, slot, request: by.request };
      return await order(tx, scope, { name, format, search, range: { start, end }, ...from }, by);
    },
  };
}

/** Only a request with a key is kept: the id of another would mean nothing. */
function requestColumns(request: KeyedCreation | undefined) {
  const hash = request?.hash ?? null;
  return { request_id: hash === null ? null : (request?.id ?? null), request_hash: hash };
}

/** One line that lists, file names and mails can show. */
export function labelOf(name: string): string {
  const label = name.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim();
  if (label !== '') return label;
  throw new AppError('VALIDATION_FAILED', { details: [{ path: 'body.name', message: 'Enter a name.' }] });
}

function requireRoom(used: ReportsUsed): void {
  if (used.unfinished >= perTenant.unfinished) {
    throw new AppError('CONFLICT', refusal('REPORTS_UNFINISHED', { count: perTenant.unfinished }));
  }
  if (!hasRoom(used)) throw noRoom();
}

export function noReport(): AppError {
  return new AppError('NOT_FOUND', { message: 'This report does not exist.' });
}
