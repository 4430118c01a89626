import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import type { CaseSeverity } from '@airdeck/contracts/statuses';
import { IconChevronDown } from '@tabler/icons-react';
import { severityLooks } from '../../../components/status-table.ts';
import { t } from '../../../language/translate.ts';
import { useAccess } from '../../../session/access.ts';
import { GuardedButton } from '../../../ui/guarded-button.tsx';
import { OnDemand } from '../../../ui/on-demand.tsx';
import type { CaseUpdater } from './use-case-update.ts';

type MenuExtra = { current: CaseSeverity; onChoose: (severity: CaseSeverity) => void };

const loadMenu = () => import('./severity-menu.tsx').then(({ SeverityMenu }) => SeverityMenu);

/** The severity, and changing it. */
export function SeverityControl({ of, updater }: { of: CaseDetail; updater: CaseUpdater }) {
  const { reason } = useAccess('airWork');
  const look = severityLooks[of.alert_severity];
  const Icon = look.icon;
  const button = (
    <GuardedButton
      variant="default"
      reason={reason}
      loading={updater.pending?.alert_severity !== undefined}
      leftSection={<Icon size={16} color={look.color} aria-hidden />}
      rightSection={<IconChevronDown size={14} aria-hidden />}
      aria-label={t('Severity: {word}. Change', { word: look.word })}
      aria-haspopup="menu"
    >
      {look.word}
    </GuardedButton>
  );
  if (reason !== undefined) return button;
  return (
    <OnDemand<MenuExtra>
      load={loadMenu}
      button={button}
      extra={{
        current: of.alert_severity,
        onChoose: (severity) =>
          void updater.update(
            { alert_severity: severity },
            t('{reference} is now {severity}', {
              reference: of.reference,
              severity: severityLooks[severity].word.toLowerCase(),
            }),
          ),
      }}
    />
  );
}
