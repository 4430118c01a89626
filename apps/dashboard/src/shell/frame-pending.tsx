import { useApp } from '../session/app-context.ts';
import classes from './app-frame.module.css';
import { isRailCollapsed } from './collapsed-rail.ts';
import { ScreenPending } from './screen-pending.tsx';
import topBar from './top-bar.module.css';

/** The shape of the dashboard while nobody knows yet who is there: what follows stands in the same places. */
export function FramePending() {
  const { storage } = useApp();
  return (
    <div className={classes.root} data-collapsed={isRailCollapsed(storage) || undefined}>
      <div className={classes.rail} />
      <div className={classes.column}>
        <div className={topBar.root} />
        <div className={classes.main}>
          <div className={classes.page}>
            <ScreenPending />
          </div>
        </div>
      </div>
    </div>
  );
}
