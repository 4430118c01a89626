import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import { IconPlayerStop, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { showDone } from '../../lib/toasts.ts';
import { actionRunMutations, isActionActive } from '../../queries/activity.ts';
import { useAccess } from '../../session/access.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { AskDialog } from '../confirmation/ask-dialog.tsx';
import { useConfirmedMutation } from '../confirmation/use-confirmed-mutation.ts';
import { useCallIntent } from './use-call-intent.ts';

type Props = {
  run: ActionActivity;
  /** What people call the action. */
  name: string;
  /** The new run of a retry. */
  onRetried: (again: ActionActivity) => void;
};

/** Ends an action that goes on, or runs one that failed once more. Those of a playbook are the business of its run. */
export function RunControls(props: Props) {
  const { run } = props;
  if (!run.details.context.adhoc) return null;
  if (isActionActive(run)) return <CancelAction {...props} />;
  return run.summary.status === 'success' ? null : <RetryAction key={run.details.context.action_uuid} {...props} />;
}

function CancelAction({ run, name }: Props) {
  const { reason } = useAccess('actions');
  const [asking, setAsking] = useState(false);
  const id = run.details.context.action_uuid;
  const cancel = useMutation(actionRunMutations.cancel(useTenantApi(), useQueryClient(), id));
  const begun = run.summary.status === 'running';
  return (
    <>
      <GuardedButton
        variant="default"
        reason={reason}
        leftSection={<IconPlayerStop size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {t('Cancel')}
      </GuardedButton>
      {asking ? (
        <AskDialog
          title={t('Cancel “{name}”?', { name })}
          text={
            begun
              ? t('It is stopped where it is. What it already did stays done, and it may not be known whether it did.')
              : t('It has not begun, and will not.')
          }
          actionLabel={t('Cancel action')}
          busy={cancel.isPending}
          problem={null}
          onConfirm={() =>
            cancel.mutate(undefined, {
              onSuccess: () => showDone(t('{name} cancelled', { name })),
              onSettled: () => setAsking(false),
            })
          }
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function RetryAction({ run, onRetried }: Props) {
  const { reason } = useAccess('actions');
  const intent = useCallIntent();
  const id = run.details.context.action_uuid;
  const retry = useConfirmedMutation(actionRunMutations.retry(useTenantApi(), useQueryClient(), { id, intent }));
  return (
    <GuardedButton
      variant="default"
      reason={reason}
      loading={retry.isPending}
      leftSection={<IconRefresh size={16} aria-hidden />}
      onClick={() => retry.mutate(undefined, { onSuccess: onRetried })}
    >
      {t('Run once more')}
    </GuardedButton>
  );
}
