import { Button } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { known, t } from '../../language/translate.ts';
import { onboardingQueries } from '../../queries/onboarding.ts';
import { useTenantApi } from '../../session/app-context.ts';
import { CopyBlock } from '../../ui/copy-block.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Loading } from '../../ui/skeletons.tsx';
import { TextSkeleton } from '../../ui/text-skeleton.tsx';
import { firewallLines } from './firewall-lines.ts';
import { stepWords } from './set-up-steps.ts';
import classes from './set-up-wizard.module.css';
import type { StepProps } from './wizard-page.tsx';

/** The addresses to let in, one by one and as a line for the firewall. */
export function AllowListStep({ onNext, busy }: StepProps) {
  const query = useQuery(onboardingQueries.addresses(useTenantApi()));
  const { title, purpose } = stepWords('allow-list');
  return (
    <Panel title={title}>
      <p className={classes.purpose}>{purpose}</p>
      {query.data !== undefined ? (
        <Addresses addresses={query.data.air_ips} note={query.data.note} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
      ) : (
        <Loading label={t('Loading our addresses')}>
          <TextSkeleton lines={4} />
        </Loading>
      )}
      <div className={classes.foot}>
        <Button onClick={() => onNext()} loading={busy} disabled={query.data === undefined}>
          {t('They are let in')}
        </Button>
      </div>
    </Panel>
  );
}

function Addresses({ addresses, note }: { addresses: readonly string[]; note: string | null }) {
  return (
    <div className={classes.addresses}>
      {note === null ? null : (
        <p className={classes.note}>
          <IconInfoCircle size={16} aria-hidden />
          <span>{known(note)}</span>
        </p>
      )}
      <CopyBlock
        title={t('Addresses our calls come from')}
        label={t('Copy all addresses')}
        text={addresses.join('\n')}
      />
      {firewallLines(addresses).map(({ family, line }) => (
        <CopyBlock
          key={family}
          title={t('As a line for a Linux firewall, {family}, HTTPS', { family })}
          label={t('Copy the line for {family}', { family })}
          text={line}
        />
      ))}
    </div>
  );
}
