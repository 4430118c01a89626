import { limits } from '@airdeck/contracts/limits';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import { filtersOf } from '../../lib/search-params.ts';
import { actionRunQueries } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import type { Facet } from '../../ui/facet-menu.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { actionColumns } from './action-columns.tsx';
import { ActionListFooter } from './action-list-footer.tsx';
import { type ActionActivitySearch, actionFilterStatuses, actionListFilter } from './activity-search.ts';
import { firstOfEach } from './first-of-each.ts';
import { NoActions } from './no-actions.tsx';
import { statusFacet } from './status-facet.tsx';

const ActionPanel = lazy(() => import('./action-panel.tsx').then((module) => ({ default: module.ActionPanel })));

const route = getRouteApi('/_dashboard/activity/actions/');

/** Every action that ran, newest first, without end. */
export function ActionActivityPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(actionRunQueries.list(useTenantApi(), actionListFilter(search)));
  const rows = useMemo(
    () => firstOfEach(list.data?.pages.flat() ?? [], ({ details }) => details.context.action_uuid),
    [list.data],
  );
  const change = (part: Partial<ActionActivitySearch>, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace, resetScroll: false });
  const clear = () => change({ q: undefined, filters: undefined });
  const table = useRef<HTMLDivElement>(null);
  useFocusBack(table, search.action !== undefined);
  // The panel stays while it closes, to slide out.
  const [panelId, setPanelId] = useState(search.action);
  if (search.action !== undefined && search.action !== panelId) setPanelId(search.action);

  return (
    <>
      <PageHeader
        title={t('Action runs')}
        purpose={t('Every action that ran, by hand, by an event or in a playbook.')}
      />
      <FilterBar
        q={search.q}
        searchLabel={t('Search by action')}
        onSearch={(q) => change({ q })}
        facets={[statusFacet(actionFilterStatuses, search.filters?.status), typeFacet(search.filters?.type)]}
        onFacet={(id, selected) =>
          change({ filters: filtersOf({ ...search.filters, [id]: selected }) as ActionActivitySearch['filters'] })
        }
        onClear={clear}
      />
      {list.data !== undefined ? (
        <div ref={table}>
          <DataTable
            label={t('Action runs')}
            columns={actionColumns}
            rows={rows}
            rowId={({ details }) => details.context.action_uuid}
            onOpen={({ details }) => change({ action: details.context.action_uuid }, false)}
            openId={search.action}
            empty={<NoActions filtered={search.q !== undefined || search.filters !== undefined} onClear={clear} />}
            footer={
              <ActionListFooter
                shown={rows.length}
                updatedAt={list.dataUpdatedAt}
                hasMore={list.hasNextPage}
                loading={list.isFetchingNextPage}
                failed={list.isFetchNextPageError}
                onMore={() => void list.fetchNextPage({ cancelRefetch: false })}
              />
            }
          />
        </div>
      ) : list.isError ? (
        <Panel>
          <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
        </Panel>
      ) : (
        <Loading label={t('Loading action runs')}>
          <TableSkeleton rows={limits.actionActivityPageSize} />
        </Loading>
      )}
      {panelId === undefined ? null : (
        <Suspense fallback={null}>
          <ActionPanel
            id={panelId}
            opened={search.action !== undefined}
            onClose={() => change({ action: undefined }, false)}
            onRetried={({ details }) => change({ action: details.context.action_uuid })}
          />
        </Suspense>
      )}
    </>
  );
}

function typeFacet(selected: readonly string[] = []): Facet {
  return {
    id: 'type',
    label: t('Type'),
    selected,
    options: [
      { value: 'playbook', label: t('In a playbook') },
      { value: 'standalone', label: t('On its own') },
    ],
  };
}
