import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { useActionNames } from '../../components/action-names.ts';
import { DryRunBadge } from '../../components/run-list/dry-run-badge.tsx';
import runs from '../../components/run-list/run-list.module.css';

/** Name of an action in a list, with its vendor, or with what went wrong; marked where its run only tried. */
export function ActionTitle({ activity }: { activity: ActionActivity }) {
  const { name, vendor } = useActionNames()(activity.summary.action_name);
  const note = activity.details.error_info?.message ?? vendor;
  return (
    <span className={runs.name}>
      <span className={runs.nameText} title={activity.summary.action_name}>
        {name}
      </span>
      {activity.details.context.dry_run === true ? <DryRunBadge /> : null}
      {note === undefined ? null : (
        <span className={runs.nameNote} title={note}>
          {note}
        </span>
      )}
    </span>
  );
}
