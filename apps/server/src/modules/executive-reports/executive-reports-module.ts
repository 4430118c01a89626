import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import type { JobHandler } from '@airdeck/engine/interfaces';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { pdf, sendFile } from '../../http/send-file.ts';
import type { Database } from '../../storage/database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { sendCsv } from '../activity-report/send-csv.ts';
import { auditActor } from '../audit/audit-actor.ts';
import { createCallLimit } from '../connectors/call-limit.ts';
import { createFileLinks } from '../files/file-links.ts';
import type { Files } from '../files/files-port.ts';
import { createOrphanSweep, type OrphanSweep } from '../files/orphan-sweep.ts';
import { removeLeftover } from '../files/remove-leftover.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import { deleteExpired, endForgotten, knownFiles } from './executive-reports-repository.ts';
import {
  createExecutiveReportsService,
  MAKE_JOB,
  noReport,
  type ReportsDependencies,
} from './executive-reports-service.ts';
import { createFactsReader, type FactsDependencies } from './gather-facts.ts';
import { createLayOut, createMakeJob, type MakeDependencies } from './make-job.ts';
import { createMonthlyReports } from './monthly-reports.ts';
import { DASHBOARD_LINK_LIVES_MS, expiryOf } from './report-expiry.ts';
import { createReportMail } from './report-mail.ts';
import { reportTables } from './report-tables.ts';
import { createSettingsService } from './settings-service.ts';

export const MONTHLY_REPORTS_JOB = { kind: 'executive-reports.monthly', expression: '37 */10 * * * *' } as const;

/** By tenant and process: each is a second or two of computing. */
const REPORTS_PER_MINUTE = 20;
/** Longer than all attempts of a job together. */
const FORGOTTEN_AFTER_MS = 6 * 3_600_000;

type RouteIds =
  | 'executive-reports.list'
  | 'executive-reports.create'
  | 'executive-reports.settings'
  | 'executive-reports.set-settings'
  | 'executive-reports.recipients'
  | 'executive-reports.link'
  | 'executive-reports.csv'
  | 'executive-reports.delete'
  | 'executive-reports.download';

type Dependencies = Omit<ReportsDependencies, 'settings'> &
  FactsDependencies &
  Omit<Parameters<typeof createReportMail>[0], 'links' | 'settings'> & {
    db: Pick<Database, 'tenant' | 'read' | 'system'>;
    /** Of these reports alone: what no report knows is swept away. */
    files: Files;
    /** The installation's secret; links get a key of their own from it. */
    secret: string;
    log: MakeDependencies['log'];
    keyedAnswers: Pick<KeyedAnswers, 'once'>;
  };

type Parts = Dependencies & {
  links: ReturnType<typeof createFileLinks>;
  ownSettings: ReturnType<typeof createSettingsService>;
  reports: ReturnType<typeof createExecutiveReportsService>;
};

export type ExecutiveReportsModule = {
  handlers: Handlers<RouteIds>;
  jobHandlers: Readonly<Record<string, JobHandler>>;
  /** Orders the reports of the month: `MONTHLY_REPORTS_JOB`. */
  monthlyJob: JobHandler;
  /** Takes away what is over: reports with their files, and files no report knows. */
  purge(signal?: AbortSignal): Promise<void>;
};

export function createExecutiveReportsModule(deps: Dependencies): ExecutiveReportsModule {
  const ownSettings = createSettingsService(deps);
  const reports = createExecutiveReportsService({ ...deps, settings: ownSettings });
  const links = createFileLinks(deps);
  const parts = { ...deps, links, ownSettings, reports };
  const onEnd = createReportMail({ ...deps, links, settings: ownSettings });
  const monthly = createMonthlyReports({ ...deps, reports, settings: ownSettings });
  const known = (ids: readonly string[]) => deps.db.system((tx) => knownFiles(tx, ids));
  const sweepOrphans = createOrphanSweep({ ...deps, known });
  return {
    handlers: { ...reportHandlers(parts), ...fileHandlers(parts), ...settingHandlers(parts) },
    jobHandlers: {
      [MAKE_JOB]: createMakeJob({
        ...deps,
        gather: createFactsReader(deps),
        layOut: createLayOut(),
        onEnd,
      }),
    },
    monthlyJob: { timeoutMs: 10 * 60_000, run: monthly },
    purge: (signal) => purge({ ...deps, onEnd, sweepOrphans }, signal),
  };
}

