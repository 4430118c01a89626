import { IconAlertTriangle } from '@tabler/icons-react';
import { failureText } from './failure-text.ts';
import classes from './problem-note.module.css';

/** A failure inside a form or dialog, above its fields. Nothing when there is none. */
export function ProblemNote({ error }: { error: unknown }) {
  if (error === undefined || error === null) return null;
  return (
    <div className={classes.root} role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span>{failureText(error)}</span>
    </div>
  );
}
