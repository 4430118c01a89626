import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { useQuery } from '@tanstack/react-query';
import { useActionNames } from '../../components/action-names.ts';
import { DryRunBadge } from '../../components/run-list/dry-run-badge.tsx';
import { RunStatusBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';
import { actionRunQueries } from '../../queries/activity.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import parts from '../../ui/panel-parts.module.css';
import { SidePanel } from '../../ui/side-panel.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { ActionResult } from './action-result.tsx';

type Props = {
  id: string;
  opened: boolean;
  onClose: () => void;
  /** The new run of a retry. */
  onRetried: (again: ActionActivity) => void;
};

/** One action run beside the list; polled until it has ended. */
export function ActionPanel({ id, opened, onClose, onRetried }: Props) {
  const action = useQuery(actionRunQueries.detail(useTenantApi(), id));
  const nameOf = useActionNames();
  return (
    <SidePanel
      opened={opened}
      onClose={onClose}
      title={
        action.data === undefined ? (
          t('Action run')
        ) : (
          <span className={parts.head}>
            {nameOf(action.data.summary.action_name).name}
            <RunStatusBadge status={action.data.summary.status} />
            {action.data.details.context.dry_run === true ? <DryRunBadge /> : null}
          </span>
        )
      }
    >
      {action.data !== undefined ? (
        <ActionResult activity={action.data} named={nameOf(action.data.summary.action_name)} onRetried={onRetried} />
      ) : action.isError ? (
        <ErrorState error={action.error} onRetry={() => void action.refetch()} retrying={action.isFetching} />
      ) : (
        <Loading label={t('Loading action run')}>
          <TextSkeleton lines={8} />
        </Loading>
      )}
    </SidePanel>
  );
}
