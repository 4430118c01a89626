import type { PlaybookRun, RunActionSummary } from '@airdeck/contracts/activity/schema';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FailureNote } from '../../../../components/action-run/failure-note.tsx';
import { JsonSection } from '../../../../components/action-run/json-section.tsx';
import { skipWords } from '../../../../components/flow/step-state.ts';
import { AskedPrompt } from '../../../../components/prompt/asked-prompt.tsx';
import { DryRunBadge } from '../../../../components/run-list/dry-run-badge.tsx';
import { RunStatusBadge } from '../../../../components/status-badge.tsx';
import { t } from '../../../../language/translate.ts';
import { isActive, runQueries } from '../../../../queries/activity.ts';
import { useTenantApi } from '../../../../session/app-context.ts';
import { ErrorState } from '../../../../ui/error-state.tsx';
import { Loading } from '../../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../../ui/text-skeleton.tsx';
import classes from '../builder.module.css';
import { useBuilder } from '../builder-context.ts';
import { useStepNames } from '../graph/use-step-names.ts';
import { trialStates } from './trial-states.ts';

type Props = { runId: string; onAgain: () => void };

/** How a trial goes: the graph shows the states, here stands what the selected step took and gave. */
export function TrialRun({ runId, onAgain }: Props) {
  const run = useQuery(runQueries.detail(useTenantApi(), runId));
  if (run.data === undefined) {
    if (run.isError) {
      return <ErrorState error={run.error} onRetry={() => void run.refetch()} retrying={run.isFetching} />;
    }
    return (
      <Loading label={t('Starting the trial')}>
        <TextSkeleton lines={4} />
      </Loading>
    );
  }
  return <Trial run={run.data} onAgain={onAgain} />;
}

function Trial({ run, onAgain }: { run: PlaybookRun; onAgain: () => void }) {
  const { document: doc } = useBuilder();
  const { summary, playbook } = run;
  const stepOf = (id: string | undefined) => summary.actions_summary.find((each) => each.workflow_action_id === id);
  // Questions want an answer more than anything else wants to be looked at.
  const waiting = summary.actions_summary.filter(({ status }) => status === 'waiting');
  const failed = summary.actions_summary.find(({ status }) => status === 'error');
  const chosen = stepOf(doc.selection[0]) ?? failed;
  const shown = chosen === undefined || waiting.includes(chosen) ? waiting : [...waiting, chosen];
  return (
    <>
      <div className={classes.trialHead}>
        <span role="status">
          <RunStatusBadge status={summary.status} />
        </span>
        <DryRunBadge />
        <Button variant="default" size="xs" onClick={onAgain}>
          {t('Try again')}
        </Button>
        <Link to="/activity/playbooks/$id" params={{ id: summary.workflow_uuid }} className={classes.words}>
          {t('Open the run')}
        </Link>
      </div>
      {summary.error_info === null ? null : <FailureNote error={summary.error_info} />}
      {shown.length === 0 ? (
        <p className={classes.words}>{t('Select a step in the graph to see what it took and what it gave.')}</p>
      ) : (
        shown.map((each) => <TrialStep key={each.workflow_action_id} run={run} summary={each} />)
      )}
      {isActive(summary) ? null : (
        <JsonSection title={t('Outputs')} value={playbook.outputs} nothing={t('This playbook leaves no outputs.')} />
      )}
    </>
  );
}

function TrialStep({ run, summary }: { run: PlaybookRun; summary: RunActionSummary }) {
  const runId = run.summary.workflow_uuid;
  const state = trialStates(run).get(summary.workflow_action_id);
  const name = useStepNames()(summary.workflow_action_id);
  return (
    <section className={classes.trialStep} aria-label={name}>
      <div className={classes.trialHead}>
        <h3 className={classes.panelTitle}>{name}</h3>
        {state === undefined ? null : <RunStatusBadge status={state} />}
      </div>
      <StepResult runId={runId} summary={summary} />
    </section>
  );
}

function StepResult({ runId, summary }: { runId: string; summary: RunActionSummary }) {
  if (summary.prompt_id !== null) {
    return <AskedPrompt which={{ runId, promptId: summary.prompt_id, status: summary.status }} dryRun />;
  }
  const skipped = skipWords(summary);
  if (skipped !== undefined) return <p className={classes.words}>{skipped}</p>;
  if (summary.action_uuid === null)
    return <p className={classes.words}>{t('The trial has not come to this step yet.')}</p>;
  if (summary.kind === 'delay') return <p className={classes.words}>{t('It waits, and has no result.')}</p>;
  return <ActionResult runId={runId} summary={summary} actionUuid={summary.action_uuid} />;
}

type ResultProps = { runId: string; summary: RunActionSummary; actionUuid: string };

function ActionResult({ runId, summary, actionUuid }: ResultProps) {
  const result = useQuery(runQueries.action(useTenantApi(), { runId, actionUuid, status: summary.status }));
  if (result.data === undefined) {
    if (result.isError) {
      return <ErrorState error={result.error} onRetry={() => void result.refetch()} retrying={result.isFetching} />;
    }
    return (
      <Loading label={t('Loading the result')}>
        <TextSkeleton lines={4} />
      </Loading>
    );
  }
  const { details } = result.data;
  return (
    <>
      {details.error_info === null ? null : <FailureNote error={details.error_info} />}
      <JsonSection title={t('Input')} value={details.action_input} nothing={t('It takes no input.')} />
      <JsonSection
        title={t('Output')}
        value={details.action_output}
        nothing={summary.time_finished === null ? t('Not there yet.') : t('There is no output.')}
      />
    </>
  );
}
