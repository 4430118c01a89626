import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { FailureNote } from '../../components/action-run/failure-note.tsx';
import { JsonSection } from '../../components/action-run/json-section.tsx';
import { RunControls } from '../../components/action-run/run-controls.tsx';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { tx } from '../../language/rich-text.ts';
import { t } from '../../language/translate.ts';
import { actionRunQueries, isActionActive, isNotDue } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { useNow } from '../../ui/use-now.ts';
import classes from './actions.module.css';

type Props = { id: string; name: string; onRetried: (again: ActionActivity) => void };

/** How one run of the action stands; announced changes and polling bring the result by themselves. */
export function RunOutcome({ id, name, onRetried }: Props) {
  const run = useQuery(actionRunQueries.detail(useTenantApi(), id));
  const root = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run was chosen or begun, and may be out of sight
  useEffect(() => {
    root.current?.scrollIntoView({ block: 'nearest' });
  }, [id]);
  return (
    <section ref={root} className={classes.outcome} aria-label={t('Result')}>
      {run.data !== undefined ? (
        <Outcome run={run.data} name={name} onRetried={onRetried} />
      ) : run.isError ? (
        <ErrorState error={run.error} onRetry={() => void run.refetch()} retrying={run.isFetching} />
      ) : (
        <Loading label={t('Loading result')}>
          <TextSkeleton lines={4} />
        </Loading>
      )}
    </section>
  );
}

function Outcome({ run, name, onRetried }: Omit<Props, 'id'> & { run: ActionActivity }) {
  const { summary, details } = run;
  return (
    <>
      <div className={classes.outcomeHead}>
        <span role="status">
          <RunStatusBadge status={summary.status} />
        </span>
        <RelativeTime time={summary.time_created} className={classes.faint ?? ''} />
        <span className={classes.outcomeControls}>
          <RunControls run={run} name={name} onRetried={onRetried} />
          <Link className={classes.link} to="/activity/actions" search={{ action: details.context.action_uuid }}>
            {t('Open in activity')}
          </Link>
        </span>
      </div>
      {details.error_info === null ? null : <FailureNote error={details.error_info} />}
      <JsonSection title={t('Input')} value={details.action_input} nothing={t('This action takes no input.')} />
      <section>
        {isActionActive(run) ? (
          <p className={classes.words}>
            <Expectation run={run} />
          </p>
        ) : (
          <JsonSection title={t('Output')} value={details.action_output} nothing={t('There is no output.')} />
        )}
      </section>
    </>
  );
}

/** What an action that has not ended waits for. */
function Expectation({ run }: { run: ActionActivity }): ReactNode {
  const now = useNow();
  const { on_hold, time_scheduled } = run.details.context;
  if (on_hold === true) return t('It waits until automation is switched on again.');
  if (isNotDue(run, now) && time_scheduled !== null) {
    return <>{tx('It begins {time}.', { time: <RelativeTime time={time_scheduled} /> })}</>;
  }
  return t('The result appears here as soon as it is there.');
}
