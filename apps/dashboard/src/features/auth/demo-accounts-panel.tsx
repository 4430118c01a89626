import { parseRole, roleLabels } from '@airdeck/contracts/access/roles';
import type { DemoAccount } from '@airdeck/contracts/system/schema';
import { Text, Title, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import classes from '../../components/entry/entry.module.css';
import { known, t } from '../../language/translate.ts';
import { demoAccountQueries } from '../../queries/demo-accounts.ts';
import { useApp } from '../../session/app-context.ts';

type Props = {
  busy: boolean;
  /** Signs in with the account, through the same calls as by hand. */
  onUse: (account: DemoAccount) => void;
  /** Puts a code into the form; undefined while none is asked for. */
  onCode: ((code: string) => void) | undefined;
};

/** Demo accounts with their present authenticator codes, at stage `local` only. */
export function DemoAccountsPanel({ busy, onUse, onCode }: Props) {
  const { api } = useApp();
  const { data, dataUpdatedAt, refetch } = useQuery(demoAccountQueries.list(api));
  const now = useSeconds();
  // The code that is shown may have been used since.
  const [asking, setAsking] = useState(false);
  const use = async (shown: DemoAccount) => {
    setAsking(true);
    const present = await refetch();
    setAsking(false);
    const account = present.data?.find(({ email }) => email === shown.email) ?? shown;
    // Its line says when there is one: a code that does not count yet would be a wrong guess.
    if (!(account.usable_in_s > 0)) onUse(account);
  };
  if (data === undefined || data.length === 0) return null;
  // They came since the seconds were last counted.
  const ageS = Math.max(0, Math.floor((now - dataUpdatedAt) / 1000));
  return (
    <section className={classes.demo} aria-labelledby="demo-accounts">
      <div className={classes.demoHead}>
        <Title order={2} id="demo-accounts" size="h3">
          {t('Demo accounts')}
        </Title>
        <Text size="xs" c="dimmed">
          {t('One click signs in. The number is the authenticator’s present code.')}
        </Text>
      </div>
      {data.map((account) => {
        const waitS = Math.max(0, account.usable_in_s - ageS);
        return (
          <div key={account.email} className={classes.account}>
            <UnstyledButton
              className={classes.accountButton}
              disabled={busy || asking || waitS > 0}
              onClick={() => void use(account)}
            >
              <div className={classes.accountName}>{account.fullname}</div>
              <div className={classes.accountRole}>
                {roleWords(account.role)}, {account.tenant_name}
              </div>
            </UnstyledButton>
            {waitS > 0 ? (
              <span className={classes.left}>{t('next code in {seconds} s', { seconds: waitS })}</span>
            ) : (
              <Code account={account} secondsLeft={Math.max(0, account.seconds_left - ageS)} onCode={onCode} />
            )}
          </div>
        );
      })}
    </section>
  );
}

function roleWords(name: string): string {
  const role = parseRole(name);
  return role === undefined ? name : known(roleLabels[role]);
}

type CodeProps = { account: DemoAccount; secondsLeft: number; onCode: Props['onCode'] };

function Code({ account, secondsLeft, onCode }: CodeProps) {
  const content = (
    <>
      {account.code}
      <span className={classes.left}>{t('{secondsLeft} s left', { secondsLeft })}</span>
    </>
  );
  if (onCode === undefined) return <span className={classes.code}>{content}</span>;
  return (
    <UnstyledButton
      className={classes.code}
      aria-label={t('Use code {code} of {fullname}', { code: account.code, fullname: account.fullname })}
      onClick={() => onCode(account.code)}
    >
      {content}
    </UnstyledButton>
  );
}

function useSeconds(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
