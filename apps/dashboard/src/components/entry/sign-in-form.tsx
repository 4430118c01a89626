import { Button, Stack } from '@mantine/core';
import { type FormEvent, lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../language/translate.ts';
import { PasswordField, TextField } from '../../ui/text-field.tsx';
import { ProblemNote } from '../problem-note.tsx';
import type { SignIn } from './use-sign-in.ts';

const loadCodeForm = () => import('./code-form.tsx').then(({ CodeForm: Form }) => ({ default: Form }));
const CodeForm = lazy(loadCodeForm);

type Props = {
  signIn: SignIn;
  /** The address is settled: an invitation goes to one person. */
  fixedEmail?: boolean;
  /** When the person has finished typing an address. */
  onEmail?: (email: string) => void;
  /** Between the fields and the button. */
  children?: ReactNode;
};

/** The form of the step a sign-in is at. */
export function SignInForm({ signIn, fixedEmail = false, onEmail, children }: Props) {
  const { credentials, busy } = signIn;
  if (signIn.step === 'code') {
    return (
      <>
        <ProblemNote error={signIn.problem} />
        <Suspense fallback={null}>
          <CodeForm
            code={signIn.code}
            busy={busy}
            onChange={signIn.setCode}
            onSubmit={(given) => void signIn.verify(given)}
            onRecoveryCode={(given) => void signIn.verifyRecoveryCode(given)}
            onBack={signIn.startOver}
          />
        </Suspense>
      </>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void loadCodeForm();
    void signIn.signIn(credentials);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <ProblemNote error={signIn.problem} />
        <TextField
          label={t('E-mail address')}
          type="email"
          name="email"
          autoComplete="username"
          required
          maxLength={254}
          readOnly={fixedEmail}
          value={credentials.email}
          onChange={(email) => signIn.setCredentials({ ...credentials, email })}
          onBlur={() => onEmail?.(credentials.email)}
        />
        <PasswordField
          label={t('Password')}
          name="password"
          autoComplete="current-password"
          required
          maxLength={128}
          value={credentials.password}
          onChange={(password) => signIn.setCredentials({ ...credentials, password })}
        />
        {children}
        <Button type="submit" fullWidth loading={busy}>
          {t('Sign in')}
        </Button>
      </Stack>
    </form>
  );
}
