import type { LogReport } from '@airdeck/contracts/reports/log-report';
import { logReportLimits } from '@airdeck/contracts/reports/log-report';
import { type EventsStore, isTooExpensive } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ReportRange } from '../activity-report/report-range.ts';
import { conditionWithin, paramsWithin } from '../search/event-selection.ts';

/** A report is worth waiting for; an analyst's search goes before it. */
const TIMEOUT_MS = 10_000;

type Talkers = Pick<LogReport, 'hosts' | 'src_ips' | 'talkers_complete'>;
type Oldest = Pick<LogReport['retention'], 'oldest_event_at' | 'oldest_known'>;

/** Columns that name who an event came from; never a caller's text. */
const columns = { hosts: 'host', src_ips: 'src_ip' } as const;
type List = keyof typeof columns;

/** Reads events for the report: only counts leave the store. */
export function createLogTalkers(events: Pick<EventsStore, 'query'>) {
  async function most(scope: TenantScope, range: ReportRange, list: List, signal: AbortSignal | undefined) {
    const column = columns[list];
    const selection = { condition: `${column} != ''`, params: {} };
    const stretch = { from: range.start.getTime(), until: range.end.getTime() };
    const sql = `select ${column} as value, count() as events from events where ${conditionWithin(selection)}
      group by value order by events desc, value limit {row_limit:UInt32}`;
    return await events.query<{ value: string; events: number }>({
      tenant: scope.tenantId,
      sql,
      params: { ...paramsWithin(selection, stretch), row_limit: logReportLimits.talkersShown },
      timeoutMs: TIMEOUT_MS,
      ...(signal === undefined ? {} : { signal }),
    });
  }

  return {
    /** `only` leaves the other list empty: each is a pass over all events of the range. */
    async talkers(
      scope: TenantScope,
      range: ReportRange,
      { only, signal }: { only?: List; signal?: AbortSignal } = {},
    ): Promise<Talkers> {
      const listed = (list: List) => (only === undefined || only === list ? most(scope, range, list, signal) : []);
      try {
        const [hosts, srcIps] = await Promise.all([listed('hosts'), listed('src_ips')]);
        return { hosts, src_ips: srcIps, talkers_complete: true };
      } catch (error) {
        // Said in the answer; the volume, which is known exactly, is not held back for it.
        if (!isTooExpensive(error)) throw error;
        return { hosts: [], src_ips: [], talkers_complete: false };
      }
    },
    async oldest(scope: TenantScope): Promise<Oldest> {
      try {
        const [row] = await events.query<{ events: number; oldest: number }>({
          tenant: scope.tenantId,
          sql: `select count() as events, toUnixTimestamp64Milli(min(time)) as oldest from events where tenant = {tenant:UUID}`,
          timeoutMs: TIMEOUT_MS,
        });
        const isEmpty = row === undefined || row.events === 0;
        return { oldest_event_at: isEmpty ? null : new Date(row.oldest).toISOString(), oldest_known: true };
      } catch (error) {
        if (!isTooExpensive(error)) throw error;
        return { oldest_event_at: null, oldest_known: false };
      }
    },
  };
}

export type LogTalkers = ReturnType<typeof createLogTalkers>;
