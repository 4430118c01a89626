import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import { useQuery } from '@tanstack/react-query';
import { FailureNote } from '../../../components/action-run/failure-note.tsx';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { RetryFromHere } from './retry-from-here.tsx';
import classes from './run.module.css';

type Props = {
  run: PlaybookRun;
  summary: RunActionSummary;
  /** What people call the step. */
  name: string;
  /** What did not come about. */
  words: string;
};

/** A step that failed before it began, as where an expression of it could not be evaluated. */
export function NotBegun({ run, summary, name, words }: Props) {
  const { action_uuid: actionUuid } = summary;
  return (
    <div className={classes.parts}>
      <p className={classes.words}>{words}</p>
      {actionUuid === null ? null : (
        <Reason which={{ runId: run.summary.workflow_uuid, actionUuid, status: summary.status }} />
      )}
      <RetryFromHere run={run} summary={summary} name={name} errorCode={undefined} />
    </div>
  );
}

/** Beside what is known anyway: nothing while it loads, nor where it cannot be had. */
function Reason({ which }: { which: Parameters<typeof runQueries.action>[1] }) {
  const { data } = useQuery(runQueries.action(useTenantApi(), which));
  return data?.details.error_info ? <FailureNote error={data.details.error_info} /> : null;
}
