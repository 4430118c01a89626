import '@mantine/charts/styles.css';
import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { BarChart } from '@mantine/charts';
import { useHatching } from '../../components/widgets/hatching.tsx';
import { SeriesMark } from '../../components/widgets/series-mark.tsx';
import { numberFormat, useReader } from '../../ui/reader.ts';
import classes from './air-overview.module.css';
import { type TrendKind, trendKinds } from './trend-kinds.ts';
import { dayText } from './trend-panel.tsx';

const MOST_BAR_PX = 18;

/** Two bars for each part: days without anything to average show none. */
export function TrendChart({ trend, kind }: { trend: AirOverview['trend']; kind: TrendKind }) {
  const reader = useReader();
  const { series, isTime } = trendKinds[kind];
  const { patterns, fillOf } = useHatching(series);
  const text = (value: number) => (isTime ? formatDuration(value, reader.locale) : numberFormat(reader).format(value));
  return (
    <BarChart
      h="100%"
      data={trend}
      dataKey="t"
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
      yAxisProps={{ allowDecimals: isTime, width: isTime ? 56 : 32, tickCount: 4, tickFormatter: text }}
      xAxisProps={{ tickFormatter: (t: string) => dayText(t, reader), interval: 'preserveStartEnd', minTickGap: 24 }}
      tooltipProps={{
        cursor: { fill: 'var(--air-hover)' },
        isAnimationActive: false,
        content: ({ label }) => {
          const part = trend.find(({ t }) => t === label);
          if (part === undefined) return null;
          return (
            <div className={classes.tooltip}>
              <div className={classes.tooltipTime}>{dayText(part.t, reader)}</div>
              {series.map((each) => {
                const value = part[each.name];
                return (
                  <div key={each.name} className={classes.tooltipRow}>
                    <SeriesMark {...each} />
                    {each.label}
                    <span className={classes.tooltipValue}>{value === null ? '–' : text(value)}</span>
                  </div>
                );
              })}
            </div>
          );
        },
      }}
    >
      {patterns}
    </BarChart>
  );
}
