import { SegmentedControl } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { LateSkeleton } from '../../ui/late-skeleton.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useReader } from '../../ui/reader.ts';
import type { BarSeries } from '../bar-chart/bar-chart.tsx';
import { SeriesMark } from '../widgets/series-mark.tsx';
import classes from './day-figures.module.css';
import { dayText, zoneText } from './day-text.ts';

const DayChart = lazy(() => import('./day-chart.tsx').then((module) => ({ default: module.DayChart })));

export type DayRow = { day: string; values: Readonly<Record<string, number>> };
export type DaySeries = BarSeries & { label: string; text: (value: number) => string };

type Props = {
  title: string;
  rows: readonly DayRow[];
  series: readonly DaySeries[];
  /** Columns of the table that the chart does not show. */
  more?: readonly DaySeries[];
  aside?: ReactNode;
  /** A sentence about all days, below both. */
  note?: ReactNode;
};

/** Figures by day: as a chart, or as the table of the same numbers. */
export function DayPanel({ title, rows, series, more = [], aside, note }: Props) {
  const reader = useReader();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const isEmpty = rows.every(({ values }) => series.every(({ name }) => (values[name] ?? 0) === 0));
  return (
    <Panel
      title={title}
      flush={view === 'table'}
      aside={
        <span className={classes.aside}>
          <SegmentedControl
            size="xs"
            aria-label={t('{title}: show as', { title })}
            data={[
              { value: 'chart', label: t('Chart') },
              { value: 'table', label: t('Table') },
            ]}
            value={view}
            onChange={(value) => setView(value === 'table' ? 'table' : 'chart')}
          />
          {aside}
        </span>
      }
    >
      {view === 'table' ? (
        <DayTable title={title} rows={rows} columns={[...series, ...more]} />
      ) : isEmpty ? (
        <p className={classes.nothing}>
          {plural(rows.length, 'Nothing on this day.', 'Nothing on any of these {count} days.')}
        </p>
      ) : (
        <>
          <p className={classes.legend}>
            {series.map((each) => (
              <span key={each.name}>
                <SeriesMark {...each} />
                {each.label}
              </span>
            ))}
            <span className={classes.zone}>{zoneText(reader)}</span>
          </p>
          <div
            className={classes.chart}
            role="img"
            aria-label={t('{title}. The table shows the same numbers.', { title })}
          >
            <Suspense fallback={<LateSkeleton height="100%" />}>
              <DayChart rows={rows} series={series} />
            </Suspense>
          </div>
        </>
      )}
      {note === undefined ? null : (
        <p className={classes.note} data-flush={view === 'table' || undefined}>
          {note}
        </p>
      )}
    </Panel>
  );
}

function DayTable({ title, rows, columns }: { title: string; rows: readonly DayRow[]; columns: readonly DaySeries[] }) {
  const reader = useReader();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.tall} aria-label={t('{title} as a table', { title })} tabIndex={0}>
      <table className={classes.table} data-stacks={columns.length > 2 || undefined}>
        <thead>
          <tr>
            <th scope="col">{t('Day')}</th>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col" data-align="end">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map(({ day, values }) => (
            <tr key={day}>
              <th scope="row">{dayText(day, reader)}</th>
              {columns.map(({ name, label, text }) => (
                <td key={name} data-label={label} data-align="end">
                  {text(values[name] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
