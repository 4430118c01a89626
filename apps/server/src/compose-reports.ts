import type { Logger } from 'pino';
import type { ClockedJob } from './clocked-job.ts';
import type { ActionCatalogue } from './modules/actions/action-catalogue.ts';
import type { Enqueue } from './modules/activity/enqueue-port.ts';
import { createActivityReportModule } from './modules/activity-report/activity-report-module.ts';
import type { AuditLog } from './modules/audit/audit-log.ts';
import {
  createExecutiveReportsModule,
  MONTHLY_REPORTS_JOB,
} from './modules/executive-reports/executive-reports-module.ts';
import type { Files } from './modules/files/files-port.ts';
import type { KeyedAnswers } from './modules/keyed-answers/keyed-answers.ts';
import { createLogReportModule } from './modules/log-report/log-report-module.ts';
import type { Mail } from './modules/mail/mail-port.ts';
import type { QuestionNotices } from './modules/notifications/notifications-port.ts';
import { createReportsModule, DUE_REPORTS_JOB } from './modules/reports/reports-module.ts';
import { selectEvents } from './modules/search/event-selection.ts';
import { clippedRange } from './modules/search/search-range.ts';
import type { TenantSettingsPort } from './modules/settings/settings-port.ts';
import type { Changes } from './modules/stream/changes.ts';
import type { TenantsService } from './modules/tenants/tenants-port.ts';
import type { Database } from './storage/database.ts';
import type { EventsStore } from './storage/events-store.ts';

type Dependencies = {
  db: Database;
  events: EventsStore;
  log: Logger;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  /** From 0 up to 1. */
  random: () => number;
  audit: AuditLog;
  changes: Changes;
  notices: QuestionNotices;
  settings: TenantSettingsPort;
  keyedAnswers: KeyedAnswers;
  tenants: TenantsService;
  enqueue: Enqueue;
  /** Where files of search reports are kept, and nothing else. */
  reportFiles: Files;
  /** The same for executive reports. */
  executiveReportFiles: Files;
  mail: Mail;
  productName: string;
  /** Where the dashboard is, without a slash at the end. */
  ownAddress: () => string;
  /** The installation's secret, which keys are made from. */
  secret: string;
  /** What a report calls an action. */
  actionLabel: ActionCatalogue['label'];
  runsKeptDays: number;
};

/** What is handed on: files of searches, the reports of events and of automation, and the executive one of both. */
export function composeReports(deps: Dependencies) {
  const { db, events, now, tenants } = deps;
  const searches = createReportsModule({
    ...deps,
    files: deps.reportFiles,
    tenantName: tenants.tenantName,
    planOf: async (tx, scope) => {
      const { is_search_enabled: enabled, search_length_days: searchLengthDays } = (await tenants.get(tx, scope))
        .sku_info;
      return { enabled, searchLengthDays };
    },
    conditionOf: ({ time_range: asked, ...criteria }, { now: at, searchLengthDays, reachFrom = at, at: place }) => {
      const { condition, params } = selectEvents(criteria, {
        now: at.getTime(),
        ...(place === undefined ? {} : { at: place }),
      });
      const { from, until, clipped } = clippedRange(asked, { now: reachFrom.getTime(), searchLengthDays });
      return { sql: condition, params, range: { start: new Date(from), end: new Date(until) }, cutByPlan: clipped };
    },
  });
  const activity = createActivityReportModule({
    ...{ db, now, actionLabel: deps.actionLabel, keptDays: deps.runsKeptDays },
  });
  const log = createLogReportModule({ db, now, events });
  const executive = createExecutiveReportsModule({
    ...deps,
    files: deps.executiveReportFiles,
    activity: activity.read,
    volume: log.volume,
  });
  const byTheClock: readonly ClockedJob[] = [
    { ...DUE_REPORTS_JOB, handler: searches.dueJob },
    { ...MONTHLY_REPORTS_JOB, handler: executive.monthlyJob },
  ];
  return {
    handlers: { ...searches.handlers, ...activity.handlers, ...log.handlers, ...executive.handlers },
    byTheClock,
    jobHandlers: { ...searches.jobHandlers, ...executive.jobHandlers },
    purges: { searchReports: searches.purge, executiveReports: executive.purge },
    /** How much of its plan each tenant uses. */
    eventUsage: log.usage,
  };
}
