import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { Duration } from '../../components/duration.tsx';
import { isActionActive, isNotDue } from '../../queries/activity.ts';

/** How long an action took, from when its turn came; nothing for one that never began. */
export function ActionDuration({ activity }: { activity: ActionActivity }) {
  const { time_created, time_updated } = activity.summary;
  // What waits for its time has not begun to take any.
  if (isNotDue(activity, new Date())) return <Duration start={null} end={null} />;
  if (isActionActive(activity)) return <Duration start={time_created} end={null} />;
  const began = activity.details.context.attempt_count > 0;
  return <Duration start={began ? time_created : null} end={time_updated} />;
}
