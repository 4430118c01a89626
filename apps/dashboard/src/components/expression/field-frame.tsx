import type { ReactNode } from 'react';
import classes from './expression.module.css';

type Props = {
  id: string;
  label: string;
  help?: string | undefined;
  problem: string | undefined;
  /** At the right of the label. */
  aside?: ReactNode;
  children: ReactNode;
};

/** Label, control, help and problem of a field that is not one of the kit's. */
export function FieldFrame({ id, label, help, problem, aside, children }: Props) {
  return (
    <div className={classes.field}>
      <div className={classes.labelLine}>
        <label htmlFor={id} className={classes.label}>
          {label}
        </label>
        {aside}
      </div>
      {children}
      {help === undefined ? null : (
        <p id={`${id}-help`} className={classes.help}>
          {help}
        </p>
      )}
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className={classes.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}

/** What describes a control inside a frame. */
export function describedBy(id: string, { help, problem }: { help?: string | undefined; problem: string | undefined }) {
  const ids = [help === undefined ? '' : `${id}-help`, problem === undefined ? '' : `${id}-problem`].filter(Boolean);
  return {
    'aria-invalid': problem !== undefined,
    ...(ids.length === 0 ? {} : { 'aria-describedby': ids.join(' ') }),
  };
}
