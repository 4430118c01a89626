import { Skeleton, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import classes from './skeletons.module.css';

type LoadingProps = {
  label: string;
  /** That of a route, which the router shows after the 300 ms. */
  waited?: boolean;
  children: ReactNode;
};

/** As in the stylesheet, until it is there in full. */
const APPEARED_AFTER_MS = 420;

/** Wraps placeholders: says once that something loads, and hides the grey shapes from readers. */
export function Loading({ label, waited, children }: LoadingProps) {
  // What follows a placeholder that is seen is there at once: for 300 ms there would be less on the screen than before.
  const [late, setLate] = useState(() => !waited && !document.querySelector('[data-waited]'));
  useEffect(() => {
    if (!late) return;
    const timer = setTimeout(() => setLate(false), APPEARED_AFTER_MS);
    return () => clearTimeout(timer);
  }, [late]);
  return (
    <div role="status" aria-busy="true" data-waited={!late || undefined} className={late ? classes.late : undefined}>
      <VisuallyHidden>{label}</VisuallyHidden>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

export function HeaderSkeleton() {
  return (
    <div className={classes.header}>
      <Skeleton height={20} width={220} />
      <Skeleton height={12} width={360} maw="80%" />
    </div>
  );
}

/** Rows of a table, as tall as the real ones. */
export function TableSkeleton({ rows = 8 }: { rows?: number }) {
  return (
    <div className={classes.table}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never move
        <div key={index} className={classes.row}>
          <Skeleton height={10} width={`${28 + ((index * 7) % 18)}%`} />
          <Skeleton height={10} width={64} />
          <Skeleton height={10} width={96} />
        </div>
      ))}
    </div>
  );
}
