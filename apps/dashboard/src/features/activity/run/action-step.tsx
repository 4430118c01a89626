import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { useQuery } from '@tanstack/react-query';
import { FailureNote } from '../../../components/action-run/failure-note.tsx';
import { JsonSection } from '../../../components/action-run/json-section.tsx';
import { skipWords } from '../../../components/flow/step-state.ts';
import { t } from '../../../language/translate.ts';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { InAndOut } from './in-and-out.tsx';
import { ItemList } from './item-list.tsx';
import { RetryFromHere } from './retry-from-here.tsx';
import classes from './run.module.css';
import { StepFacts } from './step-facts.tsx';

type ActionNode = Extract<PlaybookAction, { kind: 'action' }>;
type Props = {
  run: PlaybookRun;
  action: ActionNode;
  summary: RunActionSummary;
  /** What people call the step. */
  name: string;
};

/** What an action was given, what came back, and what went wrong. */
export function ActionStep(props: Props) {
  const { action, summary } = props;
  if (summary.action_uuid === null || summary.skip_reason !== null) {
    return <NotDone action={action} summary={summary} />;
  }
  return <Done {...props} actionUuid={summary.action_uuid} />;
}

/** An action that did not begin shows what the playbook would have it do. */
function NotDone({ action, summary }: Pick<Props, 'action' | 'summary'>) {
  return (
    <div className={classes.parts}>
      {skipWords(summary) === undefined ? (
        <p className={classes.words}>{t('The run has not come to this action yet.')}</p>
      ) : null}
      <StepFacts action={action} summary={summary} attempts={undefined} />
      <JsonSection
        title={t('Input, as the playbook writes it')}
        value={action.input}
        nothing={t('This action takes no input.')}
      />
    </div>
  );
}

function Done({ run, action, summary, name, actionUuid }: Props & { actionUuid: string }) {
  const runId = run.summary.workflow_uuid;
  const result = useQuery(runQueries.action(useTenantApi(), { runId, actionUuid, status: summary.status }));
  if (result.data === undefined) {
    if (result.isError) {
      return <ErrorState error={result.error} onRetry={() => void result.refetch()} retrying={result.isFetching} />;
    }
    return (
      <Loading label={t('Loading result')}>
        <TextSkeleton lines={6} />
      </Loading>
    );
  }
  const { details } = result.data;
  return (
    <div className={classes.parts}>
      {details.error_info === null ? null : <FailureNote error={details.error_info} />}
      <RetryFromHere run={run} summary={summary} name={name} errorCode={details.error_info?.code} />
      {summary.not_called === true ? (
        <p className={classes.note}>
          {t('Not called, as this was a try. The input is what it would have been called with.')}
        </p>
      ) : null}
      <StepFacts action={action} summary={summary} attempts={details.context.attempt_count} />
      {details.items === undefined ? (
        <InAndOut details={details} isOver={summary.time_finished !== null} />
      ) : (
        <ItemList runId={runId} actionUuid={actionUuid} items={details.items} />
      )}
    </div>
  );
}
