import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { failureText } from '../../../components/failure-text.ts';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { IdentityError, type IdentityErrorCode } from '../../../session/identity-provider.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useAccountMutation } from './use-account-mutation.ts';

type Field = 'current' | 'next';

/** Failures that belong to one of the fields. */
const fieldOf: Partial<Record<IdentityErrorCode, Field>> = {
  CREDENTIALS_WRONG: 'current',
  PASSWORD_WEAK: 'next',
  PASSWORD_REUSED: 'next',
};

/** The present password and the new one. */
export function PasswordDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useAccountMutation((account, given: { currentPassword: string; newPassword: string }) =>
    account.changePassword(given),
  );
  const field = change.error instanceof IdentityError ? fieldOf[change.error.code] : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (current === '' || next === '' || change.isPending) return;
    change.mutate(
      { currentPassword: current, newPassword: next },
      {
        onSuccess: () => {
          showDone(t('Password changed. Other sessions are signed out.'));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog title={t('Change password')} onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {field === undefined ? <ProblemNote error={change.error} /> : null}
          {/* For password managers: whose password this is. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label={t('Current password')}
            autoComplete="current-password"
            value={current}
            error={field === 'current' ? t('This is not your current password.') : undefined}
            onChange={(event) => setCurrent(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('Show current password') }}
            data-autofocus
          />
          <PasswordInput
            label={t('New password')}
            description={t('12 to 128 characters, and not one that is easy to guess.')}
            autoComplete="new-password"
            value={next}
            error={field === 'next' ? failureText(change.error) : undefined}
            onChange={(event) => setNext(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('Show new password') }}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={change.isPending} disabled={current === '' || next === ''}>
              {t('Change password')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
