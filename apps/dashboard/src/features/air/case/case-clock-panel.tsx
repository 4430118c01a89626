import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { dateFormat, useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { SlaClock } from '../sla-clock.tsx';
import type { CaseUpdater } from './use-case-update.ts';

type Props = { of: CaseDetail; updater: CaseUpdater };

/** What is due when, and stopping the clock while the customer has to answer. */
export function CaseClockPanel({ of, updater }: Props) {
  const { reason } = useAccess('airWork');
  const reader = useReader();
  const { respond_by: respondBy, resolve_by: resolveBy, waiting_since: waitingSince } = of.sla;
  const format = dateFormat(reader, { dateStyle: 'medium', timeStyle: 'short' });
  const time = (by: string | null) => (by === null ? t('No target') : format.format(new Date(by)));
  const waits = waitingSince !== null;
  const asked = waits
    ? t('{reference} goes on', { reference: of.reference })
    : t('{reference} waits on the customer', { reference: of.reference });
  return (
    <Panel
      title={t('Clock##case')}
      aside={
        of.alert_status === 'closed' ? null : (
          <GuardedButton
            variant="subtle"
            reason={reason}
            loading={updater.pending?.waiting_on_customer !== undefined}
            onClick={() => void updater.update({ waiting_on_customer: !waits }, asked)}
          >
            {waits ? t('Go on') : t('Wait on customer')}
          </GuardedButton>
        )
      }
    >
      <KeyFacts
        facts={[
          { label: t('Now'), value: <SlaClock of={of} whole /> },
          { label: t('Respond by'), value: time(respondBy) },
          { label: t('Close by'), value: time(resolveBy) },
          ...(waitingSince === null
            ? []
            : [{ label: t('Waiting since'), value: <RelativeTime time={waitingSince} /> }]),
        ]}
      />
    </Panel>
  );
}
