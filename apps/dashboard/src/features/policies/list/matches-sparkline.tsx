import { t } from '../../../language/translate.ts';
import { Count } from '../../../ui/count.tsx';
import { numberFormat, useReader } from '../../../ui/reader.ts';
import classes from './list.module.css';

const BAR = 4;
const HEIGHT = 20;

/** Matching events of the last days as bars, today last, and their sum. */
export function MatchesSparkline({ days, wide = false }: { days: readonly number[]; wide?: boolean }) {
  const reader = useReader();
  const sum = days.reduce((total, day) => total + day, 0);
  const top = Math.max(...days, 1);
  const words = t('{count} in {days} days, {today} today', {
    count: numberFormat(reader).format(sum),
    days: days.length,
    today: numberFormat(reader).format(days.at(-1) ?? 0),
  });
  return (
    <span className={classes.matches} title={words} data-wide={wide || undefined}>
      <svg
        className={classes.spark}
        viewBox={`0 0 ${Math.max(days.length, 1) * BAR} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {days.map((value, index) => {
          // A day without matches keeps a line, so that quiet looks like quiet and not like missing.
          const height = value === 0 ? 1 : Math.max(2, (value / top) * HEIGHT);
          return (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
              key={index}
              x={index * BAR}
              y={HEIGHT - height}
              width={BAR - 1}
              height={height}
              fill={value === 0 ? 'var(--air-border)' : 'var(--air-chart-1)'}
            />
          );
        })}
      </svg>
      <span className={sum === 0 ? classes.faint : undefined}>
        <Count value={sum} />
      </span>
    </span>
  );
}
