import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconLoader2, IconUnlink } from '@tabler/icons-react';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { StatusLook } from '../../components/status-table.ts';
import { t } from '../../language/translate.ts';

type State = AutomationRule['notification']['state'];

const looks: Readonly<Record<State, StatusLook>> = {
  attached: { word: t('Attached'), color: 'var(--air-success)', icon: IconCircleCheck },
  working: { word: t('Setting up'), color: 'var(--air-active)', icon: IconLoader2, moving: true },
  missing: { word: t('Missing in Graylog'), color: 'var(--air-critical)', icon: IconUnlink },
  changed: { word: t('Changed in Graylog'), color: 'var(--air-attention)', icon: IconAlertTriangle },
  failed: { word: t('Failed##notification'), color: 'var(--air-critical)', icon: IconCircleX },
};

const deleting: Readonly<Partial<Record<State, StatusLook>>> = {
  working: { word: t('Deleting'), color: 'var(--air-active)', icon: IconLoader2, moving: true },
  failed: { word: t('Not deleted##notification'), color: 'var(--air-critical)', icon: IconCircleX },
};

type Props = { state: State; deleting: boolean };

/** How the notification that brings an automation its alerts stands in Graylog. */
export function NotificationBadge({ state, deleting: isDeleting }: Props) {
  return <StatusBadge look={(isDeleting ? deleting[state] : undefined) ?? looks[state]} variant="plain" />;
}
