import { useState } from 'react';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { t } from '../../language/translate.ts';
import { signupFlow } from '../../session/signup-flow.ts';
import type { CallbackStep } from './enter-callback-step.ts';
import { PurchaseNewPassword } from './purchase-new-password.tsx';
import { PurchaseSecondFactor } from './purchase-second-factor.tsx';
import { PurchaseSignUp } from './purchase-sign-up.tsx';
import { PurchaseVerifyEmail } from './purchase-verify-email.tsx';

const words: Readonly<Record<CallbackStep, { title: string; text: string }>> = {
  continue: {
    title: t('Finish your account'),
    text: t('The other account did not give everything that is needed. Add it here.'),
  },
  'verify-email': {
    title: t('Confirm your address'),
    text: t('We mailed you a code. It is good for 10 minutes.'),
  },
  'reset-password': {
    title: t('A new password is required'),
    text: t('We mailed you a code. It is good for 10 minutes.'),
  },
  'second-factor': {
    title: t('Enter your code'),
    text: t('Six digits from your authenticator app.'),
  },
};

/** What is left to do between another provider's answer and the last step of a purchase. */
export function CallbackStepPage({ step }: { step: CallbackStep }) {
  const [token] = useState(() => signupFlow().token ?? '');
  return (
    <EntryCard {...words[step]} section={t('Azure Marketplace')} mails={step !== 'second-factor'}>
      <Step step={step} token={token} />
    </EntryCard>
  );
}

function Step({ step, token }: { step: CallbackStep; token: string }) {
  switch (step) {
    case 'continue':
      return <PurchaseSignUp token={token} />;
    case 'verify-email':
      return <PurchaseVerifyEmail />;
    case 'reset-password':
      return <PurchaseNewPassword />;
    case 'second-factor':
      return <PurchaseSecondFactor />;
  }
}
