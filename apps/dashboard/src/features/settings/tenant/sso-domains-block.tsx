import type { SsoDomain } from '@airdeck/contracts/settings/schema';
import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { tx } from '../../../language/rich-text.ts';
import { known, t } from '../../../language/translate.ts';
import { settingsQueries, ssoMutations } from '../../../queries/settings.ts';
import { useApp, useTenantApi } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { dateFormat, type Reader, useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SettingRow } from '../setting-row.tsx';
import settingsClasses from '../settings.module.css';
import { SettingsBlock } from '../settings-block.tsx';
import { StateBadge } from '../state-badge.tsx';
import { SsoVerdict } from './sso-verdict.tsx';
import classes from './tenant.module.css';

/** Whose the domains of the connections are; absent while no connection names any. */
export function SsoDomainsBlock() {
  const tenantApi = useTenantApi();
  const connections = useQuery(settingsQueries.connections(tenantApi));
  const isNeeded = connections.data?.some(({ domains }) => domains.length > 0) === true;
  const domains = useQuery({ ...settingsQueries.domains(tenantApi), enabled: isNeeded });
  if (!isNeeded) return null;
  return (
    <SettingsBlock title={t('E-mail domains')} query={domains}>
      {(list) => list.map((each) => <DomainRow key={each.domain} of={each} />)}
    </SettingsBlock>
  );
}

function DomainRow({ of }: { of: SsoDomain }) {
  const { domain, proved_at, missing } = of;
  const reader = useReader();
  if (proved_at === null) {
    return (
      <SoughtRow
        of={of}
        word={t('Not proved')}
        why={t(
          'Until you prove that it is yours, nobody is sent to a connection by it, and nobody joins. Set this TXT record at your name servers.',
        )}
      />
    );
  }
  if (missing !== null) {
    return (
      <SoughtRow
        of={of}
        word={t('Record gone')}
        why={tx('Its TXT record has been missing since {time}. Set it again before {time2}, or the proof ends.', {
          // Not "for 3 h" and "in 5 h": no language has a word before those that fits.
          time: dayAndTime(missing.since, reader),
          time2: dayAndTime(missing.counts_until, reader),
        })}
      />
    );
  }
  return (
    <SettingRow
      title={domain}
      state={<StateBadge word={t('Proved')} tone="good" />}
      text={tx(
        'Proved {time}. It stays yours as long as a connection names it and its record is there, which is looked for every day.',
        { time: <RelativeTime time={proved_at} /> },
      )}
    />
  );
}

/** A domain whose record has to be set. */
function SoughtRow({ of: { domain, checked_at, record }, word, why }: { of: SsoDomain; word: string; why: ReactNode }) {
  const { queryClient } = useApp();
  const check = useMutation(ssoMutations.checkDomain(useTenantApi(), queryClient));
  return (
    <SettingRow
      title={domain}
      state={<StateBadge word={word} tone="warn" />}
      text={
        <>
          {why}
          <RecordPart of={domain} name={t('Name')} value={record.name} />
          <RecordPart of={domain} name={t('Value')} value={record.value} />
          {checked_at === null ? null : (
            <div className={classes.fieldHelp}>
              {tx('Last looked for {time}.', { time: <RelativeTime time={checked_at} /> })}
            </div>
          )}
          <ProblemNote error={check.error} />
          {check.data === undefined ? null : <SsoVerdict ok={check.data.ok}>{known(check.data.message)}</SsoVerdict>}
        </>
      }
      actions={
        <Button
          variant="default"
          aria-label={t('Check {domain} now', { domain })}
          loading={check.isPending}
          onClick={() => check.mutate(domain)}
        >
          {t('Check now')}
        </Button>
      }
    />
  );
}

function RecordPart({ of: domain, name, value }: { of: string; name: string; value: string }) {
  return (
    <div className={classes.recordPart}>
      <span className={classes.fieldHelp}>{name}</span>
      <div className={settingsClasses.key}>
        <code>{value}</code>
        <CopyButton
          value={value}
          label={t('Copy {name} of the record for {domain}', { name: name.toLowerCase(), domain })}
        />
      </div>
    </div>
  );
}

function dayAndTime(time: string, reader: Reader): string {
  return dateFormat(reader, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(time));
}
