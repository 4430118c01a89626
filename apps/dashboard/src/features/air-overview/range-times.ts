import { type DayTimes, presetTimes, rangeOfDays } from '../../lib/day-presets.ts';
import { DEFAULT_RANGE, type OverviewSearch } from './overview-range.ts';

/** Start and end of what is looked at. Apart from the address itself, which is read before any screen is there. */
export function rangeTimes({ range, from, to }: OverviewSearch, now: Date, timeZone: string | undefined): DayTimes {
  if (from !== undefined && to !== undefined) return rangeOfDays({ from, to }, now, timeZone);
  return presetTimes(range ?? DEFAULT_RANGE, now, timeZone);
}
