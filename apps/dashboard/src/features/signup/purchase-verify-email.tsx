import { Button, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { MailedCodeField } from '../../components/entry/mailed-code-field.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { useApp } from '../../session/app-context.ts';
import { PurchaseEmailField } from './purchase-email-field.tsx';
import { usePurchaseStep } from './use-purchase-step.ts';

/** The code that proves the address of a new account. */
export function PurchaseVerifyEmail() {
  const { identity } = useApp();
  const { email, setEmail, isKnown, problem, busy, submit, signedIn } = usePurchaseStep();
  const [code, setCode] = useState('');
  const verify = (event: FormEvent) => {
    event.preventDefault();
    void submit(async () => {
      await (await identity.account()).verifyEmail({ email, code });
      await signedIn();
    });
  };
  return (
    <form onSubmit={verify}>
      <Stack gap="sm">
        <ProblemNote error={problem} />
        <PurchaseEmailField email={email} isKnown={isKnown} onChange={setEmail} />
        <MailedCodeField value={code} onChange={setCode} autoFocus={isKnown} />
        <Button type="submit" fullWidth loading={busy}>
          {t('Confirm')}
        </Button>
      </Stack>
    </form>
  );
}
