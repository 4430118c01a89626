import { caseFigures } from '@airdeck/contracts/cases/figures';
import type { CaseListQuery } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { caseSeverities, caseStatuses } from '@airdeck/contracts/statuses';
import { isUuid } from '@airdeck/domain/uuid';
import {
  checkedSearch,
  choiceParam,
  filterParam,
  filtersOf,
  idParam,
  pageParam,
  textParam,
  timeRangeParams,
} from '../../lib/search-params.ts';

/** Sort keys of the list's columns. */
const sorts = [
  '-time_opened',
  'time_opened',
  '-severity',
  'severity',
  '-time_updated',
  'time_updated',
] as const satisfies readonly CaseListQuery['sort'][];

/** The table is what is shown when nothing is said. */
const views = ['board'] as const;

/** Policies one address names. */
const POLICIES_MAX = 50;

/**
 * Search parameters of the case list: those of spec §2, what figures, policies and techniques open it with, and view, sort,
 * page and the case in the side panel.
 */
export function caseListSearch(search: Record<string, unknown>) {
  return checkedSearch({
    ...timeRangeParams(search, 'startTime', 'endTime'),
    q: textParam(search, 'q', limits.searchTextMax),
    filters: filtersOf({
      status: filterParam(search, 'status', caseStatuses),
      severity: filterParam(search, 'severity', caseSeverities),
      source: filterParam(search, 'source'),
      category: filterParam(search, 'category'),
    }),
    policy: idsParam(search, 'policy'),
    technique: /^T\d{4}$/.exec(String(search.technique))?.[0],
    figure: choiceParam(search, 'figure', caseFigures),
    view: choiceParam(search, 'view', views),
    sort: choiceParam(search, 'sort', sorts),
    page: pageParam(search),
    case: idParam(search, 'case'),
  });
}

export type CaseListSearch = ReturnType<typeof caseListSearch>;

/** Parts of the search to change; undefined drops one. */
export type CaseListChange = { [K in keyof CaseListSearch]?: CaseListSearch[K] | undefined };

/** As a list, which the router writes, or as one text with commas, which people do. */
function idsParam(search: Record<string, unknown>, name: string): string[] | undefined {
  const given = search[name];
  const texts: unknown[] = Array.isArray(given)
    ? given
    : (textParam(search, name, POLICIES_MAX * 37)?.split(',') ?? []);
  const ids = texts.flatMap((text) => (typeof text === 'string' && isUuid(text) ? [text.toLowerCase()] : []));
  return ids.length === 0 ? undefined : ids.slice(0, POLICIES_MAX);
}
