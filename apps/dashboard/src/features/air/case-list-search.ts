import type { CaseListQuery } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { caseSeverities, caseStatuses } from '@airdeck/contracts/statuses';
import { isUuid } from '@airdeck/domain/uuid';
import {
  checkedSearch,
  choiceParam,
  defined,
  filterParam,
  filtersOf,
  textParam,
  wholeNumberParam,
} from '../../lib/search-params.ts';
import type { CaseListParams } from '../../queries/cases.ts';

/** Sort keys of the list's columns. */
const sorts = [
  '-time_opened',
  'time_opened',
  '-severity',
  'severity',
  '-time_updated',
  'time_updated',
] as const satisfies readonly CaseListQuery['sort'][];

export const DEFAULT_SORT: CaseListQuery['sort'] = '-time_opened';

/** What the route takes of one filter with several values. */
const LIST_PARAM_MAX = 200;

/** Search parameters of the case list: those of spec §2, and sort, page and the case in the side panel. */
export function caseListSearch(search: Record<string, unknown>) {
  return checkedSearch({
    startTime: timeParam(search, 'startTime'),
    q: textParam(search, 'q', limits.searchTextMax),
    filters: filtersOf({
      status: filterParam(search, 'status', caseStatuses),
      severity: filterParam(search, 'severity', caseSeverities),
      source: filterParam(search, 'source'),
      category: filterParam(search, 'category'),
    }),
    sort: choiceParam(search, 'sort', sorts),
    page: wholeNumberParam(search, 'page', 1),
    case: idParam(search, 'case'),
  });
}

export type CaseListSearch = ReturnType<typeof caseListSearch>;

/** Parts of the search to change; undefined drops one. */
export type CaseListChange = { [K in keyof CaseListSearch]?: CaseListSearch[K] | undefined };

/** The same as the route takes it. */
export function caseListParams({ startTime, q, filters, sort, page }: CaseListSearch): CaseListParams {
  return defined({
    status: filters?.status?.join(','),
    severity: filters?.severity?.join(','),
    source: fitting(filters?.source),
    category: fitting(filters?.category),
    q,
    start_time: startTime,
    sort: sort ?? DEFAULT_SORT,
    page: page ?? 1,
    limit: limits.listDefault,
  });
}

export function isFiltered({ startTime, q, filters }: CaseListSearch): boolean {
  return startTime !== undefined || q !== undefined || filters !== undefined;
}

/** As many whole values as the route takes; a cut one would find nothing. */
function fitting(values: readonly string[] | undefined): string | undefined {
  if (values === undefined) return undefined;
  let joined = '';
  for (const value of values) {
    const next = joined === '' ? value : `${joined},${value}`;
    if (next.length <= LIST_PARAM_MAX) joined = next;
  }
  return joined === '' ? undefined : joined;
}

/** A time in any form `Date` reads, as ISO; undefined for anything else. */
function timeParam(search: Record<string, unknown>, name: string): string | undefined {
  const text = textParam(search, name, 40);
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function idParam(search: Record<string, unknown>, name: string): string | undefined {
  const text = textParam(search, name, 36)?.toLowerCase();
  return text !== undefined && isUuid(text) ? text : undefined;
}
