import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { Link } from '@tanstack/react-router';
import type { ActionName } from '../../components/action-names.ts';
import { FailureNote } from '../../components/action-run/failure-note.tsx';
import { JsonSection } from '../../components/action-run/json-section.tsx';
import { RunControls } from '../../components/action-run/run-controls.tsx';
import { actionTypeWords } from '../../components/trigger-words.ts';
import { isActionActive } from '../../queries/activity.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { type Fact, KeyFacts } from '../../ui/key-facts.tsx';
import parts from '../../ui/panel-parts.module.css';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { ActionDuration } from './action-duration.tsx';
import classes from './activity.module.css';
import { CaseLink } from './run/case-link.tsx';

type Props = { activity: ActionActivity; named: ActionName; onRetried: (again: ActionActivity) => void };

/** Facts, failure, input and output of one action run. */
export function ActionResult({ activity, named, onRetried }: Props) {
  const { details } = activity;
  return (
    <div className={parts.sections}>
      {details.error_info === null ? null : <FailureNote error={details.error_info} />}
      <RunNote activity={activity} />
      <KeyFacts facts={factsOf(activity, named)} />
      <RunControls run={activity} name={named.name} onRetried={onRetried} />
      <JsonSection title="Input" value={details.action_input} nothing="This action takes no input." />
      <JsonSection
        title="Output"
        value={details.action_output}
        nothing={isActionActive(activity) ? 'Not there yet.' : 'There is no output.'}
      />
    </div>
  );
}

function factsOf(activity: ActionActivity, { vendor }: ActionName): Fact[] {
  const { summary, details } = activity;
  const { action_uuid, attempt_count, time_scheduled, case_id } = details.context;
  return [
    { label: 'Action', value: <span className="air-mono">{details.action_name}</span> },
    ...(vendor === undefined ? [] : [{ label: 'Product', value: vendor }]),
    { label: 'Type', value: <RunLink activity={activity} /> },
    ...(case_id === null ? [] : [{ label: 'Case', value: <CaseLink id={case_id} /> }]),
    { label: 'Started', value: <RelativeTime time={summary.time_created} /> },
    ...(time_scheduled === null ? [] : [{ label: 'Due', value: <RelativeTime time={time_scheduled} /> }]),
    { label: 'Duration', value: <ActionDuration activity={activity} /> },
    {
      label: 'Attempts',
      value: attempt_count > 0 ? attempt_count : isActionActive(activity) ? 'It has not begun' : 'It never began',
    },
    {
      label: 'Id',
      value: (
        <span className={classes.id}>
          <span className="air-mono">{action_uuid}</span>
          <CopyButton value={action_uuid} label="Copy id" />
        </span>
      ),
    },
  ];
}

/** What the kill switch of automation has to do with it. */
function RunNote({ activity }: Pick<Props, 'activity'>) {
  const { on_hold, automation_off } = activity.details.context;
  if (on_hold === true) return <p className={classes.note}>It waits until automation is switched on again.</p>;
  if (automation_off === true) {
    return <p className={classes.note}>A person ran it while automation was switched off.</p>;
  }
  return null;
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
