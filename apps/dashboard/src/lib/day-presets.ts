import { type CalendarDay, dayIn, startOfDay } from '@airdeck/domain/zoned-day';
import type { RangePreset } from './range-presets.ts';

/** Days before today, which counts as one of them. */
const daysBack: Readonly<Partial<Record<RangePreset, number>>> = {
  today: 0,
  '7d': 6,
  '30d': 29,
  '60d': 59,
  '90d': 89,
  '180d': 179,
};

export type DayTimes = { readonly start: Date; readonly end: Date };

/**
 * Start and end of a preset. The end of one that goes on is the end of today, not now, so that the same choice is the same
 * question all day.
 */
export function presetTimes(preset: RangePreset, now: Date, timeZone: string | undefined): DayTimes {
  const today = dayIn(now, timeZone);
  const at = (day: CalendarDay) => startOfDay(day, timeZone);
  const tomorrow = at({ ...today, day: today.day + 1 });
  if (preset === 'this-month') return { start: at({ ...today, day: 1 }), end: tomorrow };
  if (preset === 'last-month') {
    return { start: at({ ...today, month: today.month - 1, day: 1 }), end: at({ ...today, day: 1 }) };
  }
  return { start: at({ ...today, day: today.day - (daysBack[preset] ?? 0) }), end: tomorrow };
}

/** Start and end of days `yyyy-mm-dd`, both included; what lies after today is left out. */
export function rangeOfDays(range: { from: string; to: string }, now: Date, timeZone: string | undefined): DayTimes {
  const [first, last, today] = [dayOf(range.from), dayOf(range.to), dayIn(now, timeZone)];
  const tomorrow = startOfDay({ ...today, day: today.day + 1 }, timeZone);
  const end = startOfDay({ ...last, day: last.day + 1 }, timeZone);
  const isOver = end < tomorrow;
  return { start: startOfDay(first, timeZone), end: isOver ? end : tomorrow };
}

function dayOf(text: string): CalendarDay {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
  return { year, month, day };
}
