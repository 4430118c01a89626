import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { signInPlace, useAskedFor } from '../../components/entry/asked-for.ts';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { MailedCodeField } from '../../components/entry/mailed-code-field.tsx';
import { NewPasswordField } from '../../components/entry/new-password-field.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { handedOver } from '../../session/handover.ts';
import { TextField } from '../../ui/text-field.tsx';
import { usePasswordReset } from './use-password-reset.ts';

/** An administrator asked for a new password: the old one was right, and a code was mailed. */
export function NewPasswordRequiredPage() {
  const { queryClient } = useApp();
  const askedFor = useAskedFor();
  // Gone after a reload; then the person says again who it is.
  const [known] = useState(() => handedOver(queryClient).email);
  const [email, setEmail] = useState(known ?? '');
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const { problem, busy, reset } = usePasswordReset();
  const save = (event: FormEvent) => {
    event.preventDefault();
    void reset({ email, code, password });
  };
  return (
    <EntryCard
      title={t('A new password is required')}
      section={t('New password required')}
      text={t('Your administrator asked for it. {what}; it is good for 10 minutes, in this browser.', {
        what: known === undefined ? t('A code was mailed to you') : t('We mailed a code to {known}', { known }),
      })}
      mails
      foot={
        <Link {...signInPlace(askedFor)} preload={false}>
          {t('Back to sign-in')}
        </Link>
      }
    >
      <form onSubmit={save}>
        <Stack gap="sm">
          <ProblemNote error={problem} />
          {known === undefined ? (
            <TextField
              label={t('E-mail address')}
              type="email"
              name="email"
              autoComplete="username"
              required
              maxLength={254}
              value={email}
              onChange={setEmail}
            />
          ) : null}
          <MailedCodeField value={code} onChange={setCode} autoFocus={known !== undefined} />
          <NewPasswordField username={email} value={password} onChange={setPassword} />
          <Button type="submit" fullWidth loading={busy}>
            {t('Set the password')}
          </Button>
        </Stack>
      </form>
    </EntryCard>
  );
}
