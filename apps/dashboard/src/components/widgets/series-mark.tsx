import classes from './series-mark.module.css';

type Props = { color: string; hatched?: boolean | undefined };

/** The square before the word of a series, drawn as its bars are. */
export function SeriesMark({ color, hatched = false }: Props) {
  return (
    <span
      className={classes.mark}
      style={{ backgroundColor: color }}
      data-hatched={hatched || undefined}
      aria-hidden="true"
    />
  );
}
