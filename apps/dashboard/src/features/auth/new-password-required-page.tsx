import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { MailedCodeField } from '../../components/entry/mailed-code-field.tsx';
import { NewPasswordField } from '../../components/entry/new-password-field.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { useApp } from '../../session/app-context.ts';
import { handedOver } from '../../session/handover.ts';
import { TextField } from '../../ui/text-field.tsx';
import { usePasswordReset } from './use-password-reset.ts';

/** An administrator asked for a new password: the old one was right, and a code was mailed. */
export function NewPasswordRequiredPage() {
  const { queryClient } = useApp();
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
      title="A new password is required"
      section="New password required"
      text={`Your administrator asked for it. ${known === undefined ? 'A code was mailed to you' : `We mailed a code to ${known}`}; it is good for 15 minutes.`}
      mails
      foot={
        <Link to="/login" preload={false}>
          Back to sign-in
        </Link>
      }
    >
      <form onSubmit={save}>
        <Stack gap="sm">
          <ProblemNote error={problem} />
          {known === undefined ? (
            <TextField
              label="E-mail address"
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
            Set the password
          </Button>
        </Stack>
      </form>
    </EntryCard>
  );
}
