import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { BarChart, type LinkedBar } from '../../components/bar-chart/bar-chart.tsx';
import { evenMarks } from '../../components/bar-chart/column-marks.ts';
import { SeriesMark } from '../../components/widgets/series-mark.tsx';
import { numberFormat, useReader } from '../../ui/reader.ts';
import classes from './air-overview.module.css';
import { type TrendKind, trendKinds } from './trend-kinds.ts';
import { dayText } from './trend-panel.tsx';
import { casesOf, partsOf } from './trend-parts.ts';

const AXIS_PX = { count: 32, seconds: 56 } as const;
const MARK_WIDTH_PX = 72;
const MOST_BAR_PX = 18;

type Props = { overview: Pick<AirOverview, 'trend' | 'start_time' | 'end_time'>; kind: TrendKind };

/**
 * Two bars for each part: days without anything to average show none. One that counts cases opens them; one of a mean does not,
 * as its height is no number of cases.
 */
export function TrendChart({ overview, kind }: Props) {
  const reader = useReader();
  const { trend, start_time, end_time } = overview;
  const { series, isTime } = trendKinds[kind];
  const measure = isTime ? 'seconds' : 'count';
  const text = (value: number) => (isTime ? formatDuration(value, reader.locale) : numberFormat(reader).format(value));
  const columns = useMemo(() => trend.map(({ t: key, ...values }) => ({ key, values })), [trend]);
  const days = trend.map(({ t }) => dayText(t, reader));
  const link = useCallback(
    ({ at, name, ...look }: LinkedBar) => {
      const part = partsOf({ trend, start_time, end_time })[at];
      const of = trendKinds.cases.series.find((each) => each.name === name);
      if (part === undefined || of === undefined) return null;
      return <Link to="/air/case-management" search={casesOf(part, of.name)} preload={false} tabIndex={-1} {...look} />;
    },
    [trend, start_time, end_time],
  );
  return (
    <BarChart
      arrangement="grouped"
      columns={columns}
      series={series}
      mostBarPx={MOST_BAR_PX}
      link={isTime ? undefined : link}
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
