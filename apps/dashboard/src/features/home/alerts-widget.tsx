import { lazy, Suspense } from 'react';
import { ListSkeleton } from '../../components/widgets/list-skeleton.tsx';
import classes from '../../components/widgets/list-widget.module.css';
import { t } from '../../language/translate.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { useFigures } from './use-figures.ts';

const AlertsTable = lazy(() => import('./alerts-table.tsx').then((module) => ({ default: module.AlertsTable })));

const NoAlerts = lazy(() => import('./no-alerts.tsx').then((module) => ({ default: module.NoAlerts })));

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void };

/** The newest alerts of a period; each opens its case. */
export function AlertsWidget({ span, onSpan }: Props) {
  const { data, error, isPlaceholderData, isFetching, refetch, dataUpdatedAt } = useFigures(span);
  if (data === undefined) {
    if (error === null) return <ListSkeleton label={t('Loading triggered alerts')} />;
    return (
      <div className={classes.center}>
        <ErrorState error={error} retrying={isFetching} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (data.triggered_alerts.length === 0) {
    return (
      <div className={classes.center}>
        <Suspense fallback={null}>
          <NoAlerts span={span} onSpan={onSpan} />
        </Suspense>
      </div>
    );
  }
  return (
    <Suspense fallback={<ListSkeleton label={t('Loading triggered alerts')} />}>
      <div className={classes.content} data-sources data-dimmed={isPlaceholderData || undefined}>
        <AlertsTable figures={data} span={span} updatedAt={isPlaceholderData ? undefined : dataUpdatedAt} />
      </div>
    </Suspense>
  );
}
