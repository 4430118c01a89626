import { runStatuses } from '@airdeck/contracts/statuses';
import { defined, filterParam, filtersOf, textParam } from '../../lib/search-params.ts';

/** Statuses and types the filters of action activity offer (spec §2). */
export const actionFilterStatuses = ['pending', 'running', 'cancelled', 'success', 'error'] as const;
export const actionFilterTypes = ['playbook', 'standalone'] as const;

export function actionActivitySearch(search: Record<string, unknown>) {
  return defined({
    q: textParam(search, 'q'),
    action: textParam(search, 'action', 36),
    filters: filtersOf({
      status: filterParam(search, 'status', actionFilterStatuses),
      type: filterParam(search, 'type', actionFilterTypes),
    }),
  });
}

export function playbookActivitySearch(search: Record<string, unknown>) {
  return defined({
    q: textParam(search, 'q'),
    filters: filtersOf({ status: filterParam(search, 'status', runStatuses) }),
  });
}
