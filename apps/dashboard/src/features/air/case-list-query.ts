import type { CaseListQuery } from '@airdeck/contracts/cases/schema';
import { limits } from '@airdeck/contracts/limits';
import { defined, joinedValues } from '../../lib/search-params.ts';
import type { CaseListParams } from '../../queries/cases.ts';
import type { CaseListChange, CaseListSearch } from './case-list-search.ts';

// Apart from the address, which is read before any screen is there: sign-in does not wait for this.
export const DEFAULT_SORT: CaseListQuery['sort'] = '-time_opened';

/** What choosing a start changes: an end before it goes, or the address would drop both and show all cases there are. */
export function startingAt({ endTime }: CaseListSearch, startTime: string | undefined): CaseListChange {
  const isTurned = startTime !== undefined && endTime !== undefined && startTime >= endTime;
  return isTurned ? { startTime, endTime: undefined } : { startTime };
}

/** The same as the route takes it. */
export function caseListParams(search: CaseListSearch): CaseListParams {
  const { sort, page } = search;
  return defined({
    ...caseMatching(search),
    sort: sort ?? DEFAULT_SORT,
    page: page ?? 1,
    limit: limits.listDefault,
  });
}

/** What a case has to fit to be in the list. */
export function caseMatching({ startTime, endTime, q, filters, policy, technique, figure }: CaseListSearch) {
  return defined({
    status: filters?.status?.join(','),
    severity: filters?.severity?.join(','),
    source: joinedValues(filters?.source),
    category: joinedValues(filters?.category),
    q,
    start_time: startTime,
    end_time: endTime,
    policy: policy?.join(','),
    technique,
    figure,
  });
}

export function isFiltered(search: CaseListSearch): boolean {
  return Object.keys(caseMatching(search)).length > 0;
}
