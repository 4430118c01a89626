/**
 * When a scheduled report is made, and which time it covers. Both follow from the schedule and the calendar of its zone
 * alone: every process finds the same slots, and a slot always covers the same events.
 *
 * A slot is the minute of the day at which the report is made: every day, on Mondays, or on the first of the month. It
 * covers the day, week or month before the one it lies in, from midnight to midnight of the zone: days of 23 or 25 hours
 * where clocks are moved, without a gap and without an overlap. A schedule that says how many days it covers takes those
 * before the day of the slot instead.
 */
import type { ReportPeriod } from '@airdeck/contracts/reports/schema';
import { type CalendarDay, dayIn, startOfDay, timeOnDay } from '@airdeck/domain/zoned-day';

export type SlotRule = { period: ReportPeriod; at_minute: number; time_zone: string; covers_days: number | null };

const DAY_MS = 86_400_000;

/** The first slot after `after`. */
export function nextSlot(rule: SlotRule, after: Date): Date {
  let first = firstDay(rule.period, dayIn(after, rule.time_zone));
  let slot = slotOn(rule, first);
  while (slot <= after) {
    first = step(rule.period, first, 1);
    slot = slotOn(rule, first);
  }
  return slot;
}

/** The last slot that is not after `now`: of several missed ones only this is made up for. */
export function latestSlot(rule: SlotRule, now: Date): Date {
  let first = firstDay(rule.period, dayIn(now, rule.time_zone));
  let slot = slotOn(rule, first);
  while (slot > now) {
    first = step(rule.period, first, -1);
    slot = slotOn(rule, first);
  }
  return slot;
}

/** What the report of a slot covers; the end is not part of it. */
export function coveredBy(rule: SlotRule, slot: Date): { start: Date; end: Date } {
  const { first, end } = coveredDays(rule, slot);
  return { start: startOfDay(first, rule.time_zone), end: startOfDay(end, rule.time_zone) };
}

/** The covered days as people write them: `2026-11-20`, `2026-11-16 to 2026-11-22`, `2026-10`. */
export function coveredWords(rule: SlotRule, slot: Date): string {
  const days = coveredDays(rule, slot);
  const first = dayText(days.first);
  if (rule.covers_days === null && rule.period === 'monthly') return first.slice(0, 7);
  const last = dayText(shift(days.end, -1));
  return first === last ? first : `${first} to ${last}`;
}

/** The first day that is covered, and the one after the last. */
function coveredDays({ period, time_zone: zone, covers_days: days }: SlotRule, slot: Date) {
  const end = firstDay(period, dayIn(slot, zone));
  return { first: days === null ? step(period, end, -1) : shift(end, -days), end };
}

function slotOn({ at_minute: minute, time_zone: zone }: SlotRule, day: CalendarDay): Date {
  return timeOnDay(day, minute, zone);
}

/** The day itself, the Monday of its week, or the first of its month. */
function firstDay(period: ReportPeriod, day: CalendarDay): CalendarDay {
  if (period === 'daily') return day;
  if (period === 'monthly') return { ...day, day: 1 };
  const sinceMonday = (new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay() + 6) % 7;
  return shift(day, -sinceMonday);
}

function step(period: ReportPeriod, day: CalendarDay, by: 1 | -1): CalendarDay {
  if (period === 'monthly') return normal({ ...day, month: day.month + by });
  return shift(day, by * (period === 'weekly' ? 7 : 1));
}

function shift(day: CalendarDay, days: number): CalendarDay {
  return normal({ ...day, day: day.day + days });
}

function normal({ year, month, day }: CalendarDay): CalendarDay {
  const date = new Date(Date.UTC(year, month - 1, day));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function dayText({ year, month, day }: CalendarDay): string {
  return new Date(Date.UTC(year, month - 1, day) + DAY_MS / 2).toISOString().slice(0, 10);
}
