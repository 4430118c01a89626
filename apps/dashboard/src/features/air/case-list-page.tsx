import { limits } from '@airdeck/contracts/limits';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { defined } from '../../lib/search-params.ts';
import { caseQueries } from '../../queries/cases.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { caseColumns } from './case-columns.tsx';
import { CaseFilters } from './case-filters.tsx';
import { type CaseListChange, caseListParams, DEFAULT_SORT, isFiltered } from './case-list-search.ts';
import { ListFooter } from './list-footer.tsx';
import { NoCases } from './no-cases.tsx';
import { useOpenKey } from './use-open-key.ts';

const CasePanel = lazy(() => import('./case/case-panel.tsx').then((module) => ({ default: module.CasePanel })));

const route = getRouteApi('/_dashboard/air/case-management/');

/** The cases of a tenant: find the one to work on, and open it beside the list. */
export function CaseListPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = useRef<HTMLDivElement>(null);
  useOpenKey(list);
  const cases = useQuery({
    ...caseQueries.list(useTenantApi(), caseListParams(search)),
    placeholderData: keepPreviousData,
  });
  const page = search.page ?? 1;
  // The panel stays while it closes, to slide out.
  const [panelId, setPanelId] = useState(search.case);
  if (search.case !== undefined && search.case !== panelId) setPanelId(search.case);
  const change = (part: CaseListChange, replace: boolean) =>
    void navigate({ search: (before) => defined({ ...before, ...part }), replace });

  const closePanel = () => {
    list.current?.querySelector<HTMLElement>('[data-row][data-open]')?.focus();
    change({ case: undefined }, false);
  };

  return (
    <>
      <PageHeader title="Case management" purpose="Cases your policies opened, and what is being done about them." />
      <CaseFilters facets={cases.data?.facets} />
      <div ref={list}>
        {cases.data !== undefined ? (
          <DataTable
            label="Cases"
            columns={caseColumns}
            rows={cases.data.cases}
            rowId={({ id }) => id}
            onOpen={({ id }) => change({ case: id }, false)}
            openId={search.case}
            sort={search.sort ?? DEFAULT_SORT}
            onSort={(sort) => change({ sort: sort as CaseListChange['sort'], page: undefined }, true)}
            dimmed={cases.isPlaceholderData}
            empty={
              <NoCases
                total={cases.data.total}
                filtered={isFiltered(search)}
                onFirstPage={() => change({ page: undefined }, true)}
                onClear={() =>
                  change({ q: undefined, filters: undefined, startTime: undefined, page: undefined }, true)
                }
              />
            }
            footer={
              <ListFooter
                page={page}
                pageSize={limits.listDefault}
                shown={cases.data.cases.length}
                total={cases.data.total}
                updatedAt={cases.dataUpdatedAt}
                onPage={(next) => change({ page: next === 1 ? undefined : next }, false)}
              />
            }
          />
        ) : cases.isError ? (
          <Panel>
            <ErrorState error={cases.error} onRetry={() => void cases.refetch()} retrying={cases.isFetching} />
          </Panel>
        ) : (
          <Loading label="Loading cases">
            <TableSkeleton rows={limits.listDefault} />
          </Loading>
        )}
      </div>
      {panelId === undefined ? null : (
        <Suspense fallback={null}>
          <CasePanel id={panelId} opened={search.case !== undefined} onClose={closePanel} />
        </Suspense>
      )}
    </>
  );
}
