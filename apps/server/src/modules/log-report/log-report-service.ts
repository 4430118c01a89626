import { type EventUsage, type LogReport, logReportLimits } from '@airdeck/contracts/reports/log-report';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { daysOf, type ReportRange, rangeBefore } from '../activity-report/report-range.ts';
import {
  findRetention,
  listLogSources,
  type SourceDay,
  type SourceRow,
  type Volume,
  volumeBySource,
  volumeBySourceDay,
} from './log-report-repository.ts';
import type { LogTalkers } from './log-talkers.ts';

const SILENT_MS = logReportLimits.silentAfterH * 3_600_000;
const none: Volume = { events: 0, bytes: 0 };

export type LogReportDependencies = { db: Pick<Database, 'read'>; talkers: LogTalkers; now: () => Date };

/**
 * With every source: a tenant has at most a few hundred and one for each connector, besides those deleted since that sent in
 * the time.
 */
export type WholeVolume = Pick<LogReport, 'total' | 'previous' | 'by_day' | 'silent_sources'> & {
  sources: (LogReport['sources'][number] & { bytes_by_day: number[] })[];
};

/** Volume of a time without who sent it: what other reports need. */
export type LogVolume = Pick<
  LogReport,
  'total' | 'previous' | 'by_day' | 'sources' | 'other_sources' | 'source_counts' | 'silent_sources'
>;

export function createLogReportService({ db, talkers, now }: LogReportDependencies) {
  const counted = (scope: TenantScope, range: ReportRange, before = rangeBefore(range)) =>
    db.read(scope.tenantId, async (tx) => ({
      sources: await listLogSources(tx, scope),
      days: await volumeBySourceDay(tx, scope, range),
      before: await volumeBySource(tx, scope, before),
      retention: await findRetention(tx, scope),
    }));

  return {
    async read(scope: TenantScope, range: ReportRange, signal: AbortSignal): Promise<LogReport> {
      // No transaction is kept open while the other store is asked.
      const [{ retention, ...figures }, named, oldest] = await Promise.all([
        counted(scope, range),
        talkers.talkers(scope, range, { signal }),
        talkers.oldest(scope),
      ]);
      return {
        ...onTheWire(range),
        ...shownOf(volumeOf(figures, range, now())),
        ...named,
        retention: { ...retention, ...oldest },
      };
    },
    /** For files; without the event store. */
    async wholeVolume(scope: TenantScope, range: ReportRange): Promise<WholeVolume> {
      return volumeOf(await counted(scope, range), range, now());
    },
    /** For files of them alone. */
    talkers: talkers.talkers,
    /** Volume alone, without the event store. */
    async usage(scope: TenantScope, range: ReportRange): Promise<EventUsage> {
      const { total, previous, by_day } = volumeOf(await counted(scope, range), range, now());
      return { ...onTheWire(range), total, previous, by_day };
    },
    /** Compared with `before`. Its silent sources are those that used to send and do not by now, whenever the time was. */
    async volume(scope: TenantScope, range: ReportRange, before: ReportRange): Promise<LogVolume> {
      const whole = volumeOf(await counted(scope, range, before), range, now());
      const stillSilent = whole.silent_sources.filter(
        ({ last_event_at: last }) => last !== null && isLongAgo(last, now()),
      );
      return shownOf({ ...whole, silent_sources: stillSilent });
    },
  };
}

export type LogReportService = ReturnType<typeof createLogReportService>;

function onTheWire({ start, end, timeZone }: ReportRange) {
  return { start_time: start.toISOString(), end_time: end.toISOString(), time_zone: timeZone };
}

type Figures = { sources: SourceRow[]; days: SourceDay[]; before: ReadonlyMap<string, Volume> };

function volumeOf({ sources: known, days: cells, before }: Figures, range: ReportRange, now: Date): WholeVolume {
  const days = daysOf(range);
  const place = new Map(days.map((day, index) => [day, index]));
  const byDay = days.map((day) => ({ day, ...none }));
  const bySource = new Map(known.map(({ id }) => [id, { ...none, days: days.map(() => ({ ...none })) }]));
  for (const { source, day, events, bytes } of cells) {
    const at = place.get(day);
    const [ofDay, ofSource] = [at === undefined ? undefined : byDay[at], bySource.get(source)];
    if (at === undefined || ofDay === undefined || ofSource === undefined) continue;
    ofDay.events += events;
    ofDay.bytes += bytes;
    ofSource.events += events;
    ofSource.bytes += bytes;
    const ofSourceDay = ofSource.days[at];
    if (ofSourceDay === undefined) continue;
    ofSourceDay.events += events;
    ofSourceDay.bytes += bytes;
  }
  const sources = known
    .map(({ last_event_at: last, ...source }) => {
      const { days: ofDays, ...volume } = bySource.get(source.id) ?? { ...none, days: [] };
      return {
        ...source,
        ...volume,
        previous_events: before.get(source.id)?.events ?? 0,
        last_event_at: last?.toISOString() ?? null,
        events_by_day: ofDays.map(({ events }) => events),
        bytes_by_day: ofDays.map(({ bytes }) => bytes),
      };
    })
    .filter(({ deleted, events }) => !deleted || events > 0)
    .sort((a, b) => b.events - a.events || a.name.localeCompare(b.name));
  return {
    total: sumOf(byDay),
    previous: sumOf([...before.values()]),
    by_day: byDay,
    sources,
    silent_sources: silentAmong(sources, now),
  };
}

/** What a screen is given of it. */
function shownOf({ sources, silent_sources: silent, ...volume }: WholeVolume) {
  const rest = sources.slice(logReportLimits.sourcesShown);
  return {
    ...volume,
    sources: sources.slice(0, logReportLimits.sourcesShown).map(({ bytes_by_day: _bytes, ...source }) => source),
    other_sources: { sources: rest.length, ...sumOf(rest) },
    source_counts: {
      sent: sources.filter(({ events }) => events > 0).length,
      silent: silent.length,
      never_sent: silent.filter(({ reason }) => reason === 'never').length,
    },
    silent_sources: silent.slice(0, logReportLimits.silentShown),
  };
}

type Silent = LogReport['silent_sources'][number];

function silentAmong(sources: WholeVolume['sources'], now: Date): Silent[] {
  return sources
    .flatMap(({ events_by_day: _events, bytes_by_day: _days, bytes: _bytes, ...source }) => {
      const reason = whySilent(source, now);
      return reason === undefined ? [] : [{ ...source, reason }];
    })
    .sort(
      (a, b) =>
        Number(a.reason === 'never') - Number(b.reason === 'never') ||
        (a.last_event_at ?? '').localeCompare(b.last_event_at ?? ''),
    );
}

function whySilent(source: Omit<Silent, 'reason'>, now: Date): Silent['reason'] | undefined {
  const { deleted, last_event_at: last, events, previous_events: previous } = source;
  if (deleted) return undefined;
  if (events === 0 && previous > 0) return 'period';
  if (last === null) return 'never';
  return isLongAgo(last, now) ? 'day' : undefined;
}

function isLongAgo(time: string, now: Date): boolean {
  return now.getTime() - Date.parse(time) > SILENT_MS;
}

function sumOf(volumes: readonly Volume[]): Volume {
  return {
    events: volumes.reduce((sum, { events }) => sum + events, 0),
    bytes: volumes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
