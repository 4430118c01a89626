import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import classes from '../../components/entry/entry.module.css';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { OtherWays } from '../../components/entry/other-ways.tsx';
import { SignInForm } from '../../components/entry/sign-in-form.tsx';
import { useSignIn } from '../../components/entry/use-sign-in.ts';
import { t } from '../../language/translate.ts';
import { wipeCaches } from '../../lib/wipe-caches.ts';
import { useApp } from '../../session/app-context.ts';
import { handOver } from '../../session/handover.ts';
import { signupFlow } from '../../session/signup-flow.ts';
import { PurchaseSignUp } from './purchase-sign-up.tsx';

/** Where a purchase of the Azure Marketplace lands: who is here, before anything is activated. */
export function PurchasePage() {
  const [token] = useState(() => signupFlow().token ?? '');
  const [has, setHas] = useState<'new' | 'existing'>('new');
  const other = has === 'new' ? 'existing' : 'new';
  return (
    <EntryCard
      title={t('Set up your purchase')}
      section={t('Azure Marketplace')}
      text={t('The purchase is opened for the account that goes on here.')}
      mails
      foot={
        <button type="button" className={classes.linkButton} onClick={() => setHas(other)}>
          {has === 'new' ? t('I have an account here') : t('I have no account yet')}
        </button>
      }
    >
      {has === 'new' ? <PurchaseSignUp token={token} /> : <PurchaseSignIn token={token} />}
    </EntryCard>
  );
}

function PurchaseSignIn({ token }: { token: string }) {
  const { queryClient, storage } = useApp();
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const signedIn = async () => {
    await wipeCaches(queryClient, storage);
    await navigate({ to: '/signup/azure/confirm' });
  };
  const signIn = useSignIn({
    onSignedIn: signedIn,
    onNewPassword: async (address) => {
      handOver(queryClient, { email: address });
      await navigate({ to: '/signup/azure/callback/$step', params: { step: 'reset-password' } });
    },
  });
  return (
    <>
      <SignInForm signIn={signIn} onEmail={setEmail} />
      {signIn.step === 'password' ? (
        <OtherWays purpose={{ for: 'marketplace', token }} email={email} verb="Sign in" onPasskey={signedIn} />
      ) : null}
    </>
  );
}
