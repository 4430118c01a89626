import { checkedSearch, timeParam } from '../../../lib/search-params.ts';

/** `start_time` and `end_time` of spec §2; without them the last thirty days. */
export function figureReportSearch(search: Record<string, unknown>) {
  const [start, end] = [timeParam(search, 'start_time'), timeParam(search, 'end_time')];
  const isRange = start === undefined || end === undefined || start < end;
  return checkedSearch({ start_time: isRange ? start : undefined, end_time: isRange ? end : undefined });
}

export type FigureReportSearch = ReturnType<typeof figureReportSearch>;
