import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { useMemo } from 'react';
import { BarChart } from '../../components/bar-chart/bar-chart.tsx';
import { evenMarks } from '../../components/bar-chart/column-marks.ts';
import { SeriesMark } from '../../components/widgets/series-mark.tsx';
import { numberFormat, useReader } from '../../ui/reader.ts';
import classes from './air-overview.module.css';
import { type TrendKind, trendKinds } from './trend-kinds.ts';
import { dayText } from './trend-panel.tsx';

const AXIS_PX = { count: 32, seconds: 56 } as const;
const MARK_WIDTH_PX = 72;
const MOST_BAR_PX = 18;

/** Two bars for each part: days without anything to average show none. */
export function TrendChart({ trend, kind }: { trend: AirOverview['trend']; kind: TrendKind }) {
  const reader = useReader();
  const { series, isTime } = trendKinds[kind];
  const measure = isTime ? 'seconds' : 'count';
  const text = (value: number) => (isTime ? formatDuration(value, reader.locale) : numberFormat(reader).format(value));
  const columns = useMemo(() => trend.map(({ t: key, ...values }) => ({ key, values })), [trend]);
  const days = trend.map(({ t }) => dayText(t, reader));
  return (
    <BarChart
      arrangement="grouped"
      columns={columns}
      series={series}
      mostBarPx={MOST_BAR_PX}
      measure={measure}
      axisPx={AXIS_PX[measure]}
      marks={(most) => evenMarks(days, most)}
      markWidthPx={MARK_WIDTH_PX}
      tooltip={(at) => (
        <div className={classes.tooltip}>
          <div className={classes.tooltipTime}>{days[at]}</div>
          {series.map((each) => {
            const value = trend[at]?.[each.name] ?? null;
            return (
              <div key={each.name} className={classes.tooltipRow}>
                <SeriesMark {...each} />
                {each.label}
                <span className={classes.tooltipValue}>{value === null ? '–' : text(value)}</span>
              </div>
            );
          })}
        </div>
      )}
    />
  );
}
