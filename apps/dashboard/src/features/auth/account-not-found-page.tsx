import { useState } from 'react';
import { useAskedFor } from '../../components/entry/asked-for.ts';
import { EntryMessage } from '../../components/entry/entry-message.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { handedOver } from '../../session/handover.ts';

/** Somebody is signed in, here or at another provider, yet no account or tenant of ours belongs to them. */
export function AccountNotFoundPage() {
  const { queryClient } = useApp();
  const askedFor = useAskedFor();
  const [elsewhere] = useState(() => handedOver(queryClient).noAccount === true);
  return (
    <EntryMessage
      title={t('Account not found')}
      text={
        elsewhere
          ? t(
              'The other account is fine, but it has no account here yet. Ask your administrator for an invitation, or sign in another way.',
            )
          : t(
              'You are signed in, but no tenant of this dashboard belongs to this account. Ask your administrator for an invitation, or use another account.',
            )
      }
      to="/logout"
      askedFor={askedFor}
      label={elsewhere ? t('Back to sign-in') : t('Use another account')}
    />
  );
}
