import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { failureText } from './failure-text.ts';
import classes from './problem-note.module.css';

/** A failure inside a form or dialog, above its fields. Nothing when there is none. */
export function ProblemNote({ error }: { error: unknown }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A form is saved from wherever one has scrolled to.
    if (error !== undefined && error !== null) root.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (error === undefined || error === null) return null;
  return (
    <div ref={root} className={classes.root} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span>{failureText(error)}</span>
    </div>
  );
}
