import type { ActivityReport, ActivityReportTable } from '@airdeck/contracts/reports/activity-report';
import { actionStatuses, runStatuses } from '@airdeck/contracts/statuses';
import type { Handlers } from '../../http/handlers.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { activityFigures } from './activity-figures.ts';
import { type ReportRange, reportRange } from './report-range.ts';
import { type CsvTable, sendCsv } from './send-csv.ts';

const DAY_MS = 86_400_000;

type Dependencies = {
  db: Pick<Database, 'read'>;
  /** What people call an action. */
  actionLabel: (name: string, tx: Tx, scope: TenantScope) => Promise<string>;
  now: () => Date;
  /** Days after its end that a run is kept. */
  keptDays: number;
};

export type ActivityReportModule = {
  handlers: Handlers<'activity-report.get' | 'activity-report.csv'>;
  /** In a transaction of the tenant. */
  read(tx: Tx, scope: TenantScope, range: ReportRange): Promise<ActivityReport>;
};

export function createActivityReportModule({ db, actionLabel, now, keptDays }: Dependencies): ActivityReportModule {
  async function read(tx: Tx, scope: TenantScope, range: ReportRange): Promise<ActivityReport> {
    const { top_actions: top, ...figures } = await activityFigures(tx, scope, range);
    const labelled: ActivityReport['top_actions'] = [];
    for (const action of top) labelled.push({ ...action, label: await actionLabel(action.action_name, tx, scope) });
    const keptFrom = new Date(now().getTime() - keptDays * DAY_MS);
    return { ...figures, top_actions: labelled, kept_from: keptFrom.toISOString() };
  }

  return {
    read,
    handlers: {
      'activity-report.get': ({ query }, { scope }) => {
        const range = reportRange(query, now());
        return db.read(scope.tenantId, (tx) => read(tx, scope, range));
      },
      'activity-report.csv': async ({ query: { table, ...query } }, { scope, raw }) => {
        const range = reportRange(query, now());
        const report = await db.read(scope.tenantId, (tx) => read(tx, scope, range));
        await sendCsv(raw.reply, `soar-${table}`, tables[table](report));
        return undefined;
      },
    },
  };
}

const tables: Readonly<Record<ActivityReportTable, (report: ActivityReport) => CsvTable>> = {
  days: ({ by_day }) => ({
    columns: ['day', 'actions', 'playbooks', 'time_saved_minutes'],
    rows: by_day.map((row) => [row.day, row.actions, row.playbooks, row.time_saved_minutes]),
  }),
  results: ({ action_results: actions, playbook_results: playbooks }) => ({
    columns: ['of', 'status', 'count'],
    rows: [
      ...actionStatuses.map((status) => ['action', status, actions[status]]),
      ...runStatuses.map((status) => ['playbook', status, playbooks[status]]),
    ],
  }),
  actions: ({ top_actions: top }) => ({
    columns: ['action_name', 'label', 'count', 'success', 'error', 'time_saved_minutes'],
    rows: top.map((row) => [row.action_name, row.label, row.count, row.success, row.error, row.time_saved_minutes]),
  }),
  playbooks: ({ top_playbooks: top }) => ({
    columns: ['name', 'count', 'success', 'error'],
    rows: top.map((row) => [row.name, row.count, row.success, row.error]),
  }),
  time_saved: ({ time_saved_by: by }) => ({
    columns: ['effect', 'actions', 'minutes_each', 'time_saved_minutes'],
    rows: by.map((row) => [row.effect, row.actions, row.minutes_each, row.actions * row.minutes_each]),
  }),
};
