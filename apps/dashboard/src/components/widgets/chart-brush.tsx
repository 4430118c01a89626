import { dayIn } from '@airdeck/domain/zoned-day';
import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import type { DateRange } from '../../queries/dashboards.ts';
import { useReader } from '../../ui/reader.ts';
import { type AlertBucket, bucketLength } from './alert-buckets.ts';
import classes from './history-widget.module.css';

/** Where the bars begin and end inside the chart: the width of the axis, and the margin. */
export const PLOT_LEFT_PX = 32;
const PLOT_RIGHT_PX = 4;

type Props = {
  history: readonly AlertBucket[];
  onRange: ((range: DateRange) => void) | undefined;
  children: ReactNode;
};

/** First and last bucket that is marked, whichever came first. */
type Marked = { begun: number; at: number };

/**
 * Lets a period be marked in the chart with mouse or finger. The period menu of the widget does the same by keyboard,
 * so this has no control of its own.
 */
export function Brush({ history, onRange, children }: Props) {
  const { timeZone } = useReader();
  const [marked, setMarked] = useState<Marked>();
  const surface = useRef<HTMLDivElement>(null);
  const bucketAt = (event: PointerEvent) => {
    const rect = surface.current?.getBoundingClientRect();
    if (rect === undefined) return 0;
    const share = (event.clientX - rect.left - PLOT_LEFT_PX) / (rect.width - PLOT_LEFT_PX - PLOT_RIGHT_PX);
    return Math.max(0, Math.min(history.length - 1, Math.floor(share * history.length)));
  };
  const end = () => {
    setMarked(undefined);
    // One bar alone is a click, or a finger that scrolls.
    if (marked === undefined || marked.begun === marked.at) return;
    const range = daysOf(history, marked, timeZone);
    if (range !== undefined) onRange?.(range);
  };
  if (onRange === undefined) return <div className={classes.plot}>{children}</div>;
  return (
    <div
      ref={surface}
      className={classes.plot}
      data-brush
      onPointerDown={(event) => {
        if (event.button !== 0 || history.length < 2) return;
        const at = bucketAt(event);
        setMarked({ begun: at, at });
      }}
      onPointerMove={(event) => {
        if (marked === undefined) return;
        const at = bucketAt(event);
        // Taken only once it is a pull: a captured pointer takes the tooltip from the chart.
        if (at === marked.at) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setMarked({ ...marked, at });
      }}
      onPointerUp={end}
      onPointerCancel={() => setMarked(undefined)}
    >
      {children}
      {marked === undefined || marked.begun === marked.at ? null : (
        <div className={classes.marked} style={placeOf(marked, history.length)} />
      )}
    </div>
  );
}

/** The whole days that the marked buckets touch, in the reader's zone. */
export function daysOf(
  history: readonly AlertBucket[],
  { begun, at }: Marked,
  timeZone: string | undefined,
): DateRange | undefined {
  const [first, last] = [history[Math.min(begun, at)], history[Math.max(begun, at)]];
  if (first === undefined || last === undefined) return undefined;
  const end = Date.parse(last.t) + Math.max(bucketLength(history), 1) - 1;
  return { from: dayText(new Date(first.t), timeZone), to: dayText(new Date(Math.min(end, Date.now())), timeZone) };
}

function dayText(time: Date, timeZone: string | undefined): string {
  const { year, month, day } = dayIn(time, timeZone);
  return [year, month, day].map((part) => String(part).padStart(2, '0')).join('-');
}

function placeOf({ begun, at }: Marked, buckets: number) {
  const plot = `(100% - ${PLOT_LEFT_PX + PLOT_RIGHT_PX}px)`;
  const [first, count] = [Math.min(begun, at), Math.abs(at - begun) + 1];
  return {
    left: `calc(${PLOT_LEFT_PX}px + ${plot} * ${first / buckets})`,
    width: `calc(${plot} * ${count / buckets})`,
  };
}
