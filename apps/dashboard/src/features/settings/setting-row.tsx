import type { ReactNode } from 'react';
import classes from './settings.module.css';

type Props = {
  title: ReactNode;
  /** State or explanation under the title. */
  text?: ReactNode;
  /** Badges beside the title. */
  state?: ReactNode;
  actions?: ReactNode;
};

/** A line of a settings block: what it is, how it stands, what can be done. */
export function SettingRow({ title, text, state, actions }: Props) {
  return (
    <div className={classes.row}>
      <div className={classes.rowWords}>
        <div className={classes.rowTitle}>
          {title}
          {state}
        </div>
        {text === undefined ? null : <div className={classes.rowText}>{text}</div>}
      </div>
      {actions === undefined ? null : <div className={classes.rowActions}>{actions}</div>}
    </div>
  );
}
