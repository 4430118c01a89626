import { limits } from '@airdeck/contracts/limits';
import { checkedSearch, filterParam, filtersOf, flagParam, textParam } from '../../lib/search-params.ts';

const ACTION_ID_MAX = 200;

/** `action` is the action in the drawer; `settings` unfolds there what it takes and gives. */
export function actionsSearch(search: Record<string, unknown>) {
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    action: textParam(search, 'action', ACTION_ID_MAX),
    settings: flagParam(search, 'settings') === true ? true : undefined,
    filters: filtersOf({ vendor: filterParam(search, 'vendor') }),
  });
}

export type ActionsSearch = ReturnType<typeof actionsSearch>;
