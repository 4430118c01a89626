import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { Link } from '@tanstack/react-router';
import { isActionActive } from '../../queries/activity.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { KeyFacts } from '../../ui/key-facts.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ActionDuration } from './action-duration.tsx';
import classes from './activity.module.css';
import { FailureNote } from './failure-note.tsx';
import { JsonSection } from './json-section.tsx';
import { actionTypeWords } from './trigger-words.ts';

type Props = { activity: ActionActivity; vendor: string | undefined };

/** Facts, failure, input and output of one action run. */
export function ActionResult({ activity, vendor }: Props) {
  const { summary, details } = activity;
  const { action_uuid, attempt_count } = details.context;
  return (
    <div className={classes.sections}>
      {details.error_info === null ? null : <FailureNote error={details.error_info} />}
      <KeyFacts
        facts={[
          { label: 'Action', value: <span className="air-mono">{details.action_name}</span> },
          ...(vendor === undefined ? [] : [{ label: 'Product', value: vendor }]),
          { label: 'Type', value: <RunLink activity={activity} /> },
          { label: 'Started', value: <RelativeTime time={summary.time_created} /> },
          { label: 'Duration', value: <ActionDuration activity={activity} /> },
          { label: 'Attempts', value: attempt_count === 0 ? 'It never began' : attempt_count },
          {
            label: 'Id',
            value: (
              <span className={classes.id}>
                <span className="air-mono">{action_uuid}</span>
                <CopyButton value={action_uuid} label="Copy id" />
              </span>
            ),
          },
        ]}
      />
      <JsonSection title="Input" value={details.action_input} nothing="This action takes no input." />
      <JsonSection
        title="Output"
        value={details.action_output}
        nothing={isActionActive(activity) ? 'Not there yet.' : 'There is no output.'}
      />
    </div>
  );
}

function RunLink({ activity }: Pick<Props, 'activity'>) {
  const { type, workflow_instance_id: runId } = activity.summary;
  if (runId === null) return actionTypeWords[type];
  return (
    <>
      {actionTypeWords[type]} ·{' '}
      <Link to="/activity/playbooks/$id" params={{ id: runId }}>
        Open the run
      </Link>
    </>
  );
}
