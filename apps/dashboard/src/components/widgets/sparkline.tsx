import classes from './number-widget.module.css';

const MOST_BARS = 32;
const HEIGHT = 32;

/** Course of a figure as bars. The figure itself says the number, so readers skip it. */
export function Sparkline({ values, color }: { values: readonly number[]; color: string }) {
  const bars = gathered(values, MOST_BARS);
  const top = Math.max(...bars, 1);
  return (
    <svg
      className={classes.sparkline}
      viewBox={`0 0 ${Math.max(bars.length, 1) * 4} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bars.map((value, index) => {
        // An empty bucket keeps a line, so that a quiet night looks like one and not like missing data.
        const height = value === 0 ? 1 : Math.max(3, (value / top) * HEIGHT);
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place in time
            key={index}
            x={index * 4}
            y={HEIGHT - height}
            width={3}
            height={height}
            fill={value === 0 ? 'var(--air-border)' : color}
          />
        );
      })}
    </svg>
  );
}

/** Sums neighbours until at most `most` are left. */
export function gathered(values: readonly number[], most: number): number[] {
  const each = Math.ceil(values.length / most);
  if (each <= 1) return [...values];
  return Array.from({ length: Math.ceil(values.length / each) }, (_, index) =>
    values.slice(index * each, (index + 1) * each).reduce((sum, value) => sum + value, 0),
  );
}
