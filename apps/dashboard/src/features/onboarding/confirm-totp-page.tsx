import { Button, Checkbox } from '@mantine/core';
import { useBlocker, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { RecoveryCodes } from '../../components/account/recovery-codes.tsx';
import { CodeForm } from '../../components/entry/code-form.tsx';
import { EntryCard } from '../../components/entry/entry-card.tsx';
import { useSubmit } from '../../components/entry/use-submit.ts';
import { ProblemNote } from '../../components/problem-note.tsx';
import { t } from '../../language/translate.ts';
import { defined } from '../../lib/search-params.ts';
import { useApp } from '../../session/app-context.ts';
import { currentUserQuery } from '../../session/current-user.ts';
import { handOver } from '../../session/handover.ts';
import { OnboardingSteps } from './onboarding-steps.tsx';

type Props = { redirect: string | undefined };

/** Second step: a code proves that the app has the secret; then the recovery codes, which are never shown again. */
export function ConfirmTotpPage({ redirect }: Props) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes === undefined) return <EnterCode redirect={redirect} onCodes={setCodes} />;
  return <SaveCodes redirect={redirect} codes={codes} />;
}

function EnterCode({ redirect, onCodes }: Props & { onCodes: (codes: readonly string[]) => void }) {
  const { identity } = useApp();
  const navigate = useNavigate();
  const [code, setCode] = useState('');
  const { problem, busy, submit } = useSubmit();
  const confirm = (given: string) =>
    submit(async () => {
      const account = await identity.account();
      const codes = await account.confirmTotp(given).catch((error: unknown) => {
        setCode('');
        throw error;
      });
      onCodes(codes);
    });
  return (
    <EntryCard
      title={t('Enter the app’s code')}
      section={t('Confirm authenticator')}
      text={t('Six digits your authenticator app shows now for this account.')}
    >
      <OnboardingSteps current="authenticator" />
      <ProblemNote error={problem} />
      <CodeForm
        code={code}
        busy={busy}
        onChange={setCode}
        onSubmit={(given) => void confirm(given)}
        onBack={() => void navigate({ to: '/onboarding/setup-totp', search: defined({ redirect }) })}
        backLabel={t('Back')}
      />
    </EntryCard>
  );
}

function SaveCodes({ redirect, codes }: Props & { codes: readonly string[] }) {
  const { api, queryClient } = useApp();
  const navigate = useNavigate();
  const [saved, setSaved] = useState(false);
  const account = queryClient.getQueryData(currentUserQuery(api).queryKey)?.user.email ?? '';
  // They are gone with the page.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: !saved, disabled: saved });
  const goOn = () => {
    handOver(queryClient, { totpSet: true });
    void navigate({ to: '/onboarding/setting-up', search: defined({ redirect }) });
  };
  return (
    <EntryCard
      title={t('Save your recovery codes')}
      section={t('Recovery codes')}
      text={t('Without your phone they are the only way in. Each works once. They are not shown again.')}
      wide
    >
      <OnboardingSteps current="codes" />
      <RecoveryCodes codes={codes} account={account} />
      <Checkbox
        label={t('I have saved them')}
        checked={saved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <Button fullWidth disabled={!saved} onClick={goOn}>
        {t('Continue')}
      </Button>
    </EntryCard>
  );
}
