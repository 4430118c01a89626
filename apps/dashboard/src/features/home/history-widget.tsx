import type { Dashboard } from '@airdeck/contracts/dashboards/schema';
import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { severityLooks } from '../../components/status-table.ts';
import type { DashboardSpan } from '../../queries/dashboards.ts';
import { Count } from '../../ui/count.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { useReader } from '../../ui/reader.ts';
import { Loading } from '../../ui/skeletons.tsx';
import { bucketLength, perBucket, zoneText } from './alert-buckets.ts';
import widgetClasses from './alerts-widget.module.css';
import { HistoryTable } from './history-table.tsx';
import classes from './history-widget.module.css';
import { NoAlerts } from './no-alerts.tsx';
import { withinSpan } from './span-text.ts';
import { useFigures } from './use-figures.ts';
import frameClasses from './widget.module.css';

const HistoryChart = lazy(() => import('./history-chart.tsx').then((module) => ({ default: module.HistoryChart })));

const priorities = ['high', 'medium', 'low'] as const;

type Props = { span: DashboardSpan; onSpan: (span: DashboardSpan) => void; view: 'chart' | 'table' };

/** Alerts over time by priority, as a chart or as the table of the same numbers. */
export function HistoryWidget({ span, onSpan, view }: Props) {
  const { data, error, isPlaceholderData, isFetching, refetch } = useFigures(span);
  const painted = useIsPainted();
  const reader = useReader();
  if (data === undefined) {
    if (error === null) return <HistorySkeleton />;
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
        <NoAlerts span={span} onSpan={onSpan} />
      </div>
    );
  }
  return (
    <div className={classes.content} data-dimmed={isPlaceholderData || undefined}>
      <Legend figures={data} />
      {view === 'table' ? (
        <HistoryTable history={data.alert_history} />
      ) : (
        <div
          className={classes.chart}
          role="img"
          aria-label={`Alerts over time ${withinSpan(span, reader)}: ${high} high, ${medium} medium, ${low} low priority. The table shows the same numbers.`}
        >
          {painted ? (
            <Suspense fallback={<ChartPlaceholder />}>
              <HistoryChart history={data.alert_history} />
            </Suspense>
          ) : (
            <ChartPlaceholder />
          )}
        </div>
      )}
    </div>
  );
}

/** Totals by priority and what the axes mean: colour, icon and word. */
function Legend({ figures }: { figures: Dashboard }) {
  const reader = useReader();
  const unit = perBucket(bucketLength(figures.alert_history));
  return (
    <div className={classes.legend}>
      {priorities.map((priority) => {
        const { icon: Icon, color, word } = severityLooks[priority];
        return (
          <span key={priority} className={classes.series}>
            <Icon size={14} style={{ color }} aria-hidden />
            {word}
            <span className={classes.total}>
              <Count value={figures.alert_counts[priority]} />
            </span>
          </span>
        );
      })}
      <span className={classes.axes}>
        {unit === '' ? 'Alerts' : `Alerts ${unit}`}, times in {zoneText(new Date(), reader)}
      </span>
    </div>
  );
}

function ChartPlaceholder() {
  return <Skeleton className={frameClasses.late} height="100%" />;
}

function HistorySkeleton() {
  return (
    <div className={frameClasses.late}>
      <Loading label="Loading alert history">
        <div className={classes.content}>
          <Skeleton height={10} width={220} my={5} mb={16} />
          <Skeleton height={150} />
        </div>
      </Loading>
    </div>
  );
}

/** True once the page has been painted: charts are large, and everything else must not wait for them. */
function useIsPainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setPainted(true), 0);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return painted;
}
