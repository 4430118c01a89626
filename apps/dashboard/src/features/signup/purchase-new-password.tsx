import { Button, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { MailedCodeField } from '../../components/entry/mailed-code-field.tsx';
import { NewPasswordField } from '../../components/entry/new-password-field.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { PurchaseEmailField } from './purchase-email-field.tsx';
import { usePurchaseStep } from './use-purchase-step.ts';

/** A new password in the middle of a purchase; the sign-in with it comes next, and the purchase is still there then. */
export function PurchaseNewPassword() {
  const { identity } = useApp();
  const navigate = useNavigate();
  const { email, setEmail, isKnown, problem, busy, submit } = usePurchaseStep();
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const save = (event: FormEvent) => {
    event.preventDefault();
    void submit(async () => {
      await (await identity.account()).resetPassword({ email, code, password });
      identity.forget();
      await navigate({ to: '/signup/azure' });
    });
  };
  return (
    <form onSubmit={save}>
      <Stack gap="sm">
        <ProblemNote error={problem} />
        <PurchaseEmailField email={email} isKnown={isKnown} onChange={setEmail} />
        <MailedCodeField value={code} onChange={setCode} autoFocus={isKnown} />
        <NewPasswordField username={email} value={password} onChange={setPassword} />
        <Button type="submit" fullWidth loading={busy}>
          {t('Set the password')}
        </Button>
      </Stack>
    </form>
  );
}
