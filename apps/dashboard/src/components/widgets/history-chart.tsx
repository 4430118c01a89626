import { useMemo } from 'react';
import type { DateRange } from '../../queries/dashboards.ts';
import { useReader } from '../../ui/reader.ts';
import { BarChart } from '../bar-chart/bar-chart.tsx';
import { type AlertBucket, bucketLength, bucketText, dayMarks, dayText } from './alert-buckets.ts';
import { alertSeries } from './alert-series.ts';
import { Brush, PLOT_LEFT_PX } from './chart-brush.tsx';
import classes from './history-widget.module.css';

const MARK_WIDTH_PX = 72;
const MOST_BAR_PX = 28;

type Props = { history: AlertBucket[]; onRange?: ((range: DateRange) => void) | undefined };

/** Stacked bars of alerts by priority. Pulling over some of them shows the days they belong to. */
export function HistoryChart({ history, onRange }: Props) {
  const reader = useReader();
  const columns = useMemo(() => history.map(({ t: key, ...values }) => ({ key, values })), [history]);
  return (
    <Brush history={history} onRange={onRange}>
      <BarChart
        arrangement="stacked"
        columns={columns}
        series={alertSeries}
        mostBarPx={MOST_BAR_PX}
        measure="count"
        axisPx={PLOT_LEFT_PX}
        marks={(most) =>
          dayMarks(history, most, reader).map((time) => ({
            at: history.findIndex(({ t }) => t === time),
            text: dayText(time, reader),
          }))
        }
        markWidthPx={MARK_WIDTH_PX}
        tooltip={(at) => <Bucket bucket={history[at]} length={bucketLength(history, at)} />}
      />
    </Brush>
  );
}

function Bucket({ bucket, length }: { bucket: AlertBucket | undefined; length: number }) {
  const reader = useReader();
  if (bucket === undefined) return null;
  return (
    <div className={classes.tooltip}>
      <div className={classes.tooltipTime}>{bucketText(bucket.t, length, reader)}</div>
      {alertSeries.toReversed().map(({ name, word, color, icon: Icon }) => (
        <div key={name} className={classes.tooltipRow}>
          <Icon size={14} style={{ color }} aria-hidden />
          {word}
          <span className={classes.tooltipValue}>{bucket[name]}</span>
        </div>
      ))}
    </div>
  );
}
