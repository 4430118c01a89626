import type { ReportSchedule, SearchReport } from '@airdeck/contracts/reports/schema';
import { apiFilter, type UrlFilter, urlFilter } from '../../components/event-criteria/url-filter.ts';
import { t } from '../../language/translate.ts';
import type { FieldWords } from '../../lib/rebased-fields.ts';
import type { ScheduleBody } from '../../queries/search-reports.ts';
import { formatWords } from './report-formats.ts';
import { clockOf, minuteOf, periodWords, reachWords } from './schedule-words.ts';

/** What the form holds; the time as it is typed, the search in its parts. */
export type ScheduleFields = Omit<ScheduleBody, 'at_minute' | 'search' | 'covers_days'> & {
  clock: string;
  /** Null for the day, week or month before. */
  coversDays: number | null;
  query: string;
  integrations: readonly string[];
  connectorId: string | undefined;
  filters: readonly UrlFilter[];
};

/** What a schedule is made from: one that is there, a report to be made again and again, or nothing. */
export type ScheduleOrigin = {
  schedule?: ReportSchedule | undefined;
  like?: Pick<SearchReport, 'name' | 'search' | 'format'> | undefined;
};

export function fieldsOf({ schedule, like }: ScheduleOrigin, zone: string): ScheduleFields {
  const search = searchFields(schedule?.search ?? like?.search);
  if (schedule === undefined) {
    const what = { name: like?.name ?? '', format: like?.format ?? 'csv', ...search };
    const when = { period: 'daily', clock: '06:00', coversDays: null, time_zone: zone } as const;
    return { ...what, ...when, contact_ids: [], enabled: true };
  }
  const { name, format, period, at_minute, covers_days: coversDays, time_zone, contact_ids, enabled } = schedule;
  const when = { period, clock: clockOf(at_minute), coversDays, time_zone };
  return { name, format, ...search, ...when, contact_ids, enabled };
}

function searchFields(search: ReportSchedule['search'] | undefined) {
  return {
    query: search?.query ?? '',
    integrations: search?.integrations ?? [],
    connectorId: search?.connector_id,
    filters: search?.filters.map(urlFilter) ?? [],
  };
}

export type FieldProblems = Partial<Record<'name' | 'clock', string>>;

export function problemsOf({ name, clock }: ScheduleFields): FieldProblems {
  return {
    ...(name.trim() === '' ? { name: t('Enter a name.') } : {}),
    ...(minuteOf(clock) === undefined ? { clock: t('A time such as 06:30.') } : {}),
  };
}

export function bodyOf(fields: ScheduleFields): ScheduleBody {
  const { clock, coversDays, name, query, integrations, connectorId, filters, ...rest } = fields;
  return {
    ...rest,
    name: name.trim(),
    at_minute: minuteOf(clock) ?? 0,
    covers_days: coversDays,
    search: {
      integrations: [...integrations],
      ...(connectorId === undefined ? {} : { connector_id: connectorId }),
      query: query.trim(),
      filters: filters.map(apiFilter),
    },
  };
}

export function scheduleWords(fields: ScheduleFields): FieldWords {
  const { period, coversDays } = fields;
  return {
    [t('Name')]: fields.name,
    [t('Search')]: fields.query,
    [t('How often')]: periodWords[period].label,
    [t('Time')]: fields.clock,
    [t('Events of')]: coversDays === null ? periodWords[period].covers : reachWords(coversDays),
    [t('Time zone')]: fields.time_zone,
    [t('Format')]: formatWords[fields.format].label,
    [t('Switched on##schedule')]: fields.enabled ? t('On') : t('Off'),
  };
}

/** What of the fields is another than it was before. */
export function changedFields(before: ScheduleFields, now: ScheduleFields): Partial<ScheduleFields> {
  const isChanged = (name: string) =>
    JSON.stringify(before[name as keyof ScheduleFields]) !== JSON.stringify(now[name as keyof ScheduleFields]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => isChanged(name)));
}
