import { type CalendarDay, dayIn, startOfDay } from '@airdeck/domain/zoned-day';
import { checkedSearch, choiceParam, textParam } from '../../lib/search-params.ts';

/** Presets of spec §9. */
export const rangePresets = ['today', '7d', '30d', '60d', '90d', '180d', 'this-month', 'last-month'] as const;
export type RangePreset = (typeof rangePresets)[number];

export const DEFAULT_RANGE: RangePreset = '30d';

export const rangeNames: Readonly<Record<RangePreset, string>> = {
  today: 'Today',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '60d': 'Last 60 days',
  '90d': 'Last 90 days',
  '180d': 'Last 180 days',
  'this-month': 'This month',
  'last-month': 'Last month',
};

const daysBack: Readonly<Partial<Record<RangePreset, number>>> = {
  today: 0,
  '7d': 7,
  '30d': 30,
  '60d': 60,
  '90d': 90,
  '180d': 180,
};

/** A preset, or days `yyyy-mm-dd` of the reader's calendar, both included. */
export function overviewSearch(search: Record<string, unknown>) {
  const [from, to] = [dayParam(search, 'from'), dayParam(search, 'to')];
  const isRange = from !== undefined && to !== undefined && from <= to;
  return checkedSearch({
    range: choiceParam(search, 'range', rangePresets),
    from: isRange ? from : undefined,
    to: isRange ? to : undefined,
  });
}

export type OverviewSearch = ReturnType<typeof overviewSearch>;

/**
 * Start and end of what is looked at. The end of a range that goes on is the end of today, not now, so that the same choice
 * is the same question all day.
 */
export function rangeTimes(
  search: OverviewSearch,
  now: Date,
  timeZone: string | undefined,
): { start: Date; end: Date } {
  const today = dayIn(now, timeZone);
  const at = (day: CalendarDay) => startOfDay(day, timeZone);
  const tomorrow = at({ ...today, day: today.day + 1 });
  if (search.from !== undefined && search.to !== undefined) {
    const end = at({ ...dayOf(search.to), day: dayOf(search.to).day + 1 });
    const isOver = end < tomorrow;
    return { start: at(dayOf(search.from)), end: isOver ? end : tomorrow };
  }
  const preset = search.range ?? DEFAULT_RANGE;
  if (preset === 'this-month') return { start: at({ ...today, day: 1 }), end: tomorrow };
  if (preset === 'last-month') {
    return { start: at({ ...today, month: today.month - 1, day: 1 }), end: at({ ...today, day: 1 }) };
  }
  return { start: at({ ...today, day: today.day - (daysBack[preset] ?? 0) }), end: tomorrow };
}

function dayParam(search: Record<string, unknown>, name: string): string | undefined {
  const text = textParam(search, name, 10);
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : text;
}

function dayOf(text: string): CalendarDay {
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
  return { year, month, day };
}
