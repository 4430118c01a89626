import type { ReportSchedule, SearchReport } from '@airdeck/contracts/reports/schema';
import type { ScheduleBody } from '../../queries/search-reports.ts';
import { clockOf, minuteOf } from './schedule-words.ts';

/** What the form holds; the time as it is typed. */
export type ScheduleFields = Omit<ScheduleBody, 'at_minute' | 'search'> & { clock: string; query: string };

/** What a schedule is made from: one that is there, a report to be made again and again, or nothing. */
export type ScheduleOrigin = {
  schedule?: ReportSchedule | undefined;
  like?: Pick<SearchReport, 'name' | 'search' | 'format'> | undefined;
};

export function fieldsOf({ schedule, like }: ScheduleOrigin, zone: string): ScheduleFields {
  if (schedule === undefined) {
    const what = { name: like?.name ?? '', query: like?.search.query ?? '', format: like?.format ?? 'csv' };
    return { ...what, clock: '06:00', contact_ids: [], period: 'daily', time_zone: zone, enabled: true };
  }
  const { name, search, format, period, at_minute, time_zone, contact_ids, enabled } = schedule;
  const when = { period, clock: clockOf(at_minute), time_zone };
  return { name, query: search.query, format, ...when, contact_ids, enabled };
}

export type FieldProblems = Partial<Record<'name' | 'clock', string>>;

export function problemsOf({ name, clock }: ScheduleFields): FieldProblems {
  return {
    ...(name.trim() === '' ? { name: 'Enter a name.' } : {}),
    ...(minuteOf(clock) === undefined ? { clock: 'A time such as 06:30.' } : {}),
  };
}

/** Sources and filters of the search stay as they were; the form changes its query. */
export function bodyOf(fields: ScheduleFields, origin: ScheduleOrigin): ScheduleBody {
  const { clock, query, name, ...rest } = fields;
  const search = searchOf(origin) ?? { integrations: [], filters: [] };
  return { ...rest, name: name.trim(), at_minute: minuteOf(clock) ?? 0, search: { ...search, query: query.trim() } };
}

export function searchOf({ schedule, like }: ScheduleOrigin): ReportSchedule['search'] | undefined {
  return schedule?.search ?? like?.search;
}
