import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { useActionNames } from '../../components/action-names.ts';
import classes from './activity.module.css';

/** Name of an action in a list, with its vendor, or with what went wrong. */
export function ActionTitle({ activity }: { activity: ActionActivity }) {
  const { name, vendor } = useActionNames()(activity.summary.action_name);
  const note = activity.details.error_info?.message ?? vendor;
  return (
    <span className={classes.name}>
      <span className={classes.nameText} title={activity.summary.action_name}>
        {name}
      </span>
      {note === undefined ? null : (
        <span className={classes.nameNote} title={note}>
          {note}
        </span>
      )}
    </span>
  );
}
