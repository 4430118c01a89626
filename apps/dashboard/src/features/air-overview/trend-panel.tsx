import type { AirOverview } from '@airdeck/contracts/air-overview/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { SegmentedControl } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { zoneText } from '../../components/day-figures/day-text.ts';
import { SeriesMark } from '../../components/widgets/series-mark.tsx';
import { t } from '../../language/translate.ts';
import { LateSkeleton } from '../../ui/late-skeleton.tsx';
import { Panel } from '../../ui/panel.tsx';
import { dateFormat, type Reader, useReader } from '../../ui/reader.ts';
import classes from './air-overview.module.css';
import { type CasesBehind, CasesLink } from './cases-link.tsx';
import { type TrendKind, trendKinds } from './trend-kinds.ts';
import { casesOf, partsOf } from './trend-parts.ts';

const TrendChart = lazy(() => import('./trend-chart.tsx').then((module) => ({ default: module.TrendChart })));

/** Cases, times to detect and times to respond over the period: as a chart, or as the table of the same numbers. */
export function TrendPanel({ overview }: { overview: AirOverview }) {
  const [kind, setKind] = useState<TrendKind>('cases');
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { label, series } = trendKinds[kind];
  const reader = useReader();
  const byWeek = overview.trend_part_s > 86_400;
  return (
    <Panel
      title={byWeek ? t('Trend by week') : t('Trend by day')}
      aside={
        <span className={classes.controls}>
          <SegmentedControl
            size="xs"
            aria-label={t('Trend of')}
            data={Object.entries(trendKinds).map(([value, of]) => ({ value, label: of.name }))}
            value={kind}
            onChange={(value) => setKind(value as TrendKind)}
          />
          <SegmentedControl
            size="xs"
            aria-label={t('Show as')}
            data={[
              { value: 'chart', label: t('Chart') },
              { value: 'table', label: t('Table') },
            ]}
            value={view}
            onChange={(value) => setView(value === 'table' ? 'table' : 'chart')}
          />
        </span>
      }
    >
      {view === 'table' ? (
        <TrendTable overview={overview} kind={kind} />
      ) : (
        <>
          <p className={classes.legend}>
            {series.map((each) => (
              <span key={each.name}>
                <SeriesMark {...each} />
                {each.label}
              </span>
            ))}
            <span className={classes.axes}>
              {label} · {zoneText(reader)}
            </span>
          </p>
          <div className={classes.chart}>
            <div
              className={classes.picture}
              role="img"
              aria-label={
                byWeek
                  ? t('{label} by week. The table shows the same numbers.', { label })
                  : t('{label} by day. The table shows the same numbers.', { label })
              }
            />
            {/* One picture to readers and the keyboard: in the table each number is a link with its name. */}
            <div className={classes.drawing} aria-hidden>
              <Suspense fallback={<LateSkeleton height="100%" />}>
                <TrendChart overview={overview} kind={kind} />
              </Suspense>
            </div>
          </div>
        </>
      )}
    </Panel>
  );
}

function TrendTable({ overview, kind }: { overview: AirOverview; kind: TrendKind }) {
  const reader = useReader();
  const { series, isTime } = trendKinds[kind];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.tableScroll} aria-label={t('Trend as a table')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('From')}</th>
            {series.map(({ name, label }) => (
              <th key={name} scope="col" data-align="end">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {partsOf(overview)
            .toReversed()
            .map(({ part, startTime, endTime }) => (
              <tr key={part.t}>
                <th scope="row">{dayText(part.t, reader)}</th>
                {series.map(({ name, label }) => (
                  <td key={name} data-align="end">
                    <PartFigure
                      value={part[name]}
                      text={isTime ? formatDuration(part[name], reader.locale) : String(part[name])}
                      behind={casesOf({ startTime, endTime }, name)}
                      name={`${dayText(part.t, reader)}, ${label}`}
                    />
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  );
}

type PartFigureProps = { value: number | null; text: string; behind: CasesBehind; name: string };

function PartFigure({ value, text, behind, name }: PartFigureProps) {
  // A mean may be of no seconds at all and has its cases still; a count of nothing has none.
  if (value === null || (value === 0 && (behind.figure === undefined || behind.figure === 'answered')))
    return <span className={classes.zero}>{text}</span>;
  return (
    <CasesLink behind={behind} label={t('{name}: {value}, show its cases', { name, value: text })}>
      {text}
    </CasesLink>
  );
}

export function dayText(time: string, reader: Reader): string {
  return dateFormat(reader, { month: 'short', day: 'numeric' }).format(new Date(time));
}
