import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { accountQueries } from '../../../queries/me.ts';
import { useApp } from '../../../session/app-context.ts';
import type { AccountSecurity } from '../../../session/identity-provider.ts';
import { SettingRow } from '../setting-row.tsx';
import classes from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { StateBadge } from '../state-badge.tsx';
import { AuthenticatorDialog } from './authenticator-dialog.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { useAccountMutation } from './use-account-mutation.ts';

const FEW_CODES = 3;

/** Password, authenticator app and recovery codes. */
export function SecurityBlock() {
  const { identity } = useApp();
  const security = useQuery(accountQueries.security(identity));
  return (
    <SettingsBlock title={t('Signing in##settings')} query={security} lines={5}>
      {(account) => <SecurityRows account={account} />}
    </SettingsBlock>
  );
}

function SecurityRows({ account }: { account: AccountSecurity }) {
  const [open, setOpen] = useState<'password' | 'authenticator' | 'recovery'>();
  const begin = useAccountMutation((at) => at.beginTotp());
  const close = () => setOpen(undefined);
  return (
    <>
      {begin.error === null ? null : (
        <div className={classes.none}>
          <ProblemNote error={begin.error} />
        </div>
      )}
      <SettingRow
        title={t('Password')}
        text={
          account.hasPassword
            ? t('Changing it signs you out everywhere else.')
            : t('None: you sign in with another account or a passkey.')
        }
        actions={
          account.hasPassword ? (
            <Button variant="default" onClick={() => setOpen('password')}>
              {t('Change password')}
            </Button>
          ) : undefined
        }
      />
      <SettingRow
        title={t('Authenticator app')}
        state={<StateBadge word={account.hasTotp ? t('On') : t('Off')} tone={account.hasTotp ? 'good' : 'warn'} />}
        text={t('A code that changes every 30 seconds, asked for after the password.')}
        actions={
          <Button
            variant="default"
            loading={begin.isPending}
            onClick={() => begin.mutate(undefined, { onSuccess: () => setOpen('authenticator') })}
          >
            {account.hasTotp ? t('Set up anew') : t('Set up')}
          </Button>
        }
      />
      {account.hasTotp ? (
        <SettingRow
          title={t('Recovery codes')}
          state={
            <StateBadge
              word={
                account.recoveryCodesLeft === undefined
                  ? t('Set up')
                  : t('{recoveryCodesLeft} left', { recoveryCodesLeft: account.recoveryCodesLeft })
              }
              {...((account.recoveryCodesLeft ?? FEW_CODES) < FEW_CODES ? { tone: 'warn' as const } : {})}
            />
          }
          text={t('Sign you in when the authenticator app is not at hand. Each works once.')}
          actions={
            <Button variant="default" onClick={() => setOpen('recovery')}>
              {t('Make new codes')}
            </Button>
          }
        />
      ) : null}
      {open === 'password' ? <PasswordDialog email={account.email} onClose={close} /> : null}
      {open === 'authenticator' && begin.data !== undefined ? (
        <AuthenticatorDialog account={account} secret={begin.data} onClose={close} />
      ) : null}
      {open === 'recovery' ? <RecoveryCodesDialog email={account.email} onClose={close} /> : null}
    </>
  );
}
