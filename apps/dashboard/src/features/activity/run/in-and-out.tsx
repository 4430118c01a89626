import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { JsonSection } from '../../../components/action-run/json-section.tsx';
import classes from './run.module.css';

/** Input and output of an action, or of one item of its list. */
export function InAndOut({ details, isOver }: { details: ActionActivity['details']; isOver: boolean }) {
  return (
    <div className={classes.inAndOut}>
      <JsonSection title="Input" value={details.action_input} nothing="This action takes no input." />
      <JsonSection
        title="Output"
        value={details.action_output}
        nothing={isOver ? 'There is no output.' : 'Not there yet.'}
      />
    </div>
  );
}
