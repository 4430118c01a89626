import { limits } from '@airdeck/contracts/limits';
import { isUuid } from '@airdeck/domain/uuid';
import { checkedSearch, choiceParam, filterParam, filtersOf, textParam } from '../../../lib/search-params.ts';

/** Parts of the drawer, in order. The specification leaves open what `settings` holds; here it is the part that shows. */
export const drawerParts = ['about', 'run', 'runs'] as const;
export type DrawerPart = (typeof drawerParts)[number];

// Not the contract's own list: its file brings the schema library, and addresses are read before any screen is there.
export const triggerFilters = ['manual', 'policy', 'automation', 'playbook'] as const;
export const stateFilters = ['published', 'draft', 'changed'] as const;

const sortIds = ['name', 'success_rate', 'median_duration_s', 'runs_30d', 'updated_at'] as const;
export type PlaybookSort = (typeof sortIds)[number];
const sorts = sortIds.flatMap((id) => [id, `-${id}`] as const);

/** `action` is the playbook in the drawer. */
export function playbooksSearch(search: Record<string, unknown>) {
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    action: idParam(search, 'action'),
    settings: choiceParam(search, 'settings', drawerParts),
    sort: choiceParam(search, 'sort', sorts),
    filters: filtersOf({
      trigger: filterParam(search, 'trigger', triggerFilters),
      state: filterParam(search, 'state', stateFilters),
    }),
  });
}

export type PlaybooksSearch = ReturnType<typeof playbooksSearch>;

function idParam(search: Record<string, unknown>, name: string): string | undefined {
  const text = textParam(search, name, 36)?.toLowerCase();
  return text !== undefined && isUuid(text) ? text : undefined;
}
