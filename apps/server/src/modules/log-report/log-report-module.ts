import type { LogReport, LogReportTable } from '@airdeck/contracts/reports/log-report';
import { AppError } from '../../http/app-error.ts';
import type { Handlers } from '../../http/handlers.ts';
import type { EventsStore } from '../../storage/events-store.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { type ReportRange, reportRange } from '../activity-report/report-range.ts';
import { type CsvTable, sendCsv } from '../activity-report/send-csv.ts';
import {
  createLogReportService,
  type LogReportDependencies,
  type LogReportService,
  type WholeVolume,
} from './log-report-service.ts';
import { createLogTalkers } from './log-talkers.ts';

export type LogReportModule = {
  handlers: Handlers<'log-report.get' | 'log-report.usage' | 'log-report.csv'>;
  usage: LogReportService['usage'];
  volume: LogReportService['volume'];
};

export function createLogReportModule({
  events,
  ...deps
}: Omit<LogReportDependencies, 'talkers'> & { events: Pick<EventsStore, 'query'> }): LogReportModule {
  const service = createLogReportService({ ...deps, talkers: createLogTalkers(events) });
  return {
    usage: service.usage,
    volume: service.volume,
    handlers: {
      'log-report.get': ({ query }, { scope, signal }) => service.read(scope, reportRange(query, deps.now()), signal),
      'log-report.usage': ({ query }, { scope }) => service.usage(scope, reportRange(query, deps.now())),
      'log-report.csv': async ({ query: { table, ...query } }, { scope, raw, signal }) => {
        const rows = await tables[table](service, scope, reportRange(query, deps.now()), signal);
        await sendCsv(raw.reply, `log-collection-${table.replaceAll('_', '-')}`, rows);
        return undefined;
      },
    },
  };
}

type Table = (
  service: Pick<LogReportService, 'wholeVolume' | 'talkers'>,
  scope: TenantScope,
  range: ReportRange,
  signal: AbortSignal,
) => Promise<CsvTable>;

/** Whole, not as far as a screen shows them; each asks only the store it is made from. */
const tables: Readonly<Record<LogReportTable, Table>> = {
  sources: async (service, scope, range) => sourcesTable(await service.wholeVolume(scope, range)),
  async days(service, scope, range) {
    const { by_day: days } = await service.wholeVolume(scope, range);
    return { columns: ['day', 'events', 'bytes'], rows: days.map((row) => [row.day, row.events, row.bytes]) };
  },
  async hosts(service, scope, range, signal) {
    const { hosts } = complete(await service.talkers(scope, range, { only: 'hosts', signal }));
    return talkersTable('host', hosts);
  },
  async src_ips(service, scope, range, signal) {
    const { src_ips: addresses } = complete(await service.talkers(scope, range, { only: 'src_ips', signal }));
    return talkersTable('src_ip', addresses);
  },
  async silent_sources(service, scope, range) {
    const { silent_sources: sources } = await service.wholeVolume(scope, range);
    return {
      columns: ['source_id', 'name', 'kind', 'reason', 'last_event_at', 'events', 'previous_events'],
      rows: sources.map((row) => [
        ...[row.id, row.name, row.kind, row.reason, row.last_event_at],
        ...[row.events, row.previous_events],
      ]),
    };
  },
};

/**
 * One row for each source and day with events, so that a pivot can turn it as it likes. A source without any has one row
 * without a day, so that none is missing.
 */
function sourcesTable({ sources, by_day: days }: WholeVolume): CsvTable {
  return {
    columns: ['source_id', 'name', 'kind', 'deleted', 'last_event_at', 'day', 'events', 'bytes'],
    rows: rowsOfSources(sources, days),
  };
}

/** One after the other: a thousand sources of a year are a third of a million rows. */
function* rowsOfSources(
  sources: WholeVolume['sources'],
  days: WholeVolume['by_day'],
): Generator<(string | number | null)[]> {
  for (const source of sources) {
    const head = [source.id, source.name, source.kind, String(source.deleted), source.last_event_at];
    if (source.events === 0) yield [...head, '', 0, 0];
    for (const [at, events] of source.events_by_day.entries()) {
      if (events > 0) yield [...head, days[at]?.day ?? '', events, source.bytes_by_day[at] ?? 0];
    }
  }
}

/** A screen says that they are missing; a file without a row would say that nobody sent. */
function complete(talkers: Awaited<ReturnType<LogReportService['talkers']>>) {
  if (!talkers.talkers_complete) throw new AppError('SEARCH_TOO_EXPENSIVE');
  return talkers;
}

function talkersTable(name: string, rows: LogReport['hosts']): CsvTable {
  return { columns: [name, 'events'], rows: rows.map(({ value, events }) => [value, events]) };
}
