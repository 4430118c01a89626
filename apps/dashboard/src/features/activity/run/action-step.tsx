import type { RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { useQuery } from '@tanstack/react-query';
import { FailureNote } from '../../../components/action-run/failure-note.tsx';
import { JsonSection } from '../../../components/action-run/json-section.tsx';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Loading, TextSkeleton } from '../../../ui/skeletons.tsx';
import { skipWords } from '../step-state.ts';
import classes from './run.module.css';
import { StepFacts } from './step-facts.tsx';

type ActionNode = Extract<PlaybookAction, { kind: 'action' }>;
type Props = { runId: string; action: ActionNode; summary: RunActionSummary };

/** What an action was given, what came back, and what went wrong. */
export function ActionStep({ runId, action, summary }: Props) {
  if (summary.action_uuid === null || summary.skip_reason !== null) {
    return <NotDone action={action} summary={summary} />;
  }
  return <Done runId={runId} action={action} summary={summary} actionUuid={summary.action_uuid} />;
}

/** An action that did not begin shows what the playbook would have it do. */
function NotDone({ action, summary }: Omit<Props, 'runId'>) {
  return (
    <div className={classes.parts}>
      {skipWords(summary) === undefined ? (
        <p className={classes.words}>The run has not come to this action yet.</p>
      ) : null}
      <StepFacts action={action} summary={summary} attempts={undefined} />
      <JsonSection
        title="Input, as the playbook writes it"
        value={action.input}
        nothing="This action takes no input."
      />
    </div>
  );
}

function Done({ runId, action, summary, actionUuid }: Props & { actionUuid: string }) {
  const result = useQuery(runQueries.action(useTenantApi(), { runId, actionUuid, status: summary.status }));
  if (result.data === undefined) {
    if (result.isError) {
      return <ErrorState error={result.error} onRetry={() => void result.refetch()} retrying={result.isFetching} />;
    }
    return (
      <Loading label="Loading result">
        <TextSkeleton lines={6} />
      </Loading>
    );
  }
  const { details } = result.data;
  return (
    <div className={classes.parts}>
      {details.error_info === null ? null : <FailureNote error={details.error_info} />}
      <StepFacts action={action} summary={summary} attempts={details.context.attempt_count} />
      <div className={classes.inAndOut}>
        <JsonSection title="Input" value={details.action_input} nothing="This action takes no input." />
        <JsonSection
          title="Output"
          value={details.action_output}
          nothing={summary.time_finished === null ? 'Not there yet.' : 'There is no output.'}
        />
      </div>
    </div>
  );
}
