import {
  checkedSearch,
  choiceParam,
  filtersOf,
  flagParam,
  idParam,
  pageParam,
  textParam,
  timeRangeParams,
} from '../../../lib/search-params.ts';

/** Parts of the screen, in order. */
export const tenantPanels = [
  'users',
  'details',
  'sign-in',
  'retention',
  'case-times',
  'sources',
  'networks',
  'brand',
  'automation',
  'customers',
  'audit',
  'usage',
  'operations',
] as const;
export type TenantPanel = (typeof tenantPanels)[number];

const FILTER_MAX = 200;

/** `q` and `panel` of spec §2; the rest belongs to one panel each. */
export function tenantSettingsSearch(search: Record<string, unknown>) {
  return checkedSearch({
    panel: choiceParam(search, 'panel', tenantPanels),
    // Users: page, whether disabled ones show, and the one that is open.
    q: textParam(search, 'q', 500),
    disabled: flagParam(search, 'disabled'),
    page: pageParam(search),
    user: idParam(search, 'user'),
    // Audit.
    filters: filtersOf({
      actor: filterText(search, 'actor'),
      action: filterText(search, 'action'),
      target: filterText(search, 'target'),
      outcome: choiceParam(nested(search), 'outcome', ['ok', 'refused']),
    }),
    ...timeRangeParams(search, 'startTime', 'endTime'),
  });
}

export type TenantSettingsSearch = ReturnType<typeof tenantSettingsSearch>;

/** Parts of the search to change; undefined drops one. */
export type SearchChange = { [K in keyof TenantSettingsSearch]?: TenantSettingsSearch[K] | undefined };

function nested({ filters }: Record<string, unknown>): Record<string, unknown> {
  return typeof filters === 'object' && filters !== null ? (filters as Record<string, unknown>) : {};
}

function filterText(search: Record<string, unknown>, name: string): string | undefined {
  const text = textParam(nested(search), name, FILTER_MAX)?.trim();
  return text === '' ? undefined : text;
}
