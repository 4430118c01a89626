import type { SearchReport } from '@airdeck/contracts/reports/schema';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import { reportsPollMs, searchReportQueries } from '../../queries/search-reports.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { reportColumns } from './report-columns.tsx';
import { ReportPanel } from './report-panel.tsx';
import { ReportsFooter } from './reports-footer.tsx';

type Props = { openId: string | undefined; onOpen: (id: string | undefined) => void };

/** Reports, newest first; one opens beside the list. */
export function ReportList({ openId, onOpen }: Props) {
  const list = useInfiniteQuery({
    ...searchReportQueries.list(useTenantApi()),
    refetchInterval: ({ state: { data } }) => reportsPollMs(data?.pages),
  });
  const reports = useMemo(() => list.data?.pages.flat(), [list.data]);
  const table = useRef<HTMLDivElement>(null);
  useFocusBack(table, openId !== undefined);
  // The panel keeps what it shows while it slides out.
  const open = reports?.find(({ id }) => id === openId);
  const [shown, setShown] = useState<SearchReport>();
  if (open !== undefined && open !== shown) setShown(open);
  const isMissing = reports !== undefined && openId !== undefined && open === undefined && openId !== shown?.id;
  // Ids grow with time, so the list tells how far down a report stands.
  const isOlder = isMissing && list.hasNextPage && openId < (reports.at(-1)?.id ?? '');
  const { isFetching, isFetchNextPageError, fetchNextPage } = list;
  useEffect(() => {
    if (isOlder && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isOlder, isFetching, isFetchNextPageError, fetchNextPage]);

  if (reports === undefined) {
    return list.isError ? (
      <Panel>
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      </Panel>
    ) : (
      <Loading label={t('Loading search reports')}>
        <TableSkeleton rows={8} />
      </Loading>
    );
  }
  return (
    <>
      <div ref={table}>
        <DataTable
          label={t('Search reports')}
          columns={reportColumns}
          rows={reports}
          rowId={({ id }) => id}
          onOpen={({ id }) => onOpen(id)}
          openId={openId}
          empty={<NoReports />}
          footer={<ReportsFooter count={reports.length} list={list} />}
        />
      </div>
      {shown === undefined ? null : (
        <ReportPanel
          report={shown}
          opened={open !== undefined}
          onClose={() => onOpen(undefined)}
          onMade={(id) => onOpen(id)}
        />
      )}
      {isMissing && list.fetchStatus === 'idle' && (!isOlder || list.isError) ? (
        <SidePanel opened title={t('Report')} onClose={() => onOpen(undefined)}>
          {list.isError ? (
            <ErrorState error={list.error} onRetry={() => void (isOlder ? fetchNextPage() : list.refetch())} />
          ) : (
            <EmptyState title={t('This report is gone')}>
              {t('Somebody deleted it, or its time was over: reports are kept for thirty days.')}
            </EmptyState>
          )}
        </SidePanel>
      ) : null}
    </>
  );
}

function NoReports() {
  const mayWork = useAccess('searchReportWork').allowed;
  return (
    <EmptyState
      title={t('No search reports yet')}
      action={
        mayWork ? (
          <Button component={Link} to="/search">
            {t('Search and export')}
          </Button>
        ) : undefined
      }
    >
      {t('Search for events and choose Export: the file is made in the background and waits here for thirty days.')}
    </EmptyState>
  );
}
