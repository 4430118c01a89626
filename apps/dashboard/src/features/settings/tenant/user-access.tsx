import type { TenantUser } from '@airdeck/contracts/users/schema';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { type UserChange, userMutations } from '../../../queries/users.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { SettingRow } from '../setting-row.tsx';
import type { UserAction } from './user-reasons.ts';

type Props = { user: TenantUser; reasons: Readonly<Record<UserAction, string | undefined>> };

/** Password and access of somebody who has an account. */
export function UserAccess({ user, reasons }: Props) {
  const { queryClient } = useApp();
  // Kept here: the row that was pressed gives way to the other one before its change is through.
  const update = useMutation(userMutations.update(useTenantApi(), queryClient));
  return (
    <>
      <PasswordRow user={user} reason={reasons.password} />
      {user.status === 'disabled' ? (
        <EnableRow user={user} reason={reasons.status} update={update} />
      ) : (
        <DisableRow user={user} reason={reasons.status} update={update} />
      )}
    </>
  );
}

type RowProps = { user: TenantUser; reason: string | undefined };

function PasswordRow({ user, reason }: RowProps) {
  const [asking, setAsking] = useState(false);
  const reset = useMutation(userMutations.resetPassword(useTenantApi()));
  return (
    <>
      <SettingRow
        title={t('Password')}
        text={reason ?? t('Signs them out everywhere and asks for a new password by mail.')}
        actions={
          <GuardedButton variant="default" reason={reason} onClick={() => setAsking(true)}>
            {t('Reset password…')}
          </GuardedButton>
        }
      />
      {asking ? (
        <AskDialog
          title={t('Reset the password of {fullname}?', { fullname: user.fullname })}
          text={t(
            '{fullname} is signed out everywhere, and the password of now works no more. A mail to {uname} says how to choose a new one.',
            { fullname: user.fullname, uname: user.uname },
          )}
          actionLabel={t('Reset password')}
          busy={reset.isPending}
          problem={reset.error}
          onConfirm={() =>
            reset.mutate(user.uname, {
              onSuccess: () => {
                setAsking(false);
                showDone(t('Mail sent to {uname}', { uname: user.uname }));
              },
            })
          }
          onClose={() => {
            setAsking(false);
            reset.reset();
          }}
        />
      ) : null}
    </>
  );
}

type StatusRowProps = RowProps & { update: UseMutationResult<TenantUser, Error, UserChange> };

function EnableRow({ user, reason, update }: StatusRowProps) {
  return (
    <SettingRow
      title={t('Access')}
      text={
        <>
          {reason ?? t('Disabled: no sign-in, no session, no API key works.')}
          <ProblemNote error={update.error} />
        </>
      }
      actions={
        <GuardedButton
          variant="default"
          reason={reason}
          loading={update.isPending}
          onClick={() =>
            update.mutate(
              { username: user.uname, status: 'active' },
              { onSuccess: () => showDone(t('{fullname} can sign in again', { fullname: user.fullname })) },
            )
          }
        >
          {t('Enable')}
        </GuardedButton>
      }
    />
  );
}

function DisableRow({ user, reason, update }: StatusRowProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <SettingRow
        title={t('Access')}
        text={reason ?? t('Disabling closes the account until it is enabled again, in every tenant.')}
        actions={
          <GuardedButton variant="default" reason={reason} onClick={() => setAsking(true)}>
            {t('Disable…')}
          </GuardedButton>
        }
      />
      {asking ? (
        <AskDialog
          title={t('Disable {fullname}?', { fullname: user.fullname })}
          text={t(
            '{fullname} is signed out at once, in every tenant. API keys are revoked and do not come back when the account is enabled again.',
            { fullname: user.fullname },
          )}
          actionLabel={t('Disable')}
          busy={update.isPending}
          problem={update.error}
          onConfirm={() =>
            update.mutate(
              { username: user.uname, status: 'disabled' },
              {
                onSuccess: () => {
                  setAsking(false);
                  showDone(t('{fullname} disabled', { fullname: user.fullname }));
                },
              },
            )
          }
          onClose={() => {
            setAsking(false);
            update.reset();
          }}
        />
      ) : null}
    </>
  );
}
