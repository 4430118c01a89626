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
      'log-report.get': ({ query }, { scope }) => service.read(scope, reportRange(query, deps.now())),
      'log-report.usage': ({ query }, { scope }) => service.usage(scope, reportRange(query, deps.now())),
      'log-report.csv': async ({ query: { table, ...query } }, { scope, raw }) => {
        const rows = await tables[table](service, scope, reportRange(query, deps.now()));
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
) => Promise<CsvTable>;

/** Whole, not as far as a screen shows them; each asks only the store it is made from. */
const tables: Readonly<Record<LogReportTable, Table>> = {
  sources: async (service, ...of) => sourcesTable(await service.wholeVolume(...of)),
  async days(service, ...of) {
    const { by_day: days } = await service.wholeVolume(...of);
    return { columns: ['day', 'events', 'bytes'], rows: days.map((row) => [row.day, row.events, row.bytes]) };
  },
  hosts: async (service, ...of) => talkersTable('host', (await allTalkers(service, ...of)).hosts),
  src_ips: async (service, ...of) => talkersTable('src_ip', (await allTalkers(service, ...of)).src_ips),
  async silent_sources(service, ...of) {
    const { silent_sources: sources } = await service.wholeVolume(...of);
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
async function allTalkers(service: Pick<LogReportService, 'talkers'>, scope: TenantScope, range: ReportRange) {
  const talkers = await service.talkers(scope, range);
  if (!talkers.talkers_complete) throw new AppError('SEARCH_TOO_EXPENSIVE');
  return talkers;
}

function talkersTable(name: string, rows: LogReport['hosts']): CsvTable {
  return { columns: [name, 'events'], rows: rows.map(({ value, events }) => [value, events]) };
}
