import type { ExecutiveReport } from '@airdeck/contracts/reports/executive-report';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { t } from '../../../language/translate.ts';
import { executiveReportQueries } from '../../../queries/executive-reports.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { dateFormat, useReader } from '../../../ui/reader.ts';
import { Loading, TableSkeleton } from '../../../ui/skeletons.tsx';
import { ReportsFooter } from '../reports-footer.tsx';
import { executiveColumns } from './executive-columns.tsx';

/** Reports, newest first, those being made included. */
export function ExecutiveList({ action }: { action: ReactNode }) {
  const list = useInfiniteQuery(executiveReportQueries.list(useTenantApi()));
  const reports = useMemo(() => list.data?.pages.flatMap(({ files }): ExecutiveReport[] => files), [list.data]);
  if (reports === undefined) {
    return list.isError ? (
      <Panel>
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      </Panel>
    ) : (
      <Loading label={t('Loading executive reports')}>
        <TableSkeleton rows={6} />
      </Loading>
    );
  }
  return (
    <DataTable
      label={t('Executive reports')}
      columns={executiveColumns}
      rows={reports}
      rowId={({ id }) => id}
      empty={
        <EmptyState title={t('No report yet')} action={action}>
          <WhenMade />
        </EmptyState>
      }
      footer={<ReportsFooter count={reports.length} list={list} />}
    />
  );
}

/** Only Admins may read whether one is made each month; others are told what holds either way. */
function WhenMade() {
  const settles = useAccess('executiveReportSettings');
  const settings = useQuery({ ...executiveReportQueries.settings(useTenantApi()), enabled: settles.allowed });
  const reader = useReader();
  if (settings.data === undefined) return t('One is made whenever somebody asks for it, and each month if that is on.');
  const { next_report_at: next } = settings.data;
  return next === null
    ? t('One is made whenever somebody asks for it. “Each month” is off.')
    : t('The first one is made on {day}, or whenever somebody asks for one.', {
        day: dateFormat(reader, { dateStyle: 'long' }).format(new Date(next)),
      });
}
