import { Button, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useAskedFor } from '../../components/entry/asked-for.ts';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { EntryMessage } from '../../components/entry/entry-message.tsx';
import { NewPasswordField } from '../../components/entry/new-password-field.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { handedOver } from '../../session/handover.ts';
import { usePasswordReset } from './use-password-reset.ts';

/** The new password, after the mailed code was judged right, or from a link of the mail. */
export function ResetPasswordPage() {
  const { queryClient } = useApp();
  const askedFor = useAskedFor();
  const [{ email, code }] = useState(() => handedOver(queryClient));
  if (email === undefined || code === undefined) {
    return (
      <EntryMessage
        title={t('This link is not complete')}
        section={t('Reset password')}
        text={t('The code or the e-mail address is missing. Ask for a code again and enter it here.')}
        to="/forgot-password"
        askedFor={askedFor}
        label={t('Ask for a code')}
      />
    );
  }
  return <ResetPassword email={email} code={code} />;
}

function ResetPassword({ email, code }: { email: string; code: string }) {
  const askedFor = useAskedFor();
  const [password, setPassword] = useState('');
  const { problem, busy, reset } = usePasswordReset();
  const save = (event: FormEvent) => {
    event.preventDefault();
    void reset({ email, code, password });
  };
  return (
    <EntryCard
      title={t('Choose a new password')}
      section={t('Reset password')}
      text={t('For {email}. You are signed out everywhere then; your authenticator stays as it is.', { email })}
      foot={
        <Link to="/forgot-password" search={askedFor} preload={false}>
          {t('Ask for a new code')}
        </Link>
      }
    >
      <form onSubmit={save}>
        <Stack gap="sm">
          <ProblemNote error={problem} />
          <NewPasswordField username={email} value={password} onChange={setPassword} />
          <Button type="submit" fullWidth loading={busy}>
            {t('Set the password')}
          </Button>
        </Stack>
      </form>
    </EntryCard>
  );
}
