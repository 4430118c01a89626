import { useApp } from '../session/app-context.ts';
import { isRailCollapsed } from './collapsed-rail.ts';
import classes from './frame-pending.module.css';
import { ScreenPending } from './screen-pending.tsx';

/** The shape of the dashboard while nobody knows yet who is there: what follows stands in the same places. */
export function FramePending() {
  const { storage } = useApp();
  return (
    <div className={classes.root} data-collapsed={isRailCollapsed(storage) || undefined}>
      <div className={classes.rail} />
      <div className={classes.column}>
        <div className={classes.top} />
        <div className={classes.page}>
          <ScreenPending />
        </div>
      </div>
    </div>
  );
}
