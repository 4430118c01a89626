import { presetTimes } from '../../../lib/day-presets.ts';
import { type RangePreset, rangePresets } from '../../../lib/range-presets.ts';
import { zoneNameOf } from '../../../ui/reader.ts';
import type { FigureReportSearch } from './figure-report-search.ts';

const DEFAULT: RangePreset = '30d';

type At = { now: Date; timeZone: string | undefined };

/** The times a report is over. One without an end goes up to now; one without a start has the usual length before its end. */
export function timesOf({ start_time: start, end_time: end }: FigureReportSearch, { now, timeZone }: At) {
  // A day that begins with the end is none of it.
  const last = end === undefined || end > now.toISOString() ? now : new Date(Date.parse(end) - 1);
  return {
    start_time: start ?? presetTimes(DEFAULT, last, timeZone).start.toISOString(),
    ...(end === undefined ? {} : { end_time: end }),
    time_zone: zoneNameOf({ timeZone }),
  };
}

/** As the address has it; a preset that goes on has no end, so that the same address shows what came since. */
export function searchOf({ start, end }: { start: Date; end: Date }, { now }: Pick<At, 'now'>): FigureReportSearch {
  return { start_time: start.toISOString(), end_time: end > now ? undefined : end.toISOString() };
}

/** The preset an address says, if it is one. */
export function presetOf(search: FigureReportSearch, at: At): RangePreset | undefined {
  if (search.start_time === undefined && search.end_time === undefined) return DEFAULT;
  return rangePresets.find((preset) => {
    const { start_time, end_time } = searchOf(presetTimes(preset, at.now, at.timeZone), at);
    return start_time === search.start_time && end_time === search.end_time;
  });
}
