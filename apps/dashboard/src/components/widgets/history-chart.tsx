import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useElementSize } from '@mantine/hooks';
import type { DateRange } from '../../queries/dashboards.ts';
import { useReader } from '../../ui/reader.ts';
import { type AlertBucket, bucketLength, bucketText, dayMarks, dayText } from './alert-buckets.ts';
import { alertSeries } from './alert-series.ts';
import { Brush, PLOT_LEFT_PX, PLOT_RIGHT_PX } from './chart-brush.tsx';
import classes from './history-widget.module.css';

const series = alertSeries.map(({ name, color, word }) => ({ name, color, label: word }));

const MARK_WIDTH_PX = 72;
const MOST_BAR_PX = 28;

type Props = { history: AlertBucket[]; onRange?: ((range: DateRange) => void) | undefined };

/** Stacked bars of alerts by priority. Pulling over some of them shows the days they belong to. */
export function HistoryChart({ history, onRange }: Props) {
  const reader = useReader();
  const { ref, width } = useElementSize();
  const length = bucketLength(history);
  return (
    <Brush history={history} onRange={onRange} chart={ref}>
      <BarChart
        h="100%"
        data={history}
        dataKey="t"
        type="stacked"
        series={series}
        maxBarWidth={MOST_BAR_PX}
        gridAxis="x"
        tickLine="none"
        strokeDasharray="0"
        gridColor="var(--air-grid)"
        textColor="var(--air-text-2)"
        accessibilityLayer={false}
        barProps={{ isAnimationActive: false, stroke: 'var(--air-panel)', strokeWidth: 1 }}
        barChartProps={{ margin: { top: 4, right: PLOT_RIGHT_PX, bottom: 0, left: 0 }, barCategoryGap: '20%' }}
        yAxisProps={{ allowDecimals: false, width: PLOT_LEFT_PX, tickCount: 4 }}
        xAxisProps={{
          ticks: dayMarks(history, Math.max(2, Math.floor(width / MARK_WIDTH_PX)), reader),
          tickFormatter: (t: string) => dayText(t, reader),
          interval: 'preserveStart',
        }}
        tooltipProps={{
          cursor: { fill: 'var(--air-hover)' },
          isAnimationActive: false,
          content: ({ label }) => <Bucket bucket={history.find(({ t }) => t === label)} length={length} />,
        }}
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
