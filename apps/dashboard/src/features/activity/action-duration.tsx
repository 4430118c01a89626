import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { isActionActive } from '../../queries/activity.ts';
import { Duration } from './duration.tsx';

/** How long an action took, from when its turn came; nothing for one that never began. */
export function ActionDuration({ activity }: { activity: ActionActivity }) {
  const { time_created, time_updated } = activity.summary;
  if (isActionActive(activity)) return <Duration start={time_created} end={null} />;
  const began = activity.details.context.attempt_count > 0;
  return <Duration start={began ? time_created : null} end={time_updated} />;
}
