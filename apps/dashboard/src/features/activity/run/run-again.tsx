import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { IconRefresh, IconRepeat } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useCallIntent } from '../../../components/action-run/use-call-intent.ts';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { t } from '../../../language/translate.ts';
import { runMutations } from '../../../queries/activity.ts';
import { playbookMutations } from '../../../queries/playbooks.ts';
import { useAccess } from '../../../session/access.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { againText, mayHappenTwice, retryText } from './again-words.ts';

/** The same playbook with the same inputs, as it is published now. */
export function RunAgain({ run }: { run: PlaybookRun }) {
  const { reason } = useAccess('playbooks');
  const [asking, setAsking] = useState(false);
  const intent = useCallIntent();
  const open = useOpenRun();
  const start = useMutation(playbookMutations.start(useTenantApi(), useQueryClient(), intent));
  const { playbook_id: playbookId, dry_run, workflow_name, trigger_info: cause } = run.summary;
  const dryRun = dry_run === true;
  // One that is gone has no reference any more.
  const caseId = cause.case_reference === undefined ? undefined : (cause.case_id ?? undefined);
  const gone = playbookId === null ? t('The playbook is not stored: it was only tried, or it was deleted.') : undefined;
  const label = dryRun ? t('Try again##run') : t('Run again');
  return (
    <>
      <GuardedButton
        variant="default"
        reason={reason ?? gone}
        aria-haspopup="dialog"
        leftSection={<IconRepeat size={16} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {label}
      </GuardedButton>
      {asking && playbookId !== null ? (
        <AskDialog
          title={
            dryRun
              ? t('Try “{workflow_name}” again?', { workflow_name })
              : t('Run “{workflow_name}” again?', { workflow_name })
          }
          text={againText(dryRun)}
          actionLabel={label}
          danger={false}
          busy={start.isPending}
          problem={start.error}
          onConfirm={() =>
            start.mutate({ playbookId, inputs: run.playbook.inputs, dryRun, caseId }, { onSuccess: open })
          }
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

type RetryProps = {
  run: PlaybookRun;
  /** Begins with this action; left out: with all that did not succeed. */
  from?: { id: string; name: string; errorCode: string | undefined };
};

/** A new run that takes over what succeeded, and does the rest once more. */
export function RetryRun({ run, from }: RetryProps) {
  const { reason } = useAccess('playbooks');
  const [asking, setAsking] = useState(false);
  const intent = useCallIntent();
  const open = useOpenRun();
  const id = run.summary.workflow_uuid;
  const retry = useMutation(runMutations.retry(useTenantApi(), useQueryClient(), { id, intent }));
  const label = from === undefined ? t('Retry what failed') : t('Retry from here');
  return (
    <>
      <GuardedButton
        variant="default"
        {...(from === undefined ? {} : { size: 'xs' })}
        reason={reason}
        aria-haspopup="dialog"
        leftSection={<IconRefresh size={from === undefined ? 16 : 14} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        {label}
      </GuardedButton>
      {asking ? (
        <AskDialog
          title={
            from === undefined
              ? t('Retry what failed in “{workflow_name}”?', { workflow_name: run.summary.workflow_name })
              : t('Retry “{workflow_name}” from “{name}”?', {
                  workflow_name: run.summary.workflow_name,
                  name: from.name,
                })
          }
          text={retryText({
            all: from === undefined,
            twice: mayHappenTwice(run, from?.id, from === undefined ? run.summary.error_info?.code : from.errorCode),
          })}
          actionLabel={label}
          danger={false}
          busy={retry.isPending}
          problem={retry.error}
          onConfirm={() => retry.mutate(from === undefined ? {} : { from_action: from.id }, { onSuccess: open })}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function useOpenRun() {
  const navigate = useNavigate();
  return ({ summary }: PlaybookRun) =>
    void navigate({ to: '/activity/playbooks/$id', params: { id: summary.workflow_uuid } });
}
