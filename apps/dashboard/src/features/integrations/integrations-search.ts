import { connectorStates } from '@airdeck/contracts/connectors/schema';
import { limits } from '@airdeck/contracts/limits';
import { checkedSearch, choiceParam, filterParam, filtersOf, textParam } from '../../lib/search-params.ts';

/** Parts of one integration's screen, in order. */
export const integrationPanels = ['overview', 'health', 'settings'] as const;
export type IntegrationPanel = (typeof integrationPanels)[number];

export function integrationsSearch(search: Record<string, unknown>) {
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    filters: filtersOf({ state: filterParam(search, 'state', connectorStates) }),
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
