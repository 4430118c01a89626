import { checkedSearch, filterParam, filtersOf } from '../../../lib/search-params.ts';
import { storyKinds } from './story-kinds.ts';

/** Search parameters of a case's own page: which kinds of its story are shown. */
export function caseSearch(search: Record<string, unknown>) {
  return checkedSearch({ filters: filtersOf({ kind: filterParam(search, 'kind', storyKinds) }) });
}
