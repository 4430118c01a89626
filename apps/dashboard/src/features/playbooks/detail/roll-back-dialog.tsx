import type { Playbook, PlaybookVersion } from '@airdeck/contracts/playbooks/schema';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { playbookMutations } from '../../../queries/playbooks.ts';
import { useTenantApi } from '../../../session/app-context.ts';

type Props = { playbook: Playbook; version: PlaybookVersion; onClose: () => void };

/** Publishes an older version anew, once it was said what that means. */
export function RollBackDialog({ playbook, version: { version }, onClose }: Props) {
  const rollBack = useMutation(playbookMutations.rollBack(useTenantApi(), useQueryClient(), playbook.id));
  const values = { version, next: playbook.version + 1 };
  const what = t(
    'Version {version} is published again, as version {next}, and runs from now on. Runs that go on keep the version they began with.',
    values,
  );
  const whatAndDraft = t(
    'Version {version} is published again, as version {next}, and runs from now on. Runs that go on keep the version they began with. Changes that are not published stay in the draft.',
    values,
  );
  return (
    <AskDialog
      title={t('Roll “{name}” back to version {version}?', { name: playbook.metadata.name, version })}
      text={playbook.has_draft ? whatAndDraft : what}
      actionLabel={t('Roll back')}
      danger={false}
      busy={rollBack.isPending}
      problem={rollBack.error}
      onConfirm={() =>
        rollBack.mutate(version, {
          onSuccess: (now) => {
            showDone(t('Version {version} is published again, as version {now}', { version, now: now.version }));
            onClose();
          },
        })
      }
      onClose={onClose}
    />
  );
}
