import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import classes from './alerts-widget.module.css';
import { NoAlerts } from './no-alerts.tsx';
import { useFigures } from './use-figures.ts';
import widgetClasses from './widget.module.css';

const AlertsTable = lazy(() => import('./alerts-table.tsx').then((module) => ({ default: module.AlertsTable })));

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void };

/** The newest alerts of a period; each opens its case. */
export function AlertsWidget({ span, onSpan }: Props) {
  const { data, error, isPlaceholderData, isFetching, refetch, dataUpdatedAt } = useFigures(span);
  if (data === undefined) {
    if (error === null) return <AlertsSkeleton />;
    return (
      <div className={classes.center}>
        <ErrorState error={error} retrying={isFetching} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data.triggered_alerts.length === 0) {
    return (
      <div className={classes.center}>
        <NoAlerts span={span} onSpan={onSpan} />
      </div>
    );
  }
  return (
    <Suspense fallback={<AlertsSkeleton />}>
      <div className={classes.content} data-dimmed={isPlaceholderData || undefined}>
        <AlertsTable figures={data} span={span} updatedAt={dataUpdatedAt} />
      </div>
    </Suspense>
  );
}

function AlertsSkeleton() {
  return (
    <div className={widgetClasses.late}>
      <Loading label="Loading triggered alerts">
        <div className={classes.skeleton}>
          {Array.from({ length: 7 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never move
            <div key={index} className={classes.skeletonRow}>
              <Skeleton height={10} width={72} />
              <Skeleton height={10} width={`${36 + ((index * 11) % 24)}%`} />
              <Skeleton height={10} width={80} ml="auto" />
            </div>
          ))}
        </div>
      </Loading>
    </div>
  );
}
