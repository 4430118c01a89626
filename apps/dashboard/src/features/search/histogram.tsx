import { SegmentedControl } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type KeyboardEvent, type PointerEvent, useMemo, useState } from 'react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { Count } from '../../ui/count.tsx';
import { numberFormat, useReader } from '../../ui/reader.ts';
import { type Brush, barAt, barsOf, moved } from './brush.ts';
import classes from './histogram.module.css';
import { axisMarks, type Bar, barText, perBar, windowOfBars } from './histogram-bars.ts';
import { type Window, windowText } from './time-range.ts';

type Props = {
  bars: readonly Bar[];
  /** Milliseconds. */
  widthMs: number;
  searched: Window;
  /** Events in all. */
  total: number;
  onNarrow: (window: Window) => void;
};

const MARK_WIDTH_PX = 88;

/** Events over time. A stretch is chosen by dragging, or with the arrow keys, shift and Enter; the search narrows to it. */
export function Histogram(props: Props) {
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { bars, widthMs, total } = props;
  return (
    <section className={classes.root} aria-label={t('Events over time')}>
      <div className={classes.foot}>
        <span className={classes.per}>
          <strong>{plural(total, '{count} event', '{count} events')}</strong> {perBar(widthMs)}
        </span>
        <SegmentedControl
          size="xs"
          aria-label={t('Show events over time as')}
          value={view}
          data={[
            { value: 'chart', label: t('Chart') },
            { value: 'table', label: t('Table') },
          ]}
          onChange={(value) => setView(value === 'table' ? 'table' : 'chart')}
        />
      </div>
      {view === 'chart' ? <Chart {...props} /> : <BarTable bars={bars} widthMs={widthMs} />}
    </section>
  );
}

function Chart({ bars, widthMs, searched, onNarrow }: Omit<Props, 'total'>) {
  const reader = useReader();
  const { ref, width } = useElementSize();
  const [brush, setBrush] = useState<Brush>();
  const [dragging, setDragging] = useState(false);
  const [hovered, setHovered] = useState<number>();
  const most = Math.max(1, ...bars.map(({ count }) => count));
  const marks = useMemo(
    () => axisMarks(bars, Math.max(2, Math.floor(width / MARK_WIDTH_PX)), reader),
    [bars, width, reader],
  );
  const chosen = brush === undefined ? undefined : barsOf(brush);
  const at = brush?.at ?? bars.length - 1;
  const narrow = (to: Brush) => {
    setBrush(undefined);
    setDragging(false);
    onNarrow(windowOfBars(bars, barsOf(to), widthMs, searched));
  };
  const barOf = (event: PointerEvent<HTMLElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return barAt(event.clientX - box.left, box.width, bars.length);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setBrush(undefined);
    else if (event.key === 'Enter') narrow(brush ?? { anchor: at, at });
    else {
      const start = brush ?? { anchor: at, at };
      const next = moved(start, event.key, { shift: event.shiftKey, bars: bars.length });
      if (next === undefined) return;
      setBrush(next);
    }
    event.preventDefault();
  };
  const shown = dragging || hovered === undefined ? chosen : { from: hovered, to: hovered };
  const words = wordsOf({ bars, chosen: shown, widthMs, reader, searched });
  return (
    <>
      <div
        ref={ref}
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={t('Stretch of time: arrows move, shift and arrows choose several, Enter narrows the search')}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, bars.length - 1)}
        aria-valuenow={at}
        aria-valuetext={wordsOf({ bars, chosen: chosen ?? { from: at, to: at }, widthMs, reader, searched })}
        onKeyDown={onKeyDown}
        onBlur={() => setBrush(undefined)}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          event.currentTarget.setPointerCapture?.(event.pointerId);
          const bar = barOf(event);
          setDragging(true);
          setBrush({ anchor: bar, at: bar });
        }}
        onPointerMove={(event) => {
          const bar = barOf(event);
          setHovered(bar);
          if (dragging) setBrush((before) => (before === undefined ? before : { ...before, at: bar }));
        }}
        onPointerLeave={() => setHovered(undefined)}
        onPointerUp={() => {
          if (dragging && brush !== undefined) narrow(brush);
        }}
        onPointerCancel={() => {
          setDragging(false);
          setBrush(undefined);
        }}
      >
        {bars.map(({ start, count }, index) => (
          <span
            key={start}
            className={classes.bar}
            data-chosen={(chosen !== undefined && index >= chosen.from && index <= chosen.to) || undefined}
            data-hovered={hovered === index || undefined}
          >
            <span style={{ height: count === 0 ? 0 : `max(2px, ${(count / most) * 100}%)` }} />
          </span>
        ))}
        <span className={classes.most}>{numberFormat(reader).format(most)}</span>
        {shown === undefined ? null : <span className={classes.readout}>{words}</span>}
      </div>
      <div className={classes.axis} aria-hidden>
        {marks.map(({ at: share, text }) => (
          <span key={share} style={{ left: `${share * 100}%` }}>
            {text}
          </span>
        ))}
      </div>
    </>
  );
}

type Words = {
  bars: readonly Bar[];
  chosen: { from: number; to: number } | undefined;
  widthMs: number;
  reader: ReturnType<typeof useReader>;
  searched: Window;
};

function wordsOf({ bars, chosen, widthMs, reader, searched }: Words): string {
  const first = chosen === undefined ? undefined : bars[chosen.from];
  if (chosen === undefined || first === undefined) return '';
  const count = bars.slice(chosen.from, chosen.to + 1).reduce((sum, bar) => sum + bar.count, 0);
  const when =
    chosen.from === chosen.to
      ? barText(first, widthMs, reader)
      : windowText(windowOfBars(bars, chosen, widthMs, searched), reader);
  return `${when}: ${plural(count, '{count} event', '{count} events')}`;
}

function BarTable({ bars, widthMs }: Pick<Props, 'bars' | 'widthMs'>) {
  const reader = useReader();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.tableScroll} aria-label={t('Events over time as a table')} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('Time')}</th>
            <th scope="col">{t('Events')}</th>
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map((bar) => (
            <tr key={bar.start}>
              <th scope="row">{barText(bar, widthMs, reader)}</th>
              <td>
                <Count value={bar.count} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
