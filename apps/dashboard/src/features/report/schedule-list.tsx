import type { ReportSchedule } from '@airdeck/contracts/reports/schema';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useRef } from 'react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { searchReportQueries } from '../../queries/search-reports.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading, TableSkeleton } from '../../ui/skeletons.tsx';
import { useFocusBack } from '../../ui/use-focus-back.ts';
import { scheduleColumns } from './schedule-columns.tsx';

const ScheduleDialog = lazy(() =>
  import('./schedule-dialog.tsx').then((module) => ({ default: module.ScheduleDialog })),
);

type Props = {
  /** Id of the schedule in the dialog, or `new`. */
  editing: string | undefined;
  onEdit: (schedule: string | undefined) => void;
};

/** Reports that are made by themselves; one opens in a dialog to be changed. */
export function ScheduleList({ editing, onEdit }: Props) {
  const list = useQuery(searchReportQueries.schedules(useTenantApi()));
  const table = useRef<HTMLDivElement>(null);
  const mayWork = useAccess('searchReportWork').allowed;
  useFocusBack(table, editing !== undefined);
  if (list.data === undefined) {
    return list.isError ? (
      <Panel>
        <ErrorState error={list.error} onRetry={() => void list.refetch()} retrying={list.isFetching} />
      </Panel>
    ) : (
      <Loading label={t('Loading schedules')}>
        <TableSkeleton rows={4} />
      </Loading>
    );
  }
  const open = list.data.find(({ id }) => id === editing);
  return (
    <>
      <div ref={table}>
        <DataTable<ReportSchedule>
          label={t('Schedules')}
          columns={scheduleColumns}
          rows={list.data}
          rowId={({ id }) => id}
          {...(mayWork ? { onOpen: ({ id }) => onEdit(id) } : {})}
          openId={editing}
          empty={
            <EmptyState
              title={t('No schedules yet')}
              action={mayWork ? <Button onClick={() => onEdit('new')}>{t('New schedule')}</Button> : undefined}
            >
              {t(
                'Have the events of a search written to a file every day, week or month, and tell people when it is there.',
              )}
            </EmptyState>
          }
          footer={<span role="status">{plural(list.data.length, '{count} schedule', '{count} schedules')}</span>}
        />
      </div>
      {!mayWork || (open === undefined && editing !== 'new') ? null : (
        <Suspense fallback={null}>
          <ScheduleDialog key={editing} schedule={open} onClose={() => onEdit(undefined)} />
        </Suspense>
      )}
    </>
  );
}
