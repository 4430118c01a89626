import type { ConnectorState } from '@airdeck/contracts/connectors/schema';
import { limits } from '@airdeck/contracts/limits';
import { isUuid } from '@airdeck/domain/uuid';
import { checkedSearch, choiceParam, filterParam, filtersOf, textParam } from '../../lib/search-params.ts';

// Not the contract's own list: its file brings the schema library, and addresses are read before any screen is there.
export const filterStates = ['active', 'pending', 'error', 'paused'] as const satisfies readonly ConnectorState[];

/** Parts of one integration's screen, in order. */
export const integrationPanels = ['overview', 'health', 'settings'] as const;
export type IntegrationPanel = (typeof integrationPanels)[number];

export function integrationsSearch(search: Record<string, unknown>) {
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    filters: filtersOf({ state: filterParam(search, 'state', filterStates) }),
  });
}

export function catalogueSearch(search: Record<string, unknown>) {
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    filters: filtersOf({ category: filterParam(search, 'category') }),
  });
}

export function integrationSearch(search: Record<string, unknown>) {
  return checkedSearch({ panel: choiceParam(search, 'panel', integrationPanels) });
}

/** Which imported integration gets a new version. */
export function importSearch(search: Record<string, unknown>) {
  const id = textParam(search, 'replaces', 36)?.toLowerCase();
  return checkedSearch({ replaces: id !== undefined && isUuid(id) ? id : undefined });
}
