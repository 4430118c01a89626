import { limits } from '@airdeck/contracts/limits';
import { runStatuses } from '@airdeck/contracts/statuses';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { filtersOf } from '../../lib/search-params.ts';
import { runQueries } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { type PlaybookActivitySearch, runListFilter } from './activity-search.ts';
import { NoRuns } from './no-runs.tsx';
import { runColumns } from './run-columns.tsx';
import { RunListFooter } from './run-list-footer.tsx';
import { statusFacet } from './status-facet.tsx';

const route = getRouteApi('/_dashboard/activity/playbooks/');

/** Runs of playbooks, newest first. */
export function PlaybookActivityPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const tenantApi = useTenantApi();
  const page = search.page ?? 1;
  const filter = runListFilter(search);
  const runs = useQuery({ ...runQueries.list(tenantApi, filter, page - 1), placeholderData: keepPreviousData });
  const isFull = runs.data?.length === limits.playbookActivityPageSize && !runs.isPlaceholderData;
  // The list has no total: whether there is a next page is known by looking, which also makes paging on instant.
  const next = useQuery({ ...runQueries.list(tenantApi, filter, page), enabled: isFull, refetchInterval: false });
  const change = (part: Partial<PlaybookActivitySearch>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...part }), replace: true });
  const turnTo = (to: number) =>
    void navigate({ search: (before) => ({ ...before, page: to === 1 ? undefined : to }) });

  return (
    <>
      <PageHeader title="Playbooks" purpose="Every run of a playbook, and what it waits for." />
      <FilterBar
        q={search.q}
        searchLabel="Search by playbook"
        onSearch={(q) => change({ q })}
        facets={[statusFacet(runStatuses, search.filters?.status)]}
        onFacet={(id, selected) =>
          change({ filters: filtersOf({ ...search.filters, [id]: selected }) as PlaybookActivitySearch['filters'] })
        }
        onClear={() => change({ q: undefined, filters: undefined })}
      />
      {runs.data !== undefined ? (
        <DataTable
          label="Playbook runs"
          columns={runColumns}
          rows={runs.data.map(({ summary }) => summary)}
          rowId={({ workflow_uuid }) => workflow_uuid}
          onOpen={({ workflow_uuid }) =>
            void navigate({ to: '/activity/playbooks/$id', params: { id: workflow_uuid } })
          }
          dimmed={runs.isPlaceholderData}
          empty={
            <NoRuns
              page={page}
              filtered={search.q !== undefined || search.filters !== undefined}
              onFirstPage={() => turnTo(1)}
              onClear={() => change({ q: undefined, filters: undefined })}
            />
          }
          footer={
            <RunListFooter
              page={page}
              shown={runs.data.length}
              hasNext={isFull && (next.data === undefined || next.data.length > 0)}
              updatedAt={runs.dataUpdatedAt}
              onPage={turnTo}
            />
          }
        />
      ) : runs.isError ? (
        <Panel>
          <ErrorState error={runs.error} onRetry={() => void runs.refetch()} retrying={runs.isFetching} />
        </Panel>
      ) : (
        <Loading label="Loading playbook runs">
          <TableSkeleton rows={limits.playbookActivityPageSize} />
        </Loading>
      )}
    </>
  );
}
