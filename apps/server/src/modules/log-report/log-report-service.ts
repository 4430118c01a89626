import { type EventUsage, type LogReport, logReportLimits } from '@airdeck/contracts/reports/log-report';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { daysOf, type ReportRange } from '../activity-report/report-range.ts';
import {
  findRetention,
  listLogSources,
  type SourceDay,
  type SourceRow,
  type Volume,
  volumeBefore,
  volumeBySourceDay,
} from './log-report-repository.ts';
import type { LogTalkers } from './log-talkers.ts';

const SILENT_MS = logReportLimits.silentAfterH * 3_600_000;
const none: Volume = { events: 0, bytes: 0 };

export type LogReportDependencies = { db: Pick<Database, 'read'>; talkers: LogTalkers; now: () => Date };

/** Volume of a time without who sent it: what other reports need. */
export type LogVolume = Pick<
  LogReport,
  'total' | 'previous' | 'by_day' | 'sources' | 'other_sources' | 'silent_sources'
>;

export function createLogReportService({ db, talkers, now }: LogReportDependencies) {
  const counted = (scope: TenantScope, range: ReportRange) =>
    db.read(scope.tenantId, async (tx) => ({
      sources: await listLogSources(tx, scope),
      days: await volumeBySourceDay(tx, scope, range),
      before: await volumeBefore(tx, scope, range),
      retention: await findRetention(tx, scope),
    }));

  return {
    async read(scope: TenantScope, range: ReportRange): Promise<LogReport> {
      // No transaction is kept open while the other store is asked.
      const [{ retention, ...figures }, named, oldest] = await Promise.all([
        counted(scope, range),
        talkers.talkers(scope, range),
        talkers.oldest(scope),
      ]);
      return {
        ...onTheWire(range),
        ...volumeOf(figures, range, now()),
        ...named,
        retention: { ...retention, oldest_event_at: oldest?.toISOString() ?? null },
      };
    },
    /** Volume alone, without the event store. */
    async usage(scope: TenantScope, range: ReportRange): Promise<EventUsage> {
      const { total, previous, by_day } = volumeOf(await counted(scope, range), range, now());
      return { ...onTheWire(range), total, previous, by_day };
    },
    async volume(scope: TenantScope, range: ReportRange): Promise<LogVolume> {
      return volumeOf(await counted(scope, range), range, now());
    },
  };
}

export type LogReportService = ReturnType<typeof createLogReportService>;

function onTheWire({ start, end, timeZone }: ReportRange) {
  return { start_time: start.toISOString(), end_time: end.toISOString(), time_zone: timeZone };
}

type Figures = { sources: SourceRow[]; days: SourceDay[]; before: ReadonlyMap<string, Volume> };

function volumeOf({ sources: known, days: cells, before }: Figures, range: ReportRange, now: Date): LogVolume {
  const days = daysOf(range);
  const place = new Map(days.map((day, index) => [day, index]));
  const byDay = days.map((day) => ({ day, ...none }));
  const bySource = new Map(known.map(({ id }) => [id, { ...none, days: days.map(() => 0) }]));
  for (const { source, day, events, bytes } of cells) {
    const at = place.get(day);
    const [ofDay, ofSource] = [at === undefined ? undefined : byDay[at], bySource.get(source)];
    if (at === undefined || ofDay === undefined || ofSource === undefined) continue;
    ofDay.events += events;
    ofDay.bytes += bytes;
    ofSource.events += events;
    ofSource.bytes += bytes;
    ofSource.days[at] = (ofSource.days[at] ?? 0) + events;
  }
  const sources = known
    .map(({ last_event_at: last, ...source }) => {
      const { days: eventsByDay = [], ...volume } = bySource.get(source.id) ?? { ...none, days: [] };
      return {
        ...source,
        ...volume,
        previous_events: before.get(source.id)?.events ?? 0,
        last_event_at: last?.toISOString() ?? null,
        events_by_day: eventsByDay,
      };
    })
    .filter(({ deleted, events }) => !deleted || events > 0)
    .sort((a, b) => b.events - a.events || a.name.localeCompare(b.name));
  const rest = sources.slice(logReportLimits.sourcesShown);
  return {
    total: sumOf(byDay),
    previous: sumOf([...before.values()]),
    by_day: byDay,
    sources: sources.slice(0, logReportLimits.sourcesShown),
    other_sources: { sources: rest.length, ...sumOf(rest) },
    silent_sources: silentAmong(sources, now),
  };
}

function silentAmong(sources: LogReport['sources'], now: Date): LogReport['silent_sources'] {
  return sources
    .flatMap(({ events_by_day: _days, bytes: _bytes, ...source }) => {
      const { deleted, last_event_at: last, events, previous_events: previous } = source;
      if (deleted) return [];
      if (events === 0 && previous > 0) return { ...source, reason: 'period' as const };
      const isSilent = last !== null && now.getTime() - Date.parse(last) > SILENT_MS;
      return isSilent ? { ...source, reason: 'day' as const } : [];
    })
    .sort((a, b) => ((a.last_event_at ?? '') < (b.last_event_at ?? '') ? -1 : 1))
    .slice(0, logReportLimits.silentShown);
}

function sumOf(volumes: readonly Volume[]): Volume {
  return {
    events: volumes.reduce((sum, { events }) => sum + events, 0),
    bytes: volumes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
