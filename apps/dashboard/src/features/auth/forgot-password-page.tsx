import { Button, Stack } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { signInPlace, useAskedFor } from '../../components/entry/asked-for.ts';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { useSubmit } from '../../components/entry/use-submit.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { handedOver, handOver } from '../../session/handover.ts';
import { TextField } from '../../ui/text-field.tsx';

/** Asks for the address a code is mailed to. Says the same whether there is an account or not. */
export function ForgotPasswordPage() {
  const { identity, queryClient } = useApp();
  const navigate = useNavigate();
  const askedFor = useAskedFor();
  const [email, setEmail] = useState(() => handedOver(queryClient).email ?? '');
  const { problem, busy, submit } = useSubmit();
  const send = (event: FormEvent) => {
    event.preventDefault();
    void submit(async () => {
      await (await identity.account()).requestPasswordReset(email);
      handOver(queryClient, { email });
      await navigate({ to: '/confirm-code', search: askedFor });
    });
  };
  return (
    <EntryCard
      title={t('Forgot your password?')}
      section={t('Forgot password')}
      text={t('We mail you a code with which you can choose a new one.')}
      mails
      foot={
        <Link {...signInPlace(askedFor)} preload={false}>
          {t('Back to sign-in')}
        </Link>
      }
    >
      <form onSubmit={send}>
        <Stack gap="sm">
          <ProblemNote error={problem} />
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
          <Button type="submit" fullWidth loading={busy}>
            {t('Send the code')}
          </Button>
        </Stack>
      </form>
    </EntryCard>
  );
}
