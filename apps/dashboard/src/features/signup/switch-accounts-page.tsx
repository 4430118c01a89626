import { Button, Group } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { EntryMessage } from '../../components/entry/entry-message.tsx';
import { useSubmit } from '../../components/entry/use-submit.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { IdentityError, type TicketPreview } from '../../session/identity-provider.ts';
import { signOut } from '../../session/sign-out.ts';
import { signupFlow } from '../../session/signup-flow.ts';
import { startOfAttempt } from './signup-attempt.ts';
import { useJoin } from './use-join.ts';
import { useTicketPreview } from './use-ticket-preview.ts';
import type { SignedIn } from './who-is-signed-in.ts';

type Props = { attempt: string; who: SignedIn };

/** Somebody signed in opened an invitation or a purchase: which account shall go on with it? */
export function SwitchAccountsPage({ attempt, who }: Props) {
  const app = useApp();
  const navigate = useNavigate();
  const start = startOfAttempt(attempt);
  const [ticket] = useState(() => (start === '/signup/invite' ? signupFlow().ticket : undefined));
  const preview = useTicketPreview(ticket);
  const join = useJoin(ticket ?? '');
  const { problem, busy, submit } = useSubmit();
  const goOn = () =>
    submit(async () => {
      if (ticket !== undefined) return join();
      return navigate({ to: start === '/signup/azure' ? '/signup/azure/confirm' : '/home' });
    });
  const another = () =>
    submit(async () => {
      // What this browser knows is gone even if the server was not reached.
      await signOut(app).catch(() => undefined);
      await navigate({ to: start });
    });
  if (preview.error instanceof IdentityError && preview.error.code === 'TICKET_INVALID') {
    return (
      <EntryMessage
        title={t('This invitation is not valid any more')}
        section={t('Invitation')}
        text={t('It was used, withdrawn or is too old. You are signed in as {name}.', { name: who.name })}
        to="/home"
        label={t('Go home')}
      />
    );
  }
  return (
    <EntryCard
      title={t('You are signed in already')}
      section={t('Switch accounts')}
      text={start === '/signup/azure' ? t('Which account is the purchase for?') : invitationText(preview.data, who)}
    >
      <ProblemNote error={problem ?? preview.error} />
      <Group gap="xs">
        <Button loading={busy} disabled={preview.isError} onClick={() => void goOn()}>
          {t('Continue as {name}', { name: who.name })}
        </Button>
        <Button variant="default" disabled={busy} onClick={() => void another()}>
          {t('Use another account')}
        </Button>
      </Group>
    </EntryCard>
  );
}

function invitationText(preview: TicketPreview | undefined, who: SignedIn): string {
  if (preview === undefined || preview.email === '') return t('Which account is the invitation for?');
  const forAnother = preview.email !== '' && preview.email.toLowerCase() !== who.email.toLowerCase();
  return t('{tenantName} invites {email}.{what}', {
    tenantName: preview.tenantName,
    email: preview.email,
    what: forAnother ? t(' You are signed in as {name}.', { name: who.email }) : '',
  });
}
