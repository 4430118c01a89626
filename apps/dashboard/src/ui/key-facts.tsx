import type { ReactNode } from 'react';
import classes from './key-facts.module.css';

export type Fact = { label: string; value: ReactNode };

/** Names and values of one thing, as a description list. */
export function KeyFacts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.root}>
      {facts.map(({ label, value }) => (
        <div key={label} className={classes.fact}>
          <dt>{label}</dt>
          <dd>{value === null || value === undefined || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  );
}
