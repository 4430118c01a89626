import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { Link } from '@tanstack/react-router';
import type { ActionName } from '../../components/action-names.ts';
import { FailureNote } from '../../components/action-run/failure-note.tsx';
import { JsonSection } from '../../components/action-run/json-section.tsx';
import { RunControls } from '../../components/action-run/run-controls.tsx';
import { actionTypeWords } from '../../components/trigger-words.ts';
import { t } from '../../language/translate.ts';
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
      <div className={classes.controls}>
        <RunControls run={activity} name={named.name} onRetried={onRetried} />
      </div>
      <JsonSection title={t('Input')} value={details.action_input} nothing={t('This action takes no input.')} />
      <JsonSection
        title={t('Output')}
        value={details.action_output}
        nothing={isActionActive(activity) ? t('Not there yet.') : t('There is no output.')}
      />
    </div>
  );
}

function factsOf(activity: ActionActivity, { vendor }: ActionName): Fact[] {
  const { summary, details } = activity;
  const { action_uuid, attempt_count, time_scheduled, case_id } = details.context;
  return [
    { label: t('Action'), value: <span className="air-mono">{details.action_name}</span> },
    ...(vendor === undefined ? [] : [{ label: t('Product'), value: vendor }]),
    { label: t('Type'), value: <RunLink activity={activity} /> },
    ...(case_id === null ? [] : [{ label: t('Case'), value: <CaseLink id={case_id} /> }]),
    { label: t('Started'), value: <RelativeTime time={summary.time_created} /> },
    ...(time_scheduled === null ? [] : [{ label: t('Due'), value: <RelativeTime time={time_scheduled} /> }]),
    { label: t('Duration'), value: <ActionDuration activity={activity} /> },
    {
      label: t('Attempts'),
      value: attempt_count > 0 ? attempt_count : isActionActive(activity) ? t('It has not begun') : t('It never began'),
    },
    {
      label: t('Id'),
      value: (
        <span className={classes.id}>
          <span className="air-mono">{action_uuid}</span>
          <CopyButton value={action_uuid} label={t('Copy id')} />
        </span>
      ),
    },
  ];
}

/** What the kill switch of automation has to do with it. */
function RunNote({ activity }: Pick<Props, 'activity'>) {
  const { on_hold, automation_off } = activity.details.context;
  if (on_hold === true) return <p className={classes.note}>{t('It waits until automation is switched on again.')}</p>;
  if (automation_off === true) {
    return <p className={classes.note}>{t('A person ran it while automation was switched off.')}</p>;
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
        {t('Open the run')}
      </Link>
    </>
  );
}
