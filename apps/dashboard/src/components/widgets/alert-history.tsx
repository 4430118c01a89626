import { Skeleton } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { t } from '../../language/translate.ts';
import type { DateRange } from '../../queries/dashboards.ts';
import { Count } from '../../ui/count.tsx';
import { useReader } from '../../ui/reader.ts';
import { Loading } from '../../ui/skeletons.tsx';
import { type AlertBucket, bucketLength, perBucket, zoneText } from './alert-buckets.ts';
import { alertSeries } from './alert-series.ts';
import classes from './history-widget.module.css';
import frameClasses from './widget.module.css';

const HistoryChart = lazy(() => import('./history-chart.tsx').then((module) => ({ default: module.HistoryChart })));

const HistoryTable = lazy(() => import('./history-table.tsx').then((module) => ({ default: module.HistoryTable })));

type Props = {
  /** Oldest first, all of one length but for days on which clocks change. */
  history: AlertBucket[];
  counts: Readonly<Record<'high' | 'medium' | 'low', number>>;
  view: 'chart' | 'table';
  /** Ends a sentence: "in the last 7 days". */
  within: string;
  /** Those of another period, until these are there. */
  dimmed: boolean;
  /** Shows the days that were marked in the chart; without it nothing can be marked. */
  onRange?: (range: DateRange) => void;
};

/** Alerts over time by priority, as a chart or as the table of the same numbers. */
export function AlertHistory({ history, counts, view, within, dimmed, onRange }: Props) {
  const painted = useIsPainted();
  const { high, medium, low } = counts;
  return (
    <div className={classes.content} data-dimmed={dimmed || undefined}>
      <Legend history={history} counts={counts} />
      {view === 'table' ? (
        <Suspense fallback={<ChartPlaceholder />}>
          <HistoryTable history={history} />
        </Suspense>
      ) : (
        <div
          className={classes.chart}
          role="img"
          aria-label={t(
            'Alerts over time {within}: {high} high, {medium} medium, {low} low priority. The table shows the same numbers.',
            { within, high, medium, low },
          )}
        >
          {painted ? (
            <Suspense fallback={<ChartPlaceholder />}>
              <HistoryChart history={history} onRange={onRange} />
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
function Legend({ history, counts }: Pick<Props, 'history' | 'counts'>) {
  const reader = useReader();
  const unit = perBucket(bucketLength(history));
  const zone = zoneText(new Date(), reader);
  return (
    <div className={classes.legend}>
      {alertSeries.toReversed().map(({ name, icon: Icon, color, word }) => (
        <span key={name} className={classes.series}>
          <Icon size={14} style={{ color }} aria-hidden />
          {word}
          <span className={classes.total}>
            <Count value={counts[name]} />
          </span>
        </span>
      ))}
      <span className={classes.axes}>
        {unit === '' ? t('Alerts, times in {zone}', { zone }) : t('Alerts {unit}, times in {zone}', { unit, zone })}
      </span>
    </div>
  );
}

function ChartPlaceholder() {
  return <Skeleton className={frameClasses.late} height="100%" />;
}

export function AlertHistorySkeleton() {
  return (
    <div className={frameClasses.late}>
      <Loading label={t('Loading alert history')}>
        <div className={classes.content}>
          <Skeleton height={10} width="100%" maw={220} my={5} mb={16} />
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
