import classes from './settings.module.css';

/** One word about how something stands, beside its name. */
export function StateBadge({ word, tone }: { word: string; tone?: 'good' | 'warn' }) {
  return (
    <span className={classes.badge} data-good={tone === 'good' || undefined} data-warn={tone === 'warn' || undefined}>
      {word}
    </span>
  );
}
