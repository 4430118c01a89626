import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { isActionActive } from '../../queries/activity.ts';

/** When an action run ended; null while it goes on. */
export function actionEnd(activity: ActionActivity): string | null {
  return isActionActive(activity) ? null : activity.summary.time_updated;
}
