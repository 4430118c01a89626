import { limits } from '@airdeck/contracts/limits';
import { runStatuses } from '@airdeck/contracts/statuses';
import { isUuid } from '@airdeck/domain/uuid';
import { checkedSearch, defined, filterParam, filtersOf, pageParam, textParam } from '../../lib/search-params.ts';
import type { ActionListFilter, RunListFilter } from '../../queries/activity.ts';

/** Statuses and types the filters of action activity offer (spec §2). */
export const actionFilterStatuses = ['pending', 'running', 'cancelled', 'success', 'error'] as const;
export const actionFilterTypes = ['playbook', 'standalone'] as const;

/** `action` is the action run in the drawer. */
export function actionActivitySearch(search: Record<string, unknown>) {
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    action: idParam(search, 'action'),
    filters: filtersOf({
      status: filterParam(search, 'status', actionFilterStatuses),
      type: filterParam(search, 'type', actionFilterTypes),
    }),
  });
}

/** `page` counts from 1, as people do. */
export function playbookActivitySearch(search: Record<string, unknown>) {
  return checkedSearch({
    q: textParam(search, 'q', limits.searchTextMax),
    filters: filtersOf({ status: filterParam(search, 'status', runStatuses) }),
    page: pageParam(search),
  });
}

export type ActionActivitySearch = ReturnType<typeof actionActivitySearch>;
export type PlaybookActivitySearch = ReturnType<typeof playbookActivitySearch>;

/** The same as the routes take it. Both types chosen is the same as none. */
export function actionListFilter({ q, filters }: ActionActivitySearch): ActionListFilter {
  const [type, another] = filters?.type ?? [];
  return defined({ q, status: filters?.status?.join(','), type: another === undefined ? type : undefined });
}

export function runListFilter({ q, filters }: PlaybookActivitySearch): RunListFilter {
  return defined({ q, status: filters?.status?.join(',') });
}

function idParam(search: Record<string, unknown>, name: string): string | undefined {
  const text = textParam(search, name, 36)?.toLowerCase();
  return text !== undefined && isUuid(text) ? text : undefined;
}
