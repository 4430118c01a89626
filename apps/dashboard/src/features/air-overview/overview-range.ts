import { isDay } from '../../lib/days.ts';
import { type RangePreset, rangePresets } from '../../lib/range-presets.ts';
import { checkedSearch, choiceParam, textParam } from '../../lib/search-params.ts';

export const DEFAULT_RANGE: RangePreset = '30d';

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

function dayParam(search: Record<string, unknown>, name: string): string | undefined {
  const text = textParam(search, name, 10);
  return isDay(text) ? text : undefined;
}
