import type { DemoAccount } from '@airdeck/contracts/system/schema';
import { Button, Stack, Text, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useDocumentTitle } from '../../lib/document-title.ts';
import { useProduct } from '../../lib/product.ts';
import { wipeCaches } from '../../lib/wipe-caches.ts';
import { useApp } from '../../session/app-context.ts';
import { PasswordField, TextField } from '../../ui/text-field.tsx';
import { AuthCard } from './auth-card.tsx';
import { AuthProblem } from './auth-problem.tsx';
import { useSubmit } from './use-submit.ts';

// Only stage `local` has demo accounts; nobody else should load their panel.
const DemoAccountsPanel = lazy(() =>
  import('./demo-accounts-panel.tsx').then(({ DemoAccountsPanel: Panel }) => ({ default: Panel })),
);

const loadCodeForm = () => import('./code-form.tsx').then(({ CodeForm: Form }) => ({ default: Form }));
const CodeForm = lazy(loadCodeForm);

type Props = { redirect: string | undefined };
type Credentials = { email: string; password: string };

/** Sign-in: password, then the code of the authenticator app. */
export function LoginPage({ redirect }: Props) {
  const { config, identity, queryClient, storage } = useApp();
  const navigate = useNavigate();
  const [credentials, setCredentials] = useState<Credentials>({ email: '', password: '' });
  const [step, setStep] = useState<'password' | 'code'>('password');
  const [code, setCode] = useState('');
  const { problem, busy, submit, clear } = useSubmit();
  const product = useProduct();
  useDocumentTitle('Sign in');

  const finish = async () => {
    // Somebody else may have used this browser before.
    await wipeCaches(queryClient, storage);
    await navigate({ to: '/validate', search: redirect === undefined ? {} : { redirect } });
  };
  const signIn = (given: Credentials, knownCode?: string) =>
    submit(async () => {
      void loadCodeForm();
      if ((await identity.signInWithPassword(given)) === 'signed_in') return finish();
      setStep('code');
      if (knownCode === undefined) return undefined;
      setCode(knownCode);
      await identity.verifyTotp(knownCode);
      return finish();
    });
  const verify = (given: string) =>
    submit(async () => {
      await identity.verifyTotp(given);
      await finish();
    });
  const startOver = () => {
    clear();
    setCode('');
    setStep('password');
  };
  const signInAsDemo = (account: DemoAccount) => {
    setCredentials({ email: account.email, password: account.password });
    setCode('');
    void signIn(account, account.code);
  };

  return (
    <AuthCard
      aside={
        config.target_stage === 'local' && config.mock_data ? (
          <Suspense fallback={null}>
            <DemoAccountsPanel busy={busy} onUse={signInAsDemo} onCode={step === 'code' ? setCode : undefined} />
          </Suspense>
        ) : null
      }
    >
      <Stack gap="md">
        <div>
          <Title order={1}>{step === 'password' ? `Sign in to ${product.name}` : 'Enter your code'}</Title>
          <Text size="sm" c="dimmed">
            {step === 'password'
              ? 'Use your e-mail address and password.'
              : `Six digits from the authenticator app of ${credentials.email}.`}
          </Text>
        </div>
        <AuthProblem error={problem} />
        {step === 'password' ? (
          <PasswordForm
            credentials={credentials}
            busy={busy}
            onChange={setCredentials}
            onSubmit={() => void signIn(credentials)}
          />
        ) : (
          <Suspense fallback={null}>
            <CodeForm
              code={code}
              busy={busy}
              onChange={setCode}
              onSubmit={(given) => void verify(given)}
              onBack={startOver}
            />
          </Suspense>
        )}
      </Stack>
    </AuthCard>
  );
}

type PasswordFormProps = {
  credentials: Credentials;
  busy: boolean;
  onChange: (credentials: Credentials) => void;
  onSubmit: () => void;
};

function PasswordForm({ credentials, busy, onChange, onSubmit }: PasswordFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <TextField
          label="E-mail address"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={credentials.email}
          onChange={(email) => onChange({ ...credentials, email })}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={credentials.password}
          onChange={(password) => onChange({ ...credentials, password })}
        />
        <Button type="submit" fullWidth loading={busy} mt={4}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
