import { useState } from 'react';
import { EntryMessage } from '../../components/entry/entry-message.tsx';
import { useApp } from '../../session/app-context.ts';
import { handedOver } from '../../session/handover.ts';

/** Somebody is signed in, here or at another provider, yet no account or tenant of ours belongs to them. */
export function AccountNotFoundPage() {
  const { queryClient } = useApp();
  const [elsewhere] = useState(() => handedOver(queryClient).noAccount === true);
  return (
    <EntryMessage
      title="Account not found"
      text={
        elsewhere
          ? 'The other account is fine, but it has no account here yet. Ask your administrator for an invitation, or sign in another way.'
          : 'You are signed in, but no tenant of this dashboard belongs to this account. Ask your administrator for an invitation, or use another account.'
      }
      to="/logout"
      label={elsewhere ? 'Back to sign-in' : 'Use another account'}
    />
  );
}
