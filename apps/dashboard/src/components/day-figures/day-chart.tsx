import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { useReader } from '../../ui/reader.ts';
import { useHatching } from '../widgets/hatching.tsx';
import { SeriesMark } from '../widgets/series-mark.tsx';
import classes from './day-figures.module.css';
import type { DayRow, DaySeries } from './day-panel.tsx';
import { dayText } from './day-text.ts';

const MOST_BAR_PX = 22;

type Props = { rows: readonly DayRow[]; series: readonly DaySeries[] };

/** Bars by day, one above the other. */
export function DayChart({ rows, series }: Props) {
  const reader = useReader();
  const { patterns, fillOf } = useHatching(series);
  const [first] = series;
  return (
    <BarChart
      h="100%"
      type="stacked"
      data={rows.map(({ day, values }) => ({ day, ...values }))}
      dataKey="day"
      series={series.map(({ name, label, color }) => ({ name, label, color }))}
      maxBarWidth={MOST_BAR_PX}
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      gridColor="var(--air-grid)"
      textColor="var(--air-text-2)"
      accessibilityLayer={false}
      barProps={({ name }) => ({ isAnimationActive: false, fill: fillOf(name) })}
      barChartProps={{ margin: { top: 4, right: 4, bottom: 0, left: 0 }, barCategoryGap: '20%' }}
      yAxisProps={{
        allowDecimals: false,
        width: 64,
        tickCount: 4,
        tickFormatter: (value: number) => first?.text(value) ?? '',
      }}
      xAxisProps={{
        tickFormatter: (day: string) => dayText(day, reader),
        interval: 'preserveStartEnd',
        minTickGap: 24,
      }}
      tooltipProps={{
        cursor: { fill: 'var(--air-hover)' },
        isAnimationActive: false,
        content: ({ label }) => {
          const row = rows.find(({ day }) => day === label);
          if (row === undefined) return null;
          return (
            <div className={classes.tooltip}>
              {dayText(row.day, reader)}
              {series.map((each) => (
                <div key={each.name} className={classes.tooltipRow}>
                  <SeriesMark {...each} />
                  {each.label}
                  <span className={classes.tooltipValue}>{each.text(row.values[each.name] ?? 0)}</span>
                </div>
              ))}
            </div>
          );
        },
      }}
    >
      {patterns}
    </BarChart>
  );
}
