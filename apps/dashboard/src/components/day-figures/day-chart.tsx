import { useMemo } from 'react';
import { useReader } from '../../ui/reader.ts';
import { BarChart } from '../bar-chart/bar-chart.tsx';
import { evenMarks } from '../bar-chart/column-marks.ts';
import { SeriesMark } from '../widgets/series-mark.tsx';
import classes from './day-figures.module.css';
import type { DayRow, DaySeries } from './day-panel.tsx';
import { dayText } from './day-text.ts';

const AXIS_PX = 40;
const MARK_WIDTH_PX = 72;
const MOST_BAR_PX = 22;

type Props = { rows: readonly DayRow[]; series: readonly DaySeries[] };

/** Bars by day, one above the other. */
export function DayChart({ rows, series }: Props) {
  const reader = useReader();
  const columns = useMemo(() => rows.map(({ day, values }) => ({ key: day, values })), [rows]);
  const days = rows.map(({ day }) => dayText(day, reader));
  return (
    <BarChart
      arrangement="stacked"
      columns={columns}
      series={series}
      mostBarPx={MOST_BAR_PX}
      measure="count"
      axisPx={AXIS_PX}
      marks={(most) => evenMarks(days, most)}
      markWidthPx={MARK_WIDTH_PX}
      tooltip={(at) => (
        <div className={classes.tooltip}>
          {days[at]}
          {series.map((each) => (
            <div key={each.name} className={classes.tooltipRow}>
              <SeriesMark {...each} />
              {each.label}
              <span className={classes.tooltipValue}>{each.text(rows[at]?.values[each.name] ?? 0)}</span>
            </div>
          ))}
        </div>
      )}
    />
  );
}
