import { checkedSearch, choiceParam, textParam } from '../../lib/search-params.ts';

/** Columns the table sorts by; with a dash the other way around. */
export const sortColumns = ['name', 'open', 'sla', 'connectors', 'event', 'mttd', 'mttr'] as const;
export type SortColumn = (typeof sortColumns)[number];
export type OverviewSort = SortColumn | `-${SortColumn}`;

const sorts: readonly OverviewSort[] = sortColumns.flatMap((column) => [column, `-${column}`] as const);

/** Without a sort the order is the server's: most urgent first. */
export function overviewSearch(search: Record<string, unknown>) {
  return checkedSearch({ q: textParam(search, 'q'), sort: choiceParam(search, 'sort', sorts) });
}

export function isSort(text: string): text is OverviewSort {
  return sorts.some((sort) => sort === text);
}
