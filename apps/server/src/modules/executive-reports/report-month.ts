/** Months of the calendar of a zone: `2026-10` is from the first midnight there to the first one of November. */
import { dayIn, startOfDay, timeOnDay } from '@airdeck/domain/zoned-day';

/** The files of a month are made in the small hours of the next one, when what was late has come in. */
const MADE_AT_MINUTE = 3 * 60;

export function monthOf(time: Date, timeZone: string): string {
  const { year, month } = dayIn(time, timeZone);
  return textOf(year, month);
}

export function monthBefore(month: string): string {
  return shifted(month, -1);
}

/** The end is not part of it. */
export function rangeOfMonth(month: string, timeZone: string): { start: Date; end: Date } {
  return { start: firstDay(month, timeZone), end: firstDay(shifted(month, 1), timeZone) };
}

/** How many months `month` lies before the one it is now; negative for one to come. */
export function monthsAgo(month: string, now: Date, timeZone: string): number {
  return indexOf(monthOf(now, timeZone)) - indexOf(month);
}

/** When the report of a month is made by itself. */
export function madeAt(month: string, timeZone: string): Date {
  return timeOnDay({ ...partsOf(shifted(month, 1)), day: 1 }, MADE_AT_MINUTE, timeZone);
}

/** The last month whose report could be there by itself. */
export function latestMonth(now: Date, timeZone: string): string {
  const last = monthBefore(monthOf(now, timeZone));
  return madeAt(last, timeZone) <= now ? last : monthBefore(last);
}

function firstDay(month: string, timeZone: string): Date {
  return startOfDay({ ...partsOf(month), day: 1 }, timeZone);
}

function shifted(month: string, by: number): string {
  const index = indexOf(month) + by;
  return textOf(Math.floor(index / 12), (((index % 12) + 12) % 12) + 1);
}

function indexOf(text: string): number {
  const { year, month } = partsOf(text);
  return year * 12 + month - 1;
}

function partsOf(text: string): { year: number; month: number } {
  return { year: Number(text.slice(0, 4)), month: Number(text.slice(5, 7)) };
}

function textOf(year: number, month: number): string {
  return `${year}-${String(month).padStart(2, '0')}`;
}
