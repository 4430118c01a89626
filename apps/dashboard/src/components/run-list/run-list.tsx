import { limits } from '@airdeck/contracts/limits';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../language/translate.ts';
import { type RunListFilter, runQueries } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { ownRunColumns, runColumns } from './run-columns.tsx';
import { RunListFooter } from './run-list-footer.tsx';

type Props = {
  filter: RunListFilter;
  /** From 1, as people count. */
  page: number;
  onPage: (page: number) => void;
  /** Instead of rows when there are none. */
  empty: ReactNode;
  /** All of one playbook, whose name needs no column. */
  ofOne?: boolean;
};

/** Runs of playbooks, newest first, fifteen to a page; looked at again while one goes on. */
export function RunList({ filter, page, onPage, empty, ofOne = false }: Props) {
  const tenantApi = useTenantApi();
  const navigate = useNavigate();
  const runs = useQuery({ ...runQueries.list(tenantApi, filter, page - 1), placeholderData: keepPreviousData });
  const isFull = runs.data?.length === limits.playbookActivityPageSize && !runs.isPlaceholderData;
  // The list has no total: whether there is a next page is known by looking, which also makes paging on instant.
  const next = useQuery({ ...runQueries.list(tenantApi, filter, page), enabled: isFull, refetchInterval: false });

  if (runs.data === undefined) {
    return runs.isError ? (
      <Panel>
        <ErrorState error={runs.error} onRetry={() => void runs.refetch()} retrying={runs.isFetching} />
      </Panel>
    ) : (
      <Loading label={t('Loading playbook runs')}>
        <TableSkeleton rows={limits.playbookActivityPageSize} />
      </Loading>
    );
  }
  return (
    <DataTable
      label={t('Playbook runs')}
      columns={ofOne ? ownRunColumns : runColumns}
      rows={runs.data.map(({ summary }) => summary)}
      rowId={({ workflow_uuid }) => workflow_uuid}
      onOpen={({ workflow_uuid }) => void navigate({ to: '/activity/playbooks/$id', params: { id: workflow_uuid } })}
      dimmed={runs.isPlaceholderData}
      empty={empty}
      footer={
        <RunListFooter
          page={page}
          shown={runs.data.length}
          hasNext={isFull && (next.data === undefined || next.data.length > 0)}
          updatedAt={runs.dataUpdatedAt}
          onPage={onPage}
        />
      }
    />
  );
}
