import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { t } from '../../language/translate.ts';
import { accountQueries } from '../../queries/me.ts';
import { useApp } from '../../session/app-context.ts';
import type { AccountSecurity } from '../../session/identity-provider.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { CODE_DIGITS, CodeBoxes } from '../entry/code-boxes.tsx';
import entry from '../entry/entry.module.css';
import { ProblemNote } from '../problem-note.tsx';
import type { ProofDialog } from './dialog-queue.ts';
import { useAnswer } from './use-answer.ts';

/** Asks who is there before a change to the account: the authenticator's code, or the password where there is none. */
export function ProofDialogView({ dialog }: { dialog: ProofDialog }) {
  const { identity } = useApp();
  const security = useQuery(accountQueries.security(identity));
  return (
    <Dialog title={t('Confirm that it is you')} size={420} onClose={dialog.leave}>
      {security.data !== undefined ? (
        <ProofForm dialog={dialog} account={security.data} />
      ) : security.isError ? (
        <Stack gap="md">
          <ProblemNote error={security.error} />
          <Button variant="default" onClick={() => void security.refetch()} loading={security.isFetching}>
            {t('Try again')}
          </Button>
        </Stack>
      ) : (
        <Loading label={t('Loading')}>
          <TextSkeleton lines={3} />
        </Loading>
      )}
    </Dialog>
  );
}

function ProofForm({ dialog, account }: { dialog: ProofDialog; account: AccountSecurity }) {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const [lost, setLost] = useState(false);
  const { busy, problem, answer } = useAnswer(dialog.submit);
  if (lost) {
    return (
      <SignInAgain
        text={t(
          'Sign out and in again with a recovery code or a passkey, then make the change within ten minutes. Without either, ask an administrator to remove and invite you again.',
        )}
        onBack={() => setLost(false)}
      />
    );
  }
  if (!account.hasTotp && !account.hasPassword) {
    return (
      <SignInAgain
        text={t(
          'This account has no password and no authenticator app. Sign out and in again, then make the change within ten minutes.',
        )}
      />
    );
  }
  const ready = account.hasTotp ? code.length === CODE_DIGITS : password !== '';
  const prove = async (given: { code: string } | { password: string }) => {
    const failure = await answer(given);
    if (failure !== undefined) setCode('');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ready) void prove(account.hasTotp ? { code } : { password });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {account.hasTotp
            ? t('Six digits from your authenticator app. The next ten minutes need no other.')
            : t('Your password. The next ten minutes need it no more.')}
        </Text>
        <ProblemNote error={problem} />
        {account.hasTotp ? (
          <>
            <CodeBoxes code={code} busy={busy} onChange={setCode} onComplete={(whole) => void prove({ code: whole })} />
            <div>
              <button type="button" className={entry.linkButton} disabled={busy} onClick={() => setLost(true)}>
                {t('I do not have the app')}
              </button>
            </div>
          </>
        ) : (
          <PasswordInput
            label={t('Password')}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            visibilityToggleButtonProps={{ 'aria-label': t('Show password') }}
            data-autofocus
          />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={dialog.leave} disabled={busy}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!ready}>
            {t('Confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Who has nothing that is asked for here can only show who it is by signing in. */
function SignInAgain({ text, onBack }: { text: string; onBack?: () => void }) {
  return (
    <Stack gap="md">
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" gap="xs">
        {onBack === undefined ? null : (
          // The button that led here is gone, and the focus would be with it.
          <Button variant="default" onClick={onBack} autoFocus>
            {t('Back to the code')}
          </Button>
        )}
        <Button component={Link} to="/logout" preload={false}>
          {t('Sign out')}
        </Button>
      </Group>
    </Stack>
  );
}
