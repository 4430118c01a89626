import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AskDialog } from '../../../components/confirmation/ask-dialog.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { t } from '../../../language/translate.ts';
import { accountQueries } from '../../../queries/me.ts';
import { useApp } from '../../../session/app-context.ts';
import type { AccountSecurity, ExternalConnection } from '../../../session/identity-provider.ts';
import { SettingRow } from '../setting-row.tsx';
import classes from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { useAccountMutation } from './use-account-mutation.ts';

type Linked = AccountSecurity['external'][number];

/** Accounts elsewhere one signs in with. Absent where there is none to have. */
export function ExternalAccountsBlock() {
  const { identity } = useApp();
  const security = useQuery(accountQueries.security(identity));
  const connections = useQuery(accountQueries.connections(identity));
  const [unlinking, setUnlinking] = useState<Linked>();
  const offered = connections.data ?? [];
  if (security.data?.external.length === 0 && connections.isSuccess && offered.length === 0) return null;
  return (
    <>
      <SettingsBlock title={t('Other accounts')} query={security}>
        {({ external }) => (
          <>
            {external.map((linked) => (
              <SettingRow
                key={linked.id}
                title={linked.label}
                text={linked.account}
                actions={
                  <Button
                    variant="default"
                    aria-label={t('Unlink {label} {account}', { label: linked.label, account: linked.account })}
                    onClick={() => setUnlinking(linked)}
                  >
                    {t('Unlink')}
                  </Button>
                }
              />
            ))}
            {connections.isError ? (
              <div className={classes.none}>
                <ProblemNote error={connections.error} />
                <Button variant="default" mt={8} onClick={() => void connections.refetch()}>
                  {t('Try again')}
                </Button>
              </div>
            ) : null}
            <LinkAnother connections={offered} />
          </>
        )}
      </SettingsBlock>
      {unlinking === undefined ? null : <Unlink of={unlinking} onClose={() => setUnlinking(undefined)} />}
    </>
  );
}

function LinkAnother({ connections }: { connections: readonly ExternalConnection[] }) {
  const link = useAccountMutation((account, id: string) =>
    account.startExternal(id, { for: 'link', redirect: '/settings/profile' }),
  );
  if (connections.length === 0) return null;
  return (
    <>
      {link.error === null ? null : (
        <div className={classes.none}>
          <ProblemNote error={link.error} />
        </div>
      )}
      <SettingRow
        title={t('Link another account')}
        text={t('You are sent there to sign in, and come back here.')}
        actions={connections.map(({ id, label }) => (
          <Button
            key={id}
            variant="default"
            onClick={() => link.mutate(id)}
            loading={link.isPending && link.variables === id}
            disabled={link.isPending}
          >
            {label}
          </Button>
        ))}
      />
    </>
  );
}

function Unlink({ of: { id, label, account }, onClose }: { of: Linked; onClose: () => void }) {
  const unlink = useAccountMutation((at, given: string) => at.unlinkExternal(given));
  return (
    <AskDialog
      title={t('Unlink {label}?', { label })}
      text={t('{account} signs you in here no more. The account itself stays as it is.', { account })}
      actionLabel={t('Unlink')}
      busy={unlink.isPending}
      problem={unlink.error}
      onConfirm={() => unlink.mutate(id, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
