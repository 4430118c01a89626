import { REPORT_LONGEST_MS } from '@airdeck/contracts/reports/report-time';
import { isTimeZone } from '@airdeck/domain/time-zone';
import { type CalendarDay, dayIn, startOfDay } from '@airdeck/domain/zoned-day';
import { AppError } from '../../http/app-error.ts';

const DAY_MS = 86_400_000;
const DEFAULT_MS = 30 * DAY_MS;

/** A time and whose days it is cut into; the end is not part of it. */
export type ReportRange = { readonly start: Date; readonly end: Date; readonly timeZone: string };

type Query = { start_time?: string | undefined; end_time?: string | undefined; time_zone?: string | undefined };

/** Thirty days up to now unless said. Throws VALIDATION_FAILED for a time that is turned round, too long, or in no zone. */
export function reportRange(query: Query, now: Date): ReportRange {
  const end = query.end_time === undefined ? now : new Date(query.end_time);
  const start = query.start_time === undefined ? new Date(end.getTime() - DEFAULT_MS) : new Date(query.start_time);
  const timeZone = query.time_zone ?? 'UTC';
  if (start >= end) throw wrong('query.start_time', 'The start must lie before the end.');
  if (end.getTime() - start.getTime() > REPORT_LONGEST_MS) throw wrong('query.start_time', 'At most a year.');
  if (!isTimeZone(timeZone)) throw wrong('query.time_zone', 'A time zone such as Europe/Lisbon.');
  return { start, end, timeZone };
}

/** The time of the same length before. */
export function rangeBefore({ start, end, timeZone }: ReportRange): ReportRange {
  return { start: new Date(2 * start.getTime() - end.getTime()), end: start, timeZone };
}

/** Every day the range touches, oldest first, as `2026-11-22`. */
export function daysOf({ start, end, timeZone }: ReportRange): string[] {
  const days: string[] = [];
  let day = dayIn(start, timeZone);
  while (startOfDay(day, timeZone) < end) {
    days.push(dayText(day));
    day = dayAfter(day);
  }
  return days;
}

export function dayText({ year, month, day }: CalendarDay): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}

/** As a day that exists: the 32nd of a month is none. */
function dayAfter({ year, month, day }: CalendarDay): CalendarDay {
  const next = new Date(Date.UTC(year, month - 1, day + 1));
  return { year: next.getUTCFullYear(), month: next.getUTCMonth() + 1, day: next.getUTCDate() };
}

function wrong(path: string, message: string): AppError {
  return new AppError('VALIDATION_FAILED', { message, details: [{ path, message }] });
}
