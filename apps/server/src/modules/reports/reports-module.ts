import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import type { ReportFormat } from '@airdeck/contracts/reports/schema';
import type { JobHandler } from '@airdeck/engine/interfaces';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { type KeyedCreation, keyedCreation } from '../../http/keyed-creation.ts';
import { sendFile } from '../../http/send-file.ts';
import type { Database } from '../../storage/database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { auditActor } from '../audit/audit-actor.ts';
import { createCallLimit } from '../connectors/call-limit.ts';
import { createFileLinks, LINK_LIVES_MS } from '../files/file-links.ts';
import type { Files } from '../files/files-port.ts';
import { createOrphanSweep, type OrphanSweep } from '../files/orphan-sweep.ts';
import { removeLeftover } from '../files/remove-leftover.ts';
import { createExportJob, EXPORT_JOB, type ExportDependencies } from './export-job.ts';
import { expiryOf, isOver } from './report-expiry.ts';
import { createReportMail } from './report-mail.ts';
import { deleteExpired, endForgotten, findReport, knownReportFiles } from './reports-repository.ts';
import { createReportsService, noReport, type ReportsDependencies } from './reports-service.ts';
import { createSchedulesService, type SchedulesDependencies } from './schedules-service.ts';

export const DUE_REPORTS_JOB = { kind: 'search-reports.due', expression: '3 * * * * *' } as const;

/** By tenant and process: each costs the event store a pass over the range. */
const EXPORTS_PER_MINUTE = 20;
const fileOf: Readonly<Record<ReportFormat, { contentType: string; ending: string }>> = {
  csv: { contentType: 'text/csv; charset=utf-8', ending: 'csv' },
  ndjson: { contentType: 'application/x-ndjson', ending: 'ndjson' },
  parquet: { contentType: 'application/vnd.apache.parquet', ending: 'parquet' },
};
/** Longer than all attempts of a job together. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

type RouteIds =
  | 'search-reports.export'
  | 'search-reports.list'
  | 'search-reports.link'
  | 'search-reports.delete'
  | 'search-reports.cancel'
  | 'search-reports.run-again'
  | 'search-reports.schedules'
  | 'search-reports.recipients'
  | 'search-reports.create-schedule'
  | 'search-reports.set-schedule'
  | 'search-reports.delete-schedule'
  | 'search-reports.download';

type Dependencies = Omit<ExportDependencies, 'onEnd' | 'files'> &
  ReportsDependencies &
  Omit<SchedulesDependencies, 'reports' | 'onEnd'> &
  Parameters<typeof createReportMail>[0] & {
    db: Pick<Database, 'tenant' | 'read' | 'system'>;
    /** Of reports alone: what no report knows is swept away. */
    files: Files;
    /** The installation's secret; links get a key of their own from it. */
    secret: string;
  };

type Parts = Dependencies & {
  reports: ReturnType<typeof createReportsService>;
  schedules: ReturnType<typeof createSchedulesService>;
};

export type ReportsModule = {
  handlers: Handlers<RouteIds>;
  jobHandlers: Readonly<Record<string, JobHandler>>;
  /** Orders what schedules say: `DUE_REPORTS_JOB`. */
  dueJob: JobHandler;
  /** Takes away what is over: reports with their files, and files no report knows. */
  purge(signal?: AbortSignal): Promise<void>;
};

export function createReportsModule(deps: Dependencies): ReportsModule {
  const reports = createReportsService(deps);
  const onEnd = createReportMail(deps);
  const schedules = createSchedulesService({ ...deps, reports, onEnd });
  const parts = { ...deps, reports, schedules };
  const known = (ids: readonly string[]) => deps.db.system((tx) => knownReportFiles(tx, ids));
  const sweepOrphans = createOrphanSweep({ ...deps, known });
  return {
    handlers: { ...reportHandlers(parts), ...fileHandlers(parts), ...scheduleHandlers(parts) },
    jobHandlers: { [EXPORT_JOB]: createExportJob({ ...deps, onEnd }) },
    dueJob: { timeoutMs: 60_000, run: () => schedules.orderDue() },
    purge: (signal) => purge({ ...deps, onEnd, sweepOrphans }, signal),
  };
}

