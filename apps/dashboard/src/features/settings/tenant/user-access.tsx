import type { TenantUser } from '@airdeck/contracts/users/schema';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { showDone } from '../../../lib/toasts.ts';
import { userMutations } from '../../../queries/users.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { SettingRow } from '../setting-row.tsx';
import type { UserAction } from './user-reasons.ts';

type Props = { user: TenantUser; reasons: Readonly<Record<UserAction, string | undefined>> };

/** Password and access of somebody who has an account. */
export function UserAccess({ user, reasons }: Props) {
  return (
    <>
      <PasswordRow user={user} reason={reasons.password} />
      {user.status === 'disabled' ? (
        <EnableRow user={user} reason={reasons.status} />
      ) : (
        <DisableRow user={user} reason={reasons.status} />
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
        title="Password"
        text={reason ?? 'Signs them out everywhere and mails a code for a new password.'}
        actions={
          <GuardedButton variant="default" reason={reason} onClick={() => setAsking(true)}>
            Reset password…
          </GuardedButton>
        }
      />
      {asking ? (
        <AskDialog
          title={`Reset the password of ${user.fullname}?`}
          text={`${user.fullname} is signed out everywhere, and the password of now works no more. A code for a new one goes to ${user.uname}.`}
          actionLabel="Reset password"
          busy={reset.isPending}
          problem={reset.error}
          onConfirm={() =>
            reset.mutate(user.uname, {
              onSuccess: () => {
                setAsking(false);
                showDone(`Code sent to ${user.uname}`);
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

function EnableRow({ user, reason }: RowProps) {
  const { queryClient } = useApp();
  const update = useMutation(userMutations.update(useTenantApi(), queryClient));
  return (
    <SettingRow
      title="Access"
      text={
        <>
          {reason ?? 'Disabled: no sign-in, no session, no API key works.'}
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
              { onSuccess: () => showDone(`${user.fullname} can sign in again`) },
            )
          }
        >
          Enable
        </GuardedButton>
      }
    />
  );
}

function DisableRow({ user, reason }: RowProps) {
  const { queryClient } = useApp();
  const [asking, setAsking] = useState(false);
  const update = useMutation(userMutations.update(useTenantApi(), queryClient));
  return (
    <>
      <SettingRow
        title="Access"
        text={reason ?? 'Disabling closes the account until it is enabled again, in every tenant.'}
        actions={
          <GuardedButton variant="default" reason={reason} onClick={() => setAsking(true)}>
            Disable…
          </GuardedButton>
        }
      />
      {asking ? (
        <AskDialog
          title={`Disable ${user.fullname}?`}
          text={`${user.fullname} is signed out at once, in every tenant. API keys are revoked and do not come back when the account is enabled again.`}
          actionLabel="Disable"
          busy={update.isPending}
          problem={update.error}
          onConfirm={() =>
            update.mutate(
              { username: user.uname, status: 'disabled' },
              {
                onSuccess: () => {
                  setAsking(false);
                  showDone(`${user.fullname} disabled`);
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
