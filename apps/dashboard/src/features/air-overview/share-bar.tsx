import classes from './air-overview.module.css';

type Part = { id: string; value: number; color: string };

/** Parts of a whole as one bar; the numbers stand beside it, so readers hear only the label. */
export function ShareBar({ label, parts }: { label: string; parts: readonly Part[] }) {
  return (
    <div className={classes.bar} role="img" aria-label={label}>
      {parts
        .filter(({ value }) => value > 0)
        .map(({ id, value, color }) => (
          <span key={id} style={{ flexGrow: value, background: color }} />
        ))}
    </div>
  );
}
