import { Button, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { NewPasswordField } from '../../components/entry/new-password-field.tsx';
import { OtherWays } from '../../components/entry/other-ways.tsx';
import { useSubmit } from '../../components/entry/use-submit.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { handOver } from '../../session/handover.ts';
import { TextField } from '../../ui/text-field.tsx';

/** A new account for a purchase: by another provider, or with a password and a code to the address. */
export function PurchaseSignUp({ token }: { token: string }) {
  const { identity, queryClient } = useApp();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [fullname, setFullname] = useState('');
  const [password, setPassword] = useState('');
  const { problem, busy, submit } = useSubmit();
  const signUp = (event: FormEvent) => {
    event.preventDefault();
    void submit(async () => {
      await (await identity.account()).signUpWithEmail({ email, fullname, password, purchaseToken: token });
      handOver(queryClient, { email, fullname });
      await navigate({ to: '/signup/azure/callback/$step', params: { step: 'verify-email' } });
    });
  };
  return (
    <>
      <form onSubmit={signUp}>
        <Stack gap="sm">
          <ProblemNote error={problem} />
          <TextField
            label={t('Full name')}
            name="name"
            autoComplete="name"
            required
            maxLength={200}
            value={fullname}
            onChange={setFullname}
          />
          <TextField
            label={t('Work e-mail address')}
            type="email"
            name="email"
            autoComplete="username"
            required
            maxLength={254}
            value={email}
            onChange={setEmail}
          />
          <NewPasswordField label={t('Password')} username={email} value={password} onChange={setPassword} />
          <Button type="submit" fullWidth loading={busy}>
            {t('Create the account')}
          </Button>
        </Stack>
      </form>
      <OtherWays purpose={{ for: 'marketplace', token }} email={email} verb="Continue" />
    </>
  );
}
