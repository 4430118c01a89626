import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CodeForm } from '../../components/entry/code-form.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { useApp } from '../../session/app-context.ts';
import { usePurchaseStep } from './use-purchase-step.ts';

/** The authenticator's code after another provider vouched for somebody. */
export function PurchaseSecondFactor() {
  const { identity } = useApp();
  const navigate = useNavigate();
  const { problem, busy, submit, signedIn } = usePurchaseStep();
  const [code, setCode] = useState('');
  const after = (verify: () => Promise<void>) => submit(() => verify().then(signedIn));
  return (
    <>
      <ProblemNote error={problem} />
      <CodeForm
        code={code}
        busy={busy}
        onChange={setCode}
        onSubmit={(given) => void after(() => identity.verifyTotp(given))}
        onRecoveryCode={(given) => void after(() => identity.verifyRecoveryCode(given))}
        onBack={() => void navigate({ to: '/signup/azure' })}
      />
    </>
  );
}
