import { checkedSearch, timeRangeParams } from '../../../lib/search-params.ts';

/** `start_time` and `end_time` of spec §2; without them the last thirty days. */
export function figureReportSearch(search: Record<string, unknown>) {
  return checkedSearch(timeRangeParams(search, 'start_time', 'end_time'));
}

export type FigureReportSearch = ReturnType<typeof figureReportSearch>;
