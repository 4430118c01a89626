/**
 * Makes the file of a report.
 *
 * pending → running → success | error | cancelled. Every beginning raises the report's `attempt`, and only the newest may
 * write: a worker that lost its job without knowing finds out with its next page and stops. A file gets a new id with every
 * beginning and belongs to nobody until the row names it, in the same statement that says `success`; so there is one file
 * or none. After a crash the job comes back and begins from nothing; what the crash left is swept away. Cancelling and
 * deleting only write the row: whoever makes the file sees it with the next page.
 */
import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import { JobPostponed } from '@airdeck/engine/errors';
import type { JobContext, JobHandler, LostJob } from '@airdeck/engine/interfaces';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import { EventsError, type EventsStore } from '../../storage/events-store.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { Files } from '../files/files-port.ts';
import { removeLeftover } from '../files/remove-leftover.ts';
import { countEvents, eventPages } from './event-pages.ts';
import { expiryOf } from './report-expiry.ts';
import { type FileState, reportFile } from './report-file.ts';
import { noRoom, perTenant } from './report-room.ts';
import type { ConditionOf, EventCondition, SearchPlan } from './reports-port.ts';
import { beginReport, endReport, noteProgress, type ReportRow, reportsUsed } from './reports-repository.ts';

export const EXPORT_JOB = 'search-reports.export';
/** What a worker does at most at the same time; an export keeps the event store busy for minutes. */
const AT_ONCE = 2;
/** Whoever waited here would hold a slot of the worker, where steps are done; spread, so that not all come back at once. */
const BACK_AFTER_MS = { least: 3_000, most: 9_000 };
const TIMEOUT_MS = 2 * 3_600_000;
/** Attempts the engine gives a job. */
const ATTEMPTS = 5;
const PROGRESS_EVERY_MS = 1_000;
/**
 * More than the days of the plan: whole days have an hour more where clocks are set back, and a search of all the plan
 * reaches is ordered as a report some minutes later.
 */
const REACH_MORE_MS = 3_600_000;

const payloadSchema = z.object({ report_id: z.string() });

export type ExportDependencies = {
  db: Pick<Database, 'tenant' | 'system'>;
  events: Pick<EventsStore, 'query'>;
  files: Pick<Files, 'put' | 'remove'>;
  conditionOf: ConditionOf;
  planOf: SearchPlan;
  /** In the system transaction in which a report ends. */
  onEnd: (tx: Tx, scope: TenantScope, row: ReportRow) => Promise<void>;
  ids: () => string;
  now: () => Date;
  /** From 0 up to 1. */
  random: () => number;
  log: { warn(fields: object, message: string): void };
};

/** Somebody cancelled or deleted the report, or another worker has begun it anew. */
class NotWanted extends Error {}

export function createExportJob(deps: ExportDependencies): JobHandler {
  const { least, most } = BACK_AFTER_MS;
  let running = 0;
  return {
    timeoutMs: TIMEOUT_MS,
    async run(job) {
      if (running >= AT_ONCE) throw new JobPostponed(least + deps.random() * (most - least));
      running++;
      try {
        await make(deps, job);
      } finally {
        running--;
      }
    },
    onLost: (job) => giveUp(deps, job),
  };
}

/** A beginning of its own, so that a worker that comes back after all writes nothing any more. */
async function giveUp(deps: ExportDependencies, job: LostJob): Promise<void> {
  const scope = trustedTenantScope(job.tenantId);
  const { report_id: id } = payloadSchema.parse(job.payload);
  const row = await deps.db.tenant(scope.tenantId, (tx) => beginReport(tx, scope, id, deps.now()));
  if (row !== undefined) await fail(deps, scope, row, outcomeTexts.SEARCH_REPORT_LOST);
}

async function fail(deps: ExportDependencies, scope: TenantScope, row: ReportRow, failure: string): Promise<void> {
  await end(deps, scope, row, { status: 'error', failure, fileId: null, state: { rows: 0, bytes: 0, cutBy: null } });
}

async function make(deps: ExportDependencies, job: JobContext): Promise<void> {
  const { db, now } = deps;
  const scope = trustedTenantScope(job.tenantId);
  const { report_id: id } = payloadSchema.parse(job.payload);
  job.signal.throwIfAborted();
  const row = await db.tenant(scope.tenantId, (tx) => beginReport(tx, scope, id, now()));
  if (row === undefined) return;
  try {
    await write(deps, scope, { row, signal: job.signal });
  } catch (error) {
    if (error instanceof NotWanted) return;
    // The worker is stopping or has lost the job: the next one begins anew.
    if (job.signal.aborted) throw error;
    const failure = failureOf(error) ?? (job.attempt >= ATTEMPTS ? outcomeTexts.SEARCH_REPORT_UNWRITTEN : undefined);
    if (failure === undefined) throw error;
    deps.log.warn({ err: error, report: id }, 'search report failed');
    await fail(deps, scope, row, failure);
  }
}

