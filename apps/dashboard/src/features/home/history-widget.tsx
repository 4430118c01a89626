import { lazy, Suspense } from 'react';
import { AlertHistory, AlertHistorySkeleton } from '../../components/widgets/alert-history.tsx';
import widgetClasses from '../../components/widgets/list-widget.module.css';
import { withinSpan } from '../../components/widgets/span-text.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { useReader } from '../../ui/reader.ts';
import { useFigures } from './use-figures.ts';

const NoAlerts = lazy(() => import('./no-alerts.tsx').then((module) => ({ default: module.NoAlerts })));

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void; view: 'chart' | 'table' };

/** Alerts over time by priority. */
export function HistoryWidget({ span, onSpan, view }: Props) {
  const { data, error, isPlaceholderData, isFetching, refetch } = useFigures(span);
  const reader = useReader();
  if (data === undefined) {
    if (error === null) return <AlertHistorySkeleton />;
    return (
      <div className={widgetClasses.center}>
        <ErrorState error={error} retrying={isFetching} onRetry={() => void refetch()} />
      </div>
    );
  }
  const { high, medium, low } = data.alert_counts;
  if (high + medium + low === 0) {
    return (
      <div className={widgetClasses.center}>
        <Suspense fallback={null}>
          <NoAlerts span={span} onSpan={onSpan} />
        </Suspense>
      </div>
    );
  }
  return (
    <AlertHistory
      history={data.alert_history}
      counts={data.alert_counts}
      view={view}
      within={withinSpan(span, reader)}
      dimmed={isPlaceholderData}
      onRange={(range) => onSpan({ period: 'CUSTOM', range })}
    />
  );
}
