import type { RunActionSummary } from '@airdeck/contracts/activity/schema';
import { stepState } from '../flow/step-state.ts';
import { runStatusLooks } from '../status-table.ts';
import classes from './run-list.module.css';

const SHOWN = 8;

/** States of a run's actions in their order, one icon each. */
export function ActionStrip({ actions }: { actions: readonly RunActionSummary[] }) {
  if (actions.length === 0) return <span className={classes.faint}>–</span>;
  const words = actions.map((action) => `${action.workflow_action_id}: ${runStatusLooks[stepState(action)].word}`);
  return (
    <span className={classes.strip} role="img" aria-label={words.join(', ')} title={words.join('\n')}>
      {actions.slice(0, SHOWN).map((action) => {
        const { icon: Icon, color } = runStatusLooks[stepState(action)];
        return <Icon key={action.workflow_action_id} size={14} color={color} aria-hidden />;
      })}
      {actions.length > SHOWN ? <span className={classes.stripMore}>+{actions.length - SHOWN}</span> : null}
    </span>
  );
}