async function write(
  deps: ExportDependencies,
  scope: TenantScope,
  { row, signal }: { row: ReportRow; signal: AbortSignal },
): Promise<void> {
  const condition = await conditionOfReport(deps, scope, row);
  const wanted = { tenant: scope.tenantId, condition, signal };
  const expected = (await countEvents(deps, wanted)) ?? null;
  const state: FileState = { rows: 0, bytes: 0, cutBy: null };
  const fileId = deps.ids();
  const progress = progressOf(deps, scope, { row, state, expected });
  await progress();
  const content = reportFile({ format: row.format, pages: eventPages(deps, wanted), state, progress });
  await deps.files.put(fileId, content);
  state.cutBy ??= condition.cutByPlan ? 'plan' : null;
  const ended = await end(deps, scope, row, { status: 'success', failure: null, fileId, state });
  if (!ended) await removeLeftover(deps, fileId);
}

async function conditionOfReport(
  { db, planOf, conditionOf }: ExportDependencies,
  scope: TenantScope,
  row: ReportRow,
): Promise<EventCondition> {
  const { plan, used } = await db.tenant(scope.tenantId, async (tx) => ({
    plan: await planOf(tx, scope),
    used: await reportsUsed(tx, scope),
  }));
  if (!plan.enabled) throw new AppError('PLAN_NOT_ENABLED');
  // Those ordered before it may have filled it since.
  if (used.bytes >= perTenant.bytes) throw noRoom();
  const range = { start: row.range_start.toISOString(), end: row.range_end.toISOString() };
  // A relative time in the query counts from when the report was asked for, however late it is made.
  return conditionOf(
    { ...row.search, time_range: range },
    {
      now: row.slot_at ?? row.created_at,
      searchLengthDays: plan.searchLengthDays,
      // A slot covers whole days before it, and those are as far back as the plan says, whatever its time of day.
      reachFrom: new Date((row.slot_at === null ? row.created_at : row.range_end).getTime() - REACH_MORE_MS),
    },
  );
}

/** Says how far it is about once a second, and throws NotWanted when nobody waits for it any more. */
function progressOf(
  { db, now }: ExportDependencies,
  scope: TenantScope,
  { row, state, expected }: { row: ReportRow; state: FileState; expected: number | null },
): () => Promise<void> {
  let notedAt: number | undefined;
  return async () => {
    const at = now();
    if (notedAt !== undefined && at.getTime() - notedAt < PROGRESS_EVERY_MS) return;
    notedAt = at.getTime();
    const counts = { row_count: state.rows, size_bytes: state.bytes, rows_expected: expected, at };
    const wanted = await db.tenant(scope.tenantId, (tx) => noteProgress(tx, scope, row, counts));
    if (!wanted) throw new NotWanted();
  };
}

/** False when the attempt was not wanted any more. */
async function end(
  deps: ExportDependencies,
  scope: TenantScope,
  row: ReportRow,
  done: { status: 'success' | 'error'; failure: string | null; fileId: string | null; state: FileState },
): Promise<boolean> {
  const at = deps.now();
  const { rows, bytes, cutBy } = done.state;
  return await deps.db.system(async (tx) => {
    const ended = await endReport(tx, scope, row, {
      ...{ status: done.status, failure: done.failure, file_id: done.fileId },
      ...{ row_count: rows, size_bytes: bytes, cut_by: cutBy, at, expiresAt: expiryOf(at) },
    });
    if (ended !== undefined) await deps.onEnd(tx, scope, ended);
    return ended !== undefined;
  });
}

/** A sentence for what trying again cannot mend; undefined for what it may. */
function failureOf(error: unknown): string | undefined {
  if (error instanceof AppError && error.status < 500) return error.message;
  if (!(error instanceof EventsError) || error.code === 'EVENTS_UNAVAILABLE') return undefined;
  return error.code === 'EVENTS_QUERY_TOO_EXPENSIVE'
    ? outcomeTexts.SEARCH_REPORT_TOO_COSTLY
    : outcomeTexts.SEARCH_REPORT_UNREADABLE;
}
