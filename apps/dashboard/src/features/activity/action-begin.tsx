import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { tx } from '../../language/rich-text.ts';
import { isNotDue } from '../../queries/activity.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useNow } from '../../ui/use-now.ts';
import classes from './activity.module.css';

/** When an action was started; when it is due, while it waits for a time that was set. */
export function ActionBegin({ activity }: { activity: ActionActivity }) {
  const now = useNow();
  const { time_scheduled } = activity.details.context;
  if (time_scheduled === null || !isNotDue(activity, now)) {
    return <RelativeTime time={activity.summary.time_created} />;
  }
  return <span className={classes.due}>{tx('due {time}', { time: <RelativeTime time={time_scheduled} /> })}</span>;
}
