import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { Link } from '@tanstack/react-router';
import { Duration } from '../../../components/duration.tsx';
import { Person } from '../../../components/person.tsx';
import { DryRunBadge } from '../../../components/run-list/dry-run-badge.tsx';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { triggerWords } from '../../../components/trigger-words.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { isActive } from '../../../queries/activity.ts';
import { PageHeader } from '../../../ui/page-header.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { CancelRun } from './cancel-run.tsx';
import { CaseLink } from './case-link.tsx';
import classes from './run.module.css';
import { RetryRun, RunAgain } from './run-again.tsx';

/** Name and state of a run, who started it and when, and the ways to stop it or to do it again. */
export function RunHeader({ run }: { run: PlaybookRun }) {
  const { summary } = run;
  const { trigger_info: trigger } = summary;
  return (
    <PageHeader
      title={summary.workflow_name}
      state={
        <>
          <RunStatusBadge status={summary.status} />
          {summary.dry_run === true ? <DryRunBadge /> : null}
        </>
      }
      purpose={
        <span className={classes.line}>
          <Person username={trigger.username} />
          <span>{triggerWords(trigger).toLowerCase()}</span>
          <span>{tx('started {time}', { time: <RelativeTime time={summary.time_created} /> })}</span>
          <span>
            {summary.time_finished === null ? t('so far') : t('took')}{' '}
            <Duration start={summary.time_created} end={summary.time_finished} />
          </span>
          {trigger.case_id === null ? null : <CaseLink id={trigger.case_id} />}
          <Relatives run={run} />
        </span>
      }
      actions={<RunActions run={run} />}
    />
  );
}

/** The runs this one came out of. */
function Relatives({ run: { summary } }: { run: PlaybookRun }) {
  const { retry_of, parent_run_id } = summary;
  return (
    <>
      {retry_of === null ? null : (
        <Link to="/activity/playbooks/$id" params={{ id: retry_of }}>
          {t('Retries an earlier run')}
        </Link>
      )}
      {parent_run_id === null ? null : (
        <Link to="/activity/playbooks/$id" params={{ id: parent_run_id }}>
          {t('Part of another run')}
        </Link>
      )}
    </>
  );
}

function RunActions({ run }: { run: PlaybookRun }) {
  const { summary } = run;
  if (isActive(summary)) return <CancelRun run={summary} />;
  const failed = summary.status !== 'success' && summary.dry_run !== true;
  return (
    <>
      {failed ? <RetryRun run={run} /> : null}
      <RunAgain run={run} />
    </>
  );
}