function reportHandlers({ db, files, reports, ids, now, log }: Parts) {
  const mayExport = createCallLimit({ now, perMinute: EXPORTS_PER_MINUTE });
  const orderedBy = (context: TenantContext, request: KeyedCreation) => ({
    ...byOf(context),
    request,
    requireLeft: () => {
      if (!mayExport(context.scope.tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
    },
  });
  return {
    'search-reports.export': ({ body }, context) => {
      const { scope } = context;
      const request = keyedCreation('search-report', context, { scope, body, ids });
      return db.tenant(scope.tenantId, (tx) => reports.export(tx, scope, body, orderedBy(context, request)));
    },
    'search-reports.list': ({ query: { limit, before } }, { scope }) =>
      db.read(scope.tenantId, (tx) => reports.list(tx, scope, { limit, before })),
    'search-reports.cancel': ({ params }, context) => {
      const { scope } = context;
      return db.tenant(scope.tenantId, (tx) => reports.cancel(tx, scope, params.id, byOf(context)));
    },
    'search-reports.delete': async ({ params }, context) => {
      const { scope } = context;
      const fileId = await db.tenant(scope.tenantId, (tx) => reports.remove(tx, scope, params.id, byOf(context)));
      // After the commit: a row without its file would be a promise we cannot keep.
      if (fileId !== null) await removeLeftover({ files, log }, fileId);
      return undefined;
    },
    'search-reports.run-again': ({ params }, context) => {
      const { scope } = context;
      const request = keyedCreation('search-report-again', context, { scope, body: params.id, ids });
      return db.tenant(scope.tenantId, (tx) => reports.runAgain(tx, scope, params.id, orderedBy(context, request)));
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

function fileHandlers(parts: Parts) {
  const { db, files, reports, now, log } = parts;
  const links = createFileLinks(parts);
  return {
    'search-reports.link': async ({ params }, context) => {
      const { scope } = context;
      const row = await db.tenant(scope.tenantId, (tx) => reports.takeFile(tx, scope, params.id, byOf(context)));
      const expiresAt = new Date(now().getTime() + LINK_LIVES_MS);
      const link = links.sign({ tenant: scope.tenantId, id: row.id });
      return { download_link: `/files/reports/${link}`, expires_at: expiresAt.toISOString() };
    },
    'search-reports.download': async ({ params }, { raw, signal }) => {
      const linked = links.verify(params.link);
      if (linked === undefined) throw noReport();
      const scope = trustedTenantScope(linked.tenant);
      const row = await db.read(scope.tenantId, (tx) => findReport(tx, scope, linked.id));
      if (row === undefined || row.file_id === null || isOver(row, now())) throw noReport();
      const content = await files.open(row.file_id);
      if (content === undefined) {
        log.warn({ report: row.id }, 'the file of a search report is missing from the store');
        throw noReport();
      }
      const { name, format, size_bytes: sizeBytes } = row;
      await sendFile(raw.reply, { ...fileOf[format], name, plainName: 'report', sizeBytes, content, signal });
      return undefined;
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

function scheduleHandlers({ db, schedules, ids }: Parts) {
  return {
    'search-reports.schedules': (_request, { scope }) => db.read(scope.tenantId, (tx) => schedules.list(tx, scope)),
    'search-reports.recipients': (_request, { scope }) =>
      db.read(scope.tenantId, (tx) => schedules.recipients(tx, scope)),
    'search-reports.create-schedule': ({ body }, context) => {
      const { scope } = context;
      const request = keyedCreation('search-report-schedule', context, { scope, body, ids });
      return db.tenant(scope.tenantId, (tx) => schedules.create(tx, scope, body, { ...byOf(context), request }));
    },
    'search-reports.set-schedule': ({ params, body: { updated_at: updatedAt, ...input } }, context) => {
      const { scope } = context;
      const change = { id: params.id, input, updatedAt };
      return db.tenant(scope.tenantId, (tx) => schedules.set(tx, scope, change, byOf(context)));
    },
    'search-reports.delete-schedule': async ({ params }, context) => {
      const { scope } = context;
      await db.tenant(scope.tenantId, (tx) => schedules.remove(tx, scope, params.id, byOf(context)));
      return undefined;
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

async function purge(
  {
    db,
    files,
    onEnd,
    now,
    log,
    sweepOrphans,
  }: Dependencies & Pick<ExportDependencies, 'onEnd'> & { sweepOrphans: OrphanSweep },
  signal: AbortSignal | undefined,
): Promise<void> {
  const at = now();
  const removed = await db.system(async (tx) => {
    const forgotten = await endForgotten(tx, {
      jobKind: EXPORT_JOB,
      before: new Date(at.getTime() - FORGOTTEN_AFTER_MS),
      failure: outcomeTexts.REPORT_UNFINISHED,
      at,
      expiresAt: expiryOf(at),
    });
    for (const row of forgotten) await onEnd(tx, trustedTenantScope(row.tenant_id), row);
    return await deleteExpired(tx, at);
  });
  for (const id of removed) await removeLeftover({ files, log }, id);
  const orphans = await sweepOrphans(signal);
  if (orphans > 0) log.warn({ orphans }, 'files that belonged to no search report were removed');
}

function byOf({ caller, requestId }: TenantContext) {
  return { actor: auditActor(caller), requestId, username: caller.username };
}
