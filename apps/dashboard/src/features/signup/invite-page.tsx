import { Button } from '@mantine/core';
import { useState } from 'react';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { EntryMessage } from '../../components/entry/entry-message.tsx';
import { EntryWait } from '../../components/entry/entry-wait.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { handedOver } from '../../session/handover.ts';
import { IdentityError } from '../../session/identity-provider.ts';
import { signupFlow } from '../../session/signup-flow.ts';
import { InviteExisting } from './invite-existing.tsx';
import { InviteNew } from './invite-new.tsx';
import { InviteSso } from './invite-sso.tsx';
import { useTicketPreview } from './use-ticket-preview.ts';

/** The link of an invitation: makes the account, or signs in to the one there is, and joins the tenant. */
export function InvitePage() {
  const { queryClient } = useApp();
  // Read once: accepting it ends the flow while this screen is still drawn.
  const [ticket] = useState(() => signupFlow().ticket);
  const [secondFactor] = useState(() => handedOver(queryClient).secondFactor === true);
  const preview = useTicketPreview(ticket);
  if (ticket === undefined) {
    return (
      <EntryMessage
        title={t('This link is not complete')}
        section={t('Invitation')}
        text={t('The ticket of the invitation is missing. Open the link of the mail again, or copy the whole of it.')}
        to="/login"
        label={t('Go to sign-in')}
        mails
      />
    );
  }
  if (preview.error instanceof IdentityError && preview.error.code === 'TICKET_INVALID') {
    return (
      <EntryMessage
        title={t('This invitation is not valid any more')}
        section={t('Invitation')}
        text={t(
          'It was used, withdrawn or is too old. Ask whoever invited you for a new one. If you have joined already, sign in.',
        )}
        to="/login"
        label={t('Go to sign-in')}
      />
    );
  }
  if (preview.isError) {
    return (
      <EntryCard title={t('The invitation could not be read')} section={t('Invitation')}>
        <ProblemNote error={preview.error} />
        <div>
          <Button loading={preview.isFetching} onClick={() => void preview.refetch()}>
            {t('Try again')}
          </Button>
        </div>
      </EntryCard>
    );
  }
  if (preview.data === undefined) return <EntryWait section={t('Invitation')} text={t('Reading your invitation…')} />;
  if (preview.data.account === 'existing' || secondFactor) {
    return <InviteExisting ticket={ticket} preview={preview.data} secondFactor={secondFactor} />;
  }
  if (preview.data.onlyConnections !== undefined) return <InviteSso ticket={ticket} preview={preview.data} />;
  return <InviteNew ticket={ticket} preview={preview.data} />;
}
