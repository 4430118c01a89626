import type { DemoAccount } from '@airdeck/contracts/system/schema';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import classes from '../../components/entry/entry.module.css';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { SignInForm } from '../../components/entry/sign-in-form.tsx';
import { useSignIn } from '../../components/entry/use-sign-in.ts';
import { t } from '../../language/translate.ts';
import { useProduct } from '../../lib/product.ts';
import { defined } from '../../lib/search-params.ts';
import { wipeCaches } from '../../lib/wipe-caches.ts';
import { useApp } from '../../session/app-context.ts';
import { handedOver, handOver } from '../../session/handover.ts';

// Only stage `local` has demo accounts; nobody else should load their panel.
const DemoAccountsPanel = lazy(() =>
  import('./demo-accounts-panel.tsx').then(({ DemoAccountsPanel: Panel }) => ({ default: Panel })),
);
const OtherWays = lazy(() =>
  import('../../components/entry/other-ways.tsx').then(({ OtherWays: Ways }) => ({ default: Ways })),
);

/** Sign-in: password, then the code of the authenticator app; or another way. */
export function LoginPage({ redirect }: { redirect: string | undefined }) {
  const { config, queryClient, storage } = useApp();
  const navigate = useNavigate();
  const product = useProduct();
  const [before] = useState(() => handedOver(queryClient));
  const [email, setEmail] = useState(before.email ?? '');

  const finish = async () => {
    // Somebody else may have used this browser before.
    await wipeCaches(queryClient, storage);
    await navigate({ to: '/validate', search: defined({ redirect }) });
  };
  const signIn = useSignIn({
    email,
    secondFactor: before.secondFactor === true,
    problem: before.problem,
    onSignedIn: finish,
    onNewPassword: async (address) => {
      handOver(queryClient, { email: address });
      await navigate({ to: '/new-password-required', search: defined({ redirect }) });
    },
  });
  const { step, credentials } = signIn;
  const signInAsDemo = (account: DemoAccount) => {
    signIn.setCredentials({ email: account.email, password: account.password });
    signIn.setCode('');
    void signIn.signIn(account, account.code);
  };
  return (
    <EntryCard
      title={step === 'password' ? t('Sign in to {name}', { name: product.name }) : t('Enter your code')}
      section={t('Sign in')}
      text={step === 'password' ? t('Use your e-mail address and password.') : codeText(credentials.email)}
      mails
      aside={
        config.target_stage === 'local' && config.mock_data ? (
          <Suspense fallback={null}>
            <DemoAccountsPanel
              busy={signIn.busy}
              onUse={signInAsDemo}
              onCode={step === 'code' ? signIn.setCode : undefined}
            />
          </Suspense>
        ) : null
      }
    >
      {before.done === 'password_set' && step === 'password' ? (
        <div className={`${classes.note} ${classes.done}`} role="status">
          {t('Your password is set. Sign in with it.')}
        </div>
      ) : null}
      {before.sessionOver === true && step === 'password' ? (
        <div className={classes.note} role="status">
          {t('Your session has ended. Sign in to go on where you were.')}
        </div>
      ) : null}
      <SignInForm signIn={signIn} onEmail={setEmail}>
        <div className={classes.between}>
          <Link to="/forgot-password" search={defined({ redirect })} preload={false}>
            {t('Forgot your password?')}
          </Link>
        </div>
      </SignInForm>
      {step === 'password' ? (
        <Suspense fallback={null}>
          <OtherWays purpose={{ for: 'sign_in', redirect }} email={email} verb="Sign in" onPasskey={finish} />
        </Suspense>
      ) : null}
    </EntryCard>
  );
}

function codeText(email: string): string {
  return email === ''
    ? t('Six digits from your authenticator app, or a recovery code.')
    : t('Six digits from the authenticator app of {email}, or a recovery code.', { email });
}
