import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Person } from '../../../components/person.tsx';
import { DryRunBadge } from '../../../components/run-list/dry-run-badge.tsx';
import { RunStatusBadge } from '../../../components/status-badge.tsx';
import { t } from '../../../language/translate.ts';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { ErrorState } from '../../../ui/error-state.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Loading } from '../../../ui/skeletons.tsx';
import { TextSkeleton } from '../../../ui/text-skeleton.tsx';
import classes from './list.module.css';

/** The newest runs of a playbook, each leading to its own screen. */
export function RecentRuns({ playbookId }: { playbookId: string }) {
  const runs = useQuery(runQueries.list(useTenantApi(), { playbook_id: playbookId }, 0));
  if (runs.data === undefined) {
    return runs.isError ? (
      <ErrorState error={runs.error} onRetry={() => void runs.refetch()} retrying={runs.isFetching} />
    ) : (
      <Loading label={t('Loading recent runs')}>
        <TextSkeleton lines={5} />
      </Loading>
    );
  }
  if (runs.data.length === 0) return <p className={classes.words}>{t('It has not run in this tenant yet.')}</p>;
  return (
    <>
      <ul className={classes.recent}>
        {runs.data.map(({ summary }) => (
          <li key={summary.workflow_uuid}>
            <Link to="/activity/playbooks/$id" params={{ id: summary.workflow_uuid }} className={classes.recentRun}>
              <RunStatusBadge status={summary.status} variant="plain" />
              <span className={classes.recentNote}>
                {summary.dry_run === true ? <DryRunBadge /> : null}
                {summary.error_info?.message ?? <Person username={summary.trigger_info.username} />}
              </span>
              <RelativeTime time={summary.time_created} className={classes.faint ?? ''} />
            </Link>
          </li>
        ))}
      </ul>
      <Link to="/playbooks/$id" params={{ id: playbookId }} search={{ panel: 'runs' }} className={classes.faint}>
        {t('All runs of this playbook')}
      </Link>
    </>
  );
}
