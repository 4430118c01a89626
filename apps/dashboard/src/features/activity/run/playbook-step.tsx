import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FailureNote } from '../../../components/action-run/failure-note.tsx';
import { JsonSection } from '../../../components/action-run/json-section.tsx';
import { skipWords } from '../../../components/flow/step-state.ts';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { t } from '../../../language/translate.ts';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { RetryFromHere } from './retry-from-here.tsx';
import classes from './run.module.css';

type Props = {
  run: PlaybookRun;
  action: Extract<PlaybookAction, { kind: 'playbook' }>;
  summary: RunActionSummary;
  name: string;
};

/** A playbook that ran as a part of this one, with the way to its own run. */
export function PlaybookStep({ run, action, summary, name }: Props) {
  if (summary.child_run_id === null) {
    return (
      <div className={classes.parts}>
        {skipWords(summary) === undefined ? (
          <p className={classes.words}>
            {summary.status === 'error'
              ? t('The playbook could not be started.')
              : t('The run has not come to this playbook yet.')}
          </p>
        ) : null}
        <JsonSection
          title={t('Inputs, as the playbook writes them')}
          value={action.inputs ?? {}}
          nothing={t('It is run without inputs.')}
        />
        <RetryFromHere run={run} summary={summary} name={name} errorCode={undefined} />
      </div>
    );
  }
  return <Started run={run} summary={summary} name={name} id={summary.child_run_id} />;
}

function Started({ run, summary, name, id }: Omit<Props, 'action'> & { id: string }) {
  const child = useQuery(runQueries.detail(useTenantApi(), id));
  const errorCode = child.data?.summary.error_info?.code;
  return (
    <div className={classes.parts}>
      <Child id={id} child={child} />
      <RetryFromHere run={run} summary={summary} name={name} errorCode={errorCode} />
    </div>
  );
}

function Child({ id, child }: { id: string; child: UseQueryResult<PlaybookRun> }) {
  if (child.data === undefined) {
    if (child.isError) {
      return <ErrorState error={child.error} onRetry={() => void child.refetch()} retrying={child.isFetching} />;
    }
    return (
      <Loading label={t('Loading its run')}>
        <TextSkeleton lines={4} />
      </Loading>
    );
  }
  const { playbook, summary } = child.data;
  return (
    <>
      <p className={classes.child}>
        <RunStatusBadge status={summary.status} />
        <Link to="/activity/playbooks/$id" params={{ id }}>
          {t('Open the run of “{workflow_name}”', { workflow_name: summary.workflow_name })}
        </Link>
      </p>
      {summary.error_info === null ? null : <FailureNote error={summary.error_info} />}
      <div className={classes.inAndOut}>
        <JsonSection title={t('Inputs')} value={playbook.inputs} nothing={t('It was run without inputs.')} />
        <JsonSection
          title={t('Outputs')}
          value={playbook.outputs}
          nothing={summary.time_finished === null ? t('Not there yet.') : t('There are no outputs.')}
        />
      </div>
    </>
  );
}
