import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { QrCode } from '../../../components/account/qr-code.tsx';
import { CODE_DIGITS, CodeBoxes } from '../../../components/entry/code-boxes.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { useApp } from '../../../session/app-context.ts';
import type { AccountSecurity } from '../../../session/identity-provider.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import classes from '../settings.module.css';
import { RecoveryCodesShown } from './recovery-codes-shown.tsx';
import { useAccountMutation } from './use-account-mutation.ts';

type Secret = { secret: string; uri: string };
type Props = { account: AccountSecurity; secret: Secret; onClose: () => void };

/** Set-up of an authenticator app: scan, type its code, keep the recovery codes. The one before works until then. */
export function AuthenticatorDialog({ account, secret, onClose }: Props) {
  const { identity, queryClient } = useApp();
  const confirm = useAccountMutation((at, code: string) => at.confirmTotp(code));
  const verify = (code: string, onRefused: () => void) => {
    if (confirm.isPending) return;
    confirm.mutate(code, {
      onSuccess: async () => {
        // The next token says that a second factor was used.
        await identity.getToken({ refresh: true });
        await queryClient.invalidateQueries({ queryKey: ['me'] });
      },
      onError: onRefused,
    });
  };

  if (confirm.data !== undefined) {
    return (
      <Dialog title={t('Keep your recovery codes')} onClose={() => undefined}>
        <RecoveryCodesShown codes={confirm.data} email={account.email} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog
      title={account.hasTotp ? t('Set up the authenticator app anew') : t('Set up an authenticator app')}
      // Closed while the code is checked, the recovery codes would never be seen.
      onClose={confirm.isPending ? () => undefined : onClose}
    >
      <Stack gap="md">
        <ProblemNote error={confirm.error} />
        <SetUp secret={secret} busy={confirm.isPending} onVerify={verify} onCancel={onClose} />
      </Stack>
    </Dialog>
  );
}

type SetUpProps = {
  secret: Secret;
  busy: boolean;
  onVerify: (code: string, onRefused: () => void) => void;
  onCancel: () => void;
};

function SetUp({ secret: { secret, uri }, busy, onVerify, onCancel }: SetUpProps) {
  const [code, setCode] = useState('');
  const verify = (given: string) => onVerify(given, () => setCode(''));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.length === CODE_DIGITS) verify(code);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <div className={classes.setUp}>
          <QrCode text={uri} label={t('QR code for your authenticator app')} size={176} />
          <div className={classes.setUpWords}>
            <span>{t('Scan this with your authenticator app, then type the code it shows.')}</span>
            <span>{t('Cannot scan? Type this key into the app:')}</span>
            <span className={classes.secret}>
              {secret.match(/.{1,4}/g)?.join(' ')}
              <CopyButton value={secret} label={t('Copy key')} />
            </span>
          </div>
        </div>
        <CodeBoxes code={code} busy={busy} onChange={setCode} onComplete={verify} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={code.length !== CODE_DIGITS}>
            {t('Verify')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