function reportHandlers({ db, files, reports, keyedAnswers, now, log }: Parts) {
  const mayMake = createCallLimit({ now, perMinute: REPORTS_PER_MINUTE });
  return {
    'executive-reports.list': ({ query: { limit, before } }, { scope }) =>
      db.read(scope.tenantId, async (tx) => ({ files: await reports.list(tx, scope, { limit, before }) })),
    'executive-reports.create': async ({ body }, context) => {
      const { scope } = context;
      const request = { route: 'executive-reports.create', tenant: scope.tenantId, context, asked: body } as const;
      return await db.system((tx) =>
        keyedAnswers.once(tx, request, async () => {
          if (!mayMake(scope.tenantId)) throw new AppError('RATE_LIMITED', { retryAfterS: 60 });
          return await reports.create(tx, scope, body, byOf(context));
        }),
      );
    },
    'executive-reports.delete': async ({ params }, context) => {
      const { scope } = context;
      const fileId = await db.tenant(scope.tenantId, (tx) => reports.remove(tx, scope, params.id, byOf(context)));
      if (fileId !== null) await removeLeftover({ files, log }, fileId);
      return undefined;
    },
    'executive-reports.csv': async ({ params, query: { table } }, { scope, raw }) => {
      const facts = await db.read(scope.tenantId, (tx) => reports.facts(tx, scope, params.id));
      await sendCsv(raw.reply, `${facts.month}-${table.replaceAll('_', '-')}`, reportTables[table](facts));
      return undefined;
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

function fileHandlers({ db, files, reports, links, now, log }: Parts) {
  return {
    'executive-reports.link': async ({ params }, context) => {
      const { scope } = context;
      const row = await db.tenant(scope.tenantId, (tx) => reports.takeFile(tx, scope, params.id, byOf(context)));
      const expiresAt = new Date(now().getTime() + DASHBOARD_LINK_LIVES_MS);
      const link = links.sign({ tenant: scope.tenantId, id: row.id }, DASHBOARD_LINK_LIVES_MS);
      return { download_link: `/files/executive_reports/${link}`, expires_at: expiresAt.toISOString() };
    },
    'executive-reports.download': async ({ params }, { raw, signal }) => {
      const linked = links.verify(params.link);
      if (linked === undefined) throw noReport();
      const scope = trustedTenantScope(linked.tenant);
      const row = await db.read(scope.tenantId, (tx) => reports.withFile(tx, scope, linked.id));
      const content = await files.open(row.file_id);
      if (content === undefined) {
        log.warn({ report: row.id }, 'the file of an executive report is missing from the store');
        throw noReport();
      }
      const { name, size_bytes: sizeBytes } = row;
      await sendFile(raw.reply, { ...pdf, name, plainName: 'report', sizeBytes, content, signal });
      return undefined;
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

/** In system transactions: members of a tenant may be at home in another. */
function settingHandlers({ db, ownSettings }: Parts) {
  return {
    'executive-reports.settings': (_request, { scope }) => db.system((tx) => ownSettings.get(tx, scope)),
    'executive-reports.set-settings': ({ body }, context) =>
      db.system((tx) => ownSettings.set(tx, context.scope, body, byOf(context))),
    'executive-reports.recipients': (_request, { scope }) => db.system((tx) => ownSettings.recipients(tx, scope)),
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
  }: Dependencies & Pick<MakeDependencies, 'onEnd'> & { sweepOrphans: OrphanSweep },
  signal: AbortSignal | undefined,
): Promise<void> {
  const at = now();
  const removed = await db.system(async (tx) => {
    const forgotten = await endForgotten(tx, {
      jobKind: MAKE_JOB,
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
  if (orphans > 0) log.warn({ orphans }, 'files that belonged to no executive report were removed');
}

function byOf({ caller, requestId }: TenantContext) {
  return { actor: auditActor(caller), requestId, username: caller.username, userId: caller.userId };
}
