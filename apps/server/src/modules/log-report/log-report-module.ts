import type { LogReport, LogReportTable } from '@airdeck/contracts/reports/log-report';
import type { Handlers } from '../../http/handlers.ts';
import type { EventsStore } from '../../storage/events-store.ts';
import { reportRange } from '../activity-report/report-range.ts';
import { type CsvTable, sendCsv } from '../activity-report/send-csv.ts';
import { createLogReportService, type LogReportDependencies, type LogReportService } from './log-report-service.ts';
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
        const report = await service.read(scope, reportRange(query, deps.now()));
        sendCsv(raw.reply, `log-collection-${table.replaceAll('_', '-')}`, tables[table](report));
        return undefined;
      },
    },
  };
}

const tables: Readonly<Record<LogReportTable, (report: LogReport) => CsvTable>> = {
  /** One row for each source and day with events, so that a pivot can turn it as it likes. */
  sources: ({ sources, by_day: days }) => ({
    columns: ['source_id', 'name', 'kind', 'deleted', 'last_event_at', 'day', 'events'],
    rows: sources.flatMap((source) =>
      source.events_by_day.flatMap((events, index) =>
        events === 0
          ? []
          : [
              [
                ...[source.id, source.name, source.kind, String(source.deleted), source.last_event_at],
                ...[days[index]?.day ?? '', events],
              ],
            ],
      ),
    ),
  }),
  days: ({ by_day: days }) => ({
    columns: ['day', 'events', 'bytes'],
    rows: days.map((row) => [row.day, row.events, row.bytes]),
  }),
  hosts: ({ hosts }) => talkersTable('host', hosts),
  src_ips: ({ src_ips: addresses }) => talkersTable('src_ip', addresses),
  silent_sources: ({ silent_sources: sources }) => ({
    columns: ['source_id', 'name', 'kind', 'reason', 'last_event_at', 'events', 'previous_events'],
    rows: sources.map((row) => [
      ...[row.id, row.name, row.kind, row.reason, row.last_event_at],
      ...[row.events, row.previous_events],
    ]),
  }),
};

function talkersTable(name: string, rows: LogReport['hosts']): CsvTable {
  return { columns: [name, 'events'], rows: rows.map(({ value, events }) => [value, events]) };
}
