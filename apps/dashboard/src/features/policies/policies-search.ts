import { limits } from '@airdeck/contracts/limits';
import type { PolicyOriginKind } from '@airdeck/contracts/policies/schema';
import { caseSeverities } from '@airdeck/contracts/statuses';
import {
  checkedSearch,
  defined,
  filterParam,
  filtersOf,
  idParam,
  joinedValues,
  pageParam,
  textParam,
  timeParam,
} from '../../lib/search-params.ts';
import type { PolicyListParams } from '../../queries/policies.ts';

const policyStatuses = ['enabled', 'disabled'] as const;
// Not the contract's own list: its file brings the schema library, and addresses are read before any screen is there.
const policyCategories = ['own', 'starter', 'sigma', 'provider'] as const satisfies readonly PolicyOriginKind[];

/** Integration and event type, with a colon between them. */
const SOURCE_TEXT_MAX = 201;
const FIELD_MAX = 200;

/**
 * Search parameters of the policy list: those of the case list (spec §2), with `status` as on or off and `category` as
 * where a policy came from, `startTime` as when it last opened a case at the earliest, and `policy`, which is open beside the list.
 */
export function policiesSearch(search: Record<string, unknown>) {
  return checkedSearch({
    startTime: timeParam(search, 'startTime'),
    q: textParam(search, 'q', limits.searchTextMax),
    filters: filtersOf({
      status: filterParam(search, 'status', policyStatuses),
      severity: filterParam(search, 'severity', caseSeverities),
      source: filterParam(search, 'source'),
      category: filterParam(search, 'category', policyCategories),
    }),
    page: pageParam(search),
    policy: idParam(search, 'policy'),
  });
}

export type PoliciesSearch = ReturnType<typeof policiesSearch>;

/** Parts of the search to change; undefined drops one. */
export type PoliciesChange = { [K in keyof PoliciesSearch]?: PoliciesSearch[K] | undefined };

/** The same as the route takes it; both states together are no filter. */
export function policiesParams({ q, filters, page, startTime }: PoliciesSearch): PolicyListParams {
  const [status, second] = filters?.status ?? [];
  return defined({
    q,
    enabled: status === undefined || second !== undefined ? undefined : status === 'enabled' ? 'true' : 'false',
    severity: filters?.severity?.join(','),
    source: joinedValues(filters?.source),
    origin: filters?.category?.join(','),
    start_time: startTime,
    page_number: page ?? 1,
    page_size: limits.policiesPageSize,
  } as const);
}

/** Takes everything away that keeps policies out of the list. */
export const noFilters: PoliciesChange = { q: undefined, filters: undefined, startTime: undefined };

export function isFiltered({ q, filters, startTime }: PoliciesSearch): boolean {
  return q !== undefined || filters !== undefined || startTime !== undefined;
}

/** What shows beside the form. */
const editorPanels = ['events', 'backtest', 'versions'] as const;
export type EditorPanel = (typeof editorPanels)[number];
const editorViews = ['form', 'json'] as const;
export type EditorView = (typeof editorViews)[number];

/** `copy` is the policy a new one starts from; without one, `criterion` is what it begins to look for, at `source`. */
export function editorSearch(search: Record<string, unknown>) {
  return checkedSearch({
    view: editorViews.find((view) => view === search.view && view !== 'form'),
    panel: editorPanels.find((panel) => panel === search.panel && panel !== 'events'),
    copy: idParam(search, 'copy'),
    criterion: criterionParam(search),
    source: textParam(search, 'source', SOURCE_TEXT_MAX),
  });
}

/** A field with the value it has; undefined for anything else. */
function criterionParam({ criterion }: Record<string, unknown>): { field: string; value: string } | undefined {
  if (typeof criterion !== 'object' || criterion === null || Array.isArray(criterion)) return undefined;
  const given = criterion as Record<string, unknown>;
  const field = textParam(given, 'field', FIELD_MAX);
  const value = textParam(given, 'value');
  return field === undefined || value === undefined ? undefined : { field, value };
}

export type EditorSearch = ReturnType<typeof editorSearch>;
