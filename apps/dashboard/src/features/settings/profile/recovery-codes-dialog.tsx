import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { t } from '../../../language/translate.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { RecoveryCodesShown } from './recovery-codes-shown.tsx';
import { useAccountMutation } from './use-account-mutation.ts';

/** Asks, then makes new recovery codes and shows them. */
export function RecoveryCodesDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const renew = useAccountMutation((account) => account.regenerateRecoveryCodes());
  if (renew.data !== undefined) {
    return (
      <Dialog title={t('Keep your recovery codes')} onClose={() => undefined}>
        <RecoveryCodesShown codes={renew.data} email={email} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <AskDialog
      title={t('Make new recovery codes?')}
      text={t('The codes you have now stop working at once.')}
      actionLabel={t('Make new codes')}
      busy={renew.isPending}
      problem={renew.error}
      onConfirm={() => renew.mutate(undefined)}
      onClose={onClose}
    />
  );
}
