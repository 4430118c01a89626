import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { NewPasswordField } from '../../components/entry/new-password-field.tsx';
import { OtherWays } from '../../components/entry/other-ways.tsx';
import { useSubmit } from '../../components/entry/use-submit.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import type { TicketPreview } from '../../session/identity-provider.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useJoin } from './use-join.ts';

type Props = { ticket: string; preview: TicketPreview };

/** The invited address has no account yet: name and password make one, or another provider vouches for the address. */
export function InviteNew({ ticket, preview }: Props) {
  const { identity } = useApp();
  const join = useJoin(ticket);
  const [email, setEmail] = useState(preview.email);
  const [fullname, setFullname] = useState(preview.fullname);
  const [password, setPassword] = useState('');
  const [made, setMade] = useState(false);
  const { problem, busy, submit } = useSubmit();
  const named = preview.email !== '';
  const signUp = (event: FormEvent) => {
    event.preventDefault();
    void submit(async () => {
      // Made in an earlier try that did not get as far as joining: only that is left.
      if (!made) {
        const account = await identity.account();
        await account.signUpWithTicket({ ticket, fullname, password, ...(named ? {} : { email }) });
        setMade(true);
      }
      await join();
    });
  };
  return (
    <EntryCard
      title={
        named
          ? t('Join {tenantName}', { tenantName: preview.tenantName })
          : t('Set up {tenantName}', { tenantName: preview.tenantName })
      }
      section={t('Invitation')}
      text={
        named
          ? t('Choose a password for your account. An authenticator app comes next.')
          : t('Make the first account. It becomes Admin; everybody else is invited by it.')
      }
      mails
    >
      <form onSubmit={signUp}>
        <Stack gap="sm">
          <ProblemNote error={problem} />
          <TextField
            label={t('E-mail address')}
            type="email"
            name="email"
            autoComplete="username"
            required
            maxLength={254}
            readOnly={named || made}
            value={email}
            onChange={setEmail}
          />
          <TextField
            label={t('Full name')}
            name="name"
            autoComplete="name"
            required
            maxLength={200}
            readOnly={made}
            value={fullname}
            onChange={setFullname}
          />
          {made ? null : (
            <NewPasswordField label={t('Password')} username={email} value={password} onChange={setPassword} />
          )}
          <Button type="submit" fullWidth loading={busy}>
            {made ? t('Join') : t('Create the account')}
          </Button>
        </Stack>
      </form>
      {made ? null : <OtherWays purpose={{ for: 'invitation', ticket }} email={email} verb="Join" />}
    </EntryCard>
  );
}
