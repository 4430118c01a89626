import { caseSeverities, caseStatuses } from '@airdeck/contracts/statuses';
import { defined, filterParam, filtersOf, textParam } from '../../lib/search-params.ts';

/** Search parameters of the case list (spec §2). */
export function caseListSearch(search: Record<string, unknown>) {
  return defined({
    startTime: textParam(search, 'startTime', 40),
    q: textParam(search, 'q'),
    filters: filtersOf({
      status: filterParam(search, 'status', caseStatuses),
      severity: filterParam(search, 'severity', caseSeverities),
      source: filterParam(search, 'source'),
      category: filterParam(search, 'category'),
    }),
  });
}
