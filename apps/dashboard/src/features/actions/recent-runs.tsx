import { useQuery } from '@tanstack/react-query';
import { DryRunBadge } from '../../components/run-list/dry-run-badge.tsx';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';
import { actionRunQueries } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import classes from './actions.module.css';

const SHOWN = 5;

type Props = {
  actionId: string;
  /** The run whose result is shown. */
  shownId: string | undefined;
  onShow: (id: string) => void;
};

/** The last runs of an action; one shows its result. */
export function RecentRuns({ actionId, shownId, onShow }: Props) {
  const runs = useQuery(actionRunQueries.recent(useTenantApi(), actionId));
  if (runs.data === undefined) {
    return runs.isError ? (
      <ErrorState error={runs.error} onRetry={() => void runs.refetch()} retrying={runs.isFetching} />
    ) : (
      <Loading label={t('Loading recent runs')}>
        <TextSkeleton lines={3} />
      </Loading>
    );
  }
  if (runs.data.length === 0) return <p className={classes.words}>{t('It has not run in this tenant yet.')}</p>;
  return (
    <ul className={classes.recent}>
      {runs.data.slice(0, SHOWN).map(({ summary, details }) => {
        const id = details.context.action_uuid;
        return (
          <li key={id}>
            <button
              type="button"
              className={classes.recentRun}
              aria-current={id === shownId || undefined}
              onClick={() => onShow(id)}
            >
              <RunStatusBadge status={summary.status} variant="plain" />
              {details.context.dry_run === true ? <DryRunBadge /> : null}
              <span className={classes.recentNote}>
                {details.error_info?.message ?? (details.context.adhoc ? '' : t('In a playbook'))}
              </span>
              <RelativeTime time={summary.time_created} className={classes.faint ?? ''} />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
