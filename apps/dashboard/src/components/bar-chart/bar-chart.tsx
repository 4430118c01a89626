import { formatDuration } from '@airdeck/domain/duration';
import { useElementSize } from '@mantine/hooks';
import { type CSSProperties, Fragment, memo, type PointerEvent, type ReactNode, useState } from 'react';
import { numberFormat, type Reader, useReader } from '../../ui/reader.ts';
import classes from './bar-chart.module.css';
import { barScale, type Measure } from './bar-scale.ts';
import { apart, type ColumnMark } from './column-marks.ts';

export type BarSeries = { readonly name: string; readonly color: string; readonly hatched?: boolean | undefined };

/** Without a value there is no bar. */
export type BarColumn = { readonly key: string; readonly values: Readonly<Record<string, number | null>> };

/** A bar and where it stands; what is drawn around it takes class, style and children. */
export type LinkedBar = {
  readonly at: number;
  readonly name: string;
  readonly className: string | undefined;
  readonly style: CSSProperties;
  readonly children: ReactNode;
};

type Bars = {
  readonly columns: readonly BarColumn[];
  /** From the bottom to the top, or from left to right. */
  readonly series: readonly BarSeries[];
  readonly arrangement: 'stacked' | 'grouped';
  readonly mostBarPx: number;
  /**
   * Of bars beside each other: a link around one, as high as the chart, for a low bar is hard to hit. The same function as
   * long as it says the same.
   */
  readonly link?: ((bar: LinkedBar) => ReactNode) | undefined;
};

type Props = Bars & {
  readonly measure: Measure;
  /** Room for the numbers beside the bars. */
  readonly axisPx: number;
  /** Words below the columns, at most as many as are asked for. */
  readonly marks: (most: number) => readonly ColumnMark[];
  readonly markWidthPx: number;
  /** What is said of the column under the pointer. */
  readonly tooltip: (at: number) => ReactNode;
};

const LEAST_MARKS = 2;
/** Percent of a column; the rest parts it from the next. */
const FILLED = 80;
/** Of the room a word gets with the gap behind it, what the word itself takes. */
const TOUCHING = 0.7;

/** Bars over a row of columns, in HTML: as wide as there is room, also on paper. Its frame names it and has its numbers as a table. */
export function BarChart({ measure, axisPx, marks, markWidthPx, tooltip, ...bars }: Props) {
  const reader = useReader();
  const { columns } = bars;
  const [hovered, setHovered] = useState<number>();
  const { ref, width } = useElementSize<HTMLDivElement>();
  const { top, marks: steps } = barScale(highestOf(bars), measure);
  const onPointerMove = (event: PointerEvent) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * columns.length);
    setHovered(columns[at] === undefined ? undefined : at);
  };
  const words = marks(Math.max(LEAST_MARKS, Math.floor(width / markWidthPx)));
  // Nothing is known of it before it is measured.
  const columnPx = width === 0 ? Number.POSITIVE_INFINITY : width / columns.length;
  const place = (at: number) => `${(at / columns.length) * 100}%`;
  return (
    <div className={classes.root} data-chart style={{ gridTemplateColumns: `${axisPx}px minmax(0, 1fr)` }}>
      <div className={classes.steps}>
        {steps.map((step) => (
          <span key={step} style={{ bottom: `${(step / top) * 100}%` }}>
            {axisText(step, measure, reader)}
          </span>
        ))}
      </div>
      <div
        ref={ref}
        className={classes.plot}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setHovered(undefined)}
      >
        {steps.map((step) => (
          <span key={step} className={classes.line} style={{ bottom: `${(step / top) * 100}%` }} />
        ))}
        <Columns {...bars} top={top} />
        {hovered === undefined || columns[hovered] === undefined ? null : (
          <>
            <div className={classes.hovered} style={{ left: place(hovered), width: place(1) }} />
            <div
              className={classes.tooltip}
              style={
                hovered < columns.length / 2 ? { left: place(hovered + 1) } : { right: place(columns.length - hovered) }
              }
            >
              {tooltip(hovered)}
            </div>
          </>
        )}
      </div>
      <div className={classes.marks}>
        {apart(words, (TOUCHING * markWidthPx) / columnPx).map(({ at, text }) => {
          const isAtEnd = (columns.length - at - 0.5) * columnPx < markWidthPx / 3;
          return (
            <span key={at} style={isAtEnd ? { right: 0 } : { left: place(at + 0.5) }} data-end={isAtEnd || undefined}>
              {text}
            </span>
          );
        })}
      </div>
    </div>
  );
}

/** Hundreds of elements, which the pointer does not change. */
const Columns = memo(function Columns({ columns, series, arrangement, mostBarPx, link, top }: Bars & { top: number }) {
  const width = `${arrangement === 'stacked' ? FILLED : FILLED / series.length}%`;
  const ownPlace = { width, maxWidth: mostBarPx };
  return columns.map(({ key, values }, at) => (
    <div key={key} className={classes.column} data-arrangement={arrangement}>
      {series.map(({ name, color, hatched }) => {
        const value = values[name] ?? 0;
        // One beside others keeps its place.
        if (value <= 0) return arrangement === 'stacked' ? null : <span key={name} style={ownPlace} />;
        const bar = (place: CSSProperties) => (
          <span
            key={name}
            className={classes.bar}
            style={{ ...place, height: `${(value / top) * 100}%`, backgroundColor: color }}
            data-series={name}
            data-hatched={hatched || undefined}
          />
        );
        if (link === undefined) return bar(ownPlace);
        return (
          <Fragment key={name}>
            {link({ at, name, className: classes.link, style: ownPlace, children: bar({}) })}
          </Fragment>
        );
      })}
    </div>
  ));
});

function axisText(value: number, measure: Measure, reader: Reader): string {
  if (measure === 'seconds') return formatDuration(value, reader.locale);
  return numberFormat(reader, { notation: 'compact' }).format(value);
}

function highestOf({ columns, series, arrangement }: Bars): number {
  const heights = columns.map(({ values }) => {
    const shown = series.map(({ name }) => values[name] ?? 0);
    return arrangement === 'stacked' ? shown.reduce((sum, value) => sum + value, 0) : Math.max(...shown);
  });
  return Math.max(0, ...heights);
}
