import type { Dashboard, TriggeredAlert } from '@airdeck/contracts/dashboards/schema';
import { type CaseSeverity, priorityBySeverity } from '@airdeck/contracts/statuses';
import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type CaseMeans, meansByType, meansOfCases } from './case-means.ts';

export type CaseFigures = Pick<
  Dashboard,
  'triggered_alerts' | 'alert_counts' | 'alert_history' | 'mttr_by_type' | 'mttd_by_type'
>;

type Counts = Dashboard['alert_counts'];

type Row = {
  means: CaseMeans;
  cells: { bucket: number; severity: CaseSeverity; count: number }[];
  newest: { id: string; name: string; severity: CaseSeverity; time_opened: string; log_sources: string[] }[];
};

/** All in `case_by_time_opened_figures`: with one more, every case of the time is read and written down whole, a kilobyte each. */
const figureColumns = sql`severity, alert_type, opened_at, time_opened, time_acknowledged, time_closed, closed_by_person,
  automated_response_at`;

const counterByPriority = { 1: 'high', 2: 'medium', 3: 'low' } as const satisfies Record<1 | 2 | 3, keyof Counts>;

/**
 * Figures over the cases opened in `[start, end)`. The history has `buckets` parts of `bucketMs` from the start on, oldest
 * first.
 */
export async function caseFigures(
  tx: Tx,
  scope: TenantScope,
  period: { start: Date; end: Date; limit: number; buckets: number; bucketMs: number },
): Promise<CaseFigures> {
  const { start, end, limit, buckets, bucketMs } = period;
  const { rows } = await sql<Row>`
    with c as materialized (
      select ${figureColumns} from case_record
      where tenant_id = ${scope.tenantId} and time_opened >= ${start} and time_opened < ${end}
    )
    select
      (select ${meansOfCases} from c) as means,
      (select coalesce(jsonb_agg(to_jsonb(g)), '[]') from (
        select least(floor((extract(epoch from time_opened) - ${start.getTime() / 1000}::numeric) / ${bucketMs / 1000}::numeric)::int,
          ${buckets}::int - 1) as bucket, severity, count(*)::int as count
        from c group by 1, 2) g) as cells,
      (select coalesce(jsonb_agg(to_jsonb(n) order by n.time_opened desc, n.id desc), '[]') from (
        select id, name, severity, time_opened, log_sources from case_record
        where tenant_id = ${scope.tenantId} and time_opened >= ${start} and time_opened < ${end}
        order by time_opened desc, id desc limit ${limit}) n) as newest`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('The figures of cases came back empty.');
  return {
    triggered_alerts: row.newest.map(alertOf),
    ...countAlerts(row.cells, { start, buckets, bucketMs }),
    ...meansByType(row.means),
  };
}

function countAlerts(
  cells: Row['cells'],
  { start, buckets, bucketMs }: { start: Date; buckets: number; bucketMs: number },
): Pick<CaseFigures, 'alert_counts' | 'alert_history'> {
  const none = (): Counts => ({ high: 0, medium: 0, low: 0 });
  const total = none();
  const history = Array.from({ length: buckets }, (_, index) => ({
    t: new Date(start.getTime() + index * bucketMs).toISOString(),
    ...none(),
  }));
  for (const { bucket, severity, count } of cells) {
    const counter = counterByPriority[priorityBySeverity[severity]];
    total[counter] += count;
    const slot = history[bucket];
    if (slot !== undefined) slot[counter] += count;
  }
  return { alert_counts: total, alert_history: history };
}

function alertOf({ id, name, severity, time_opened, log_sources }: Row['newest'][number]): TriggeredAlert {
  return {
    id,
    title: name,
    priority: priorityBySeverity[severity],
    timestamp: new Date(time_opened).toISOString(),
    source: log_sources.join(', '),
    case_id: id,
  };
}
