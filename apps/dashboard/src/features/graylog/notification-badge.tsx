import type { AutomationRule } from '@airdeck/contracts/automation-rules/schema';
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconLoader2, IconUnlink } from '@tabler/icons-react';
import { StatusBadge } from '../../components/status-badge.tsx';
import type { StatusLook } from '../../components/status-table.ts';

type State = AutomationRule['notification']['state'];

const looks: Readonly<Record<State, StatusLook>> = {
  attached: { word: 'Attached', color: 'var(--air-success)', icon: IconCircleCheck },
  working: { word: 'Setting up', color: 'var(--air-active)', icon: IconLoader2, moving: true },
  missing: { word: 'Missing in Graylog', color: 'var(--air-critical)', icon: IconUnlink },
  changed: { word: 'Changed in Graylog', color: 'var(--air-attention)', icon: IconAlertTriangle },
  failed: { word: 'Failed', color: 'var(--air-critical)', icon: IconCircleX },
};

const deleting: Readonly<Partial<Record<State, StatusLook>>> = {
  working: { word: 'Deleting', color: 'var(--air-active)', icon: IconLoader2, moving: true },
  failed: { word: 'Not deleted', color: 'var(--air-critical)', icon: IconCircleX },
};

type Props = { state: State; deleting: boolean };

/** How the notification that brings an automation its alerts stands in Graylog. */
export function NotificationBadge({ state, deleting: isDeleting }: Props) {
  return <StatusBadge look={(isDeleting ? deleting[state] : undefined) ?? looks[state]} variant="plain" />;
}
