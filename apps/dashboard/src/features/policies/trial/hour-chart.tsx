import { UnstyledButton } from '@mantine/core';
import { useMemo, useState } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { dateFormat, numberFormat, type Reader, useReader } from '../../../ui/reader.ts';
import { type HourBar, hourBars } from './hour-bars.ts';
import classes from './trial.module.css';

const MOST_BARS = 96;
const HEIGHT = 96;
const BAR = 5;

type Props = {
  byHour: readonly { t: string; matched: number; cases: number }[];
  /** Milliseconds since the epoch. */
  start: number;
  end: number;
};

/** Matches over time as bars, and the same as a table. */
export function HourChart({ byHour, start, end }: Props) {
  const reader = useReader();
  const [asTable, setAsTable] = useState(false);
  const bars = useMemo(() => hourBars(byHour, { start, end }, MOST_BARS), [byHour, start, end]);
  const top = Math.max(...bars.map(({ matched }) => matched), 0);
  const [{ hours = 1 } = {}] = bars;
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.chartHead}>
        <span>
          {plural(hours, 'Matches per hour', 'Matches per {count} hours')}
          {top === 0 ? null : t(', at most {count}', { count: numberFormat(reader).format(top) })}
        </span>
        <UnstyledButton className={classes.link} aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? t('Show as chart') : t('Show as table')}
        </UnstyledButton>
      </figcaption>
      {asTable ? <HourTable bars={bars} /> : <Bars bars={bars} top={top} />}
    </figure>
  );
}

function Bars({ bars, top }: { bars: readonly HourBar[]; top: number }) {
  const reader = useReader();
  const last = bars.at(-1);
  return (
    <>
      <svg
        className={classes.bars}
        viewBox={`0 0 ${bars.length * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {bars.map((bar, index) => {
          const height = bar.matched === 0 ? 1 : Math.max(3, (bar.matched / Math.max(top, 1)) * HEIGHT);
          return (
            <g key={bar.start}>
              {/* The whole column answers the pointer, however low its bar. */}
              <rect x={index * BAR} y={0} width={BAR} height={HEIGHT} fill="transparent">
                <title>{barWords(bar, reader)}</title>
              </rect>
              <rect
                x={index * BAR}
                y={HEIGHT - height}
                width={BAR - 1}
                height={height}
                pointerEvents="none"
                fill={
                  bar.matched === 0 ? 'var(--air-border)' : bar.cases > 0 ? 'var(--air-chart-2)' : 'var(--air-chart-1)'
                }
              />
            </g>
          );
        })}
      </svg>
      <div className={classes.axis}>
        <span>{bars[0] === undefined ? '' : timeWords(bars[0].start, reader)}</span>
        <span className={classes.legend}>
          <i data-kind="matched" aria-hidden /> {t('matches')} <i data-kind="cases" aria-hidden /> {t('with a case')}
        </span>
        <span>{last === undefined ? '' : timeWords(last.start + last.hours * 3_600_000, reader)}</span>
      </div>
    </>
  );
}

function HourTable({ bars }: { bars: readonly HourBar[] }) {
  const reader = useReader();
  const shown = bars.filter(({ matched }) => matched > 0);
  if (shown.length === 0) return <p className={classes.words}>{t('Nothing matched.')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.tableScroll} aria-label={t('Matches over time')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('From')}</th>
            <th scope="col" data-align="end">
              {t('Matches')}
            </th>
            <th scope="col" data-align="end">
              {t('Cases')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ start, matched, cases }) => (
            <tr key={start}>
              <td>{timeWords(start, reader)}</td>
              <td data-align="end">{numberFormat(reader).format(matched)}</td>
              <td data-align="end">{numberFormat(reader).format(cases)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function timeWords(time: number, reader: Reader): string {
  return dateFormat(reader, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' }).format(
    new Date(time),
  );
}

function barWords({ start, matched, cases }: HourBar, reader: Reader): string {
  return t('{time}: {matched}, {cases}', {
    time: timeWords(start, reader),
    matched: plural(matched, '{count} match', '{count} matches'),
    cases: plural(cases, '{count} case', '{count} cases'),
  });
}
