import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { Progress } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { FailureNote } from '../../../components/action-run/failure-note.tsx';
import { AskedPrompt } from '../../../components/prompt/asked-prompt.tsx';
import { DryRunBadge } from '../../../components/run-list/dry-run-badge.tsx';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { isActive, runQueries } from '../../../queries/activity.ts';
import { refreshPlaybooks } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import { progressOf } from './progress-of.ts';
import classes from './start.module.css';

/** How far a run that was begun here has come; its questions are answered on the spot. */
export function RunProgress({ id }: { id: string }) {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const run = useQuery(runQueries.detail(tenantApi, id));
  const isOver = run.data !== undefined && !isActive(run.data.summary);
  useEffect(() => {
    // It counts among the figures now.
    if (isOver) refreshPlaybooks(queryClient, tenantApi.tenantId);
  }, [isOver, queryClient, tenantApi.tenantId]);
  const root = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run was begun, and may be out of sight
  useEffect(() => {
    root.current?.scrollIntoView({ block: 'nearest' });
  }, [id]);
  return (
    <section ref={root} className={classes.progress} aria-label={t('The run')}>
      {run.data !== undefined ? (
        <Standing run={run.data} />
      ) : run.isError ? (
        <ErrorState error={run.error} onRetry={() => void run.refetch()} retrying={run.isFetching} />
      ) : (
        <Loading label={t('Loading the run')}>
          <TextSkeleton lines={3} />
        </Loading>
      )}
    </section>
  );
}

function Standing({ run: { summary } }: { run: PlaybookRun }) {
  const { ended, total, failed } = progressOf(summary.actions_summary);
  const asked = summary.actions_summary.find(({ status, prompt_id }) => status === 'waiting' && prompt_id !== null);
  return (
    <>
      <div className={classes.progressHead}>
        <span role="status">
          <RunStatusBadge status={summary.status} />
        </span>
        {summary.dry_run === true ? <DryRunBadge /> : null}
        <RelativeTime time={summary.time_created} className={classes.faint ?? ''} />
        <Link className={classes.link} to="/activity/playbooks/$id" params={{ id: summary.workflow_uuid }}>
          {t('Open the run')}
        </Link>
      </div>
      <div>
        <Progress
          value={total === 0 ? 0 : (100 * ended) / total}
          size={4}
          {...(failed > 0 ? { color: 'red' } : {})}
          aria-label={t('Actions that have ended')}
        />
        <p className={classes.count}>
          {failed === 0
            ? plural(total, '{ended} of {count} action has ended', '{ended} of {count} actions have ended', {
                ended,
              })
            : plural(
                total,
                '{ended} of {count} action has ended, {failed} failed',
                '{ended} of {count} actions have ended, {failed} failed',
                { ended, failed },
              )}
        </p>
      </div>
      {summary.error_info === null ? null : <FailureNote error={summary.error_info} />}
      {asked === undefined || asked.prompt_id === null ? null : (
        <AskedPrompt
          which={{ runId: summary.workflow_uuid, promptId: asked.prompt_id, status: asked.status }}
          dryRun={summary.dry_run === true}
        />
      )}
    </>
  );
}
