import type { ConnectionTestStatus, ConnectorState } from '@airdeck/contracts/connectors/schema';
import type { CaseSeverity, CaseStatus, RunStatus } from '@airdeck/contracts/statuses';
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleDot,
  IconCircleX,
  IconFlag,
  IconInfoCircle,
  IconLoader2,
  IconMinus,
  IconPlayerPause,
  IconPlayerStop,
  IconUserCheck,
  IconUserQuestion,
} from '@tabler/icons-react';
import { t } from '../language/translate.ts';

/** How one state looks everywhere: badge, chart, graph node, timeline. Never colour alone. */
export type StatusLook = {
  readonly word: string;
  /** CSS colour from the tokens; it has 4.5:1 on page and panel in both themes. */
  readonly color: string;
  readonly icon: typeof IconCircleDot;
  /** The icon turns while work goes on. */
  readonly moving?: true;
};

export const severityLooks: Readonly<Record<CaseSeverity, StatusLook>> = {
  critical: { word: t('Critical'), color: 'var(--air-critical)', icon: IconAlertOctagon },
  high: { word: t('High'), color: 'var(--air-high)', icon: IconAlertTriangle },
  medium: { word: t('Medium'), color: 'var(--air-medium)', icon: IconFlag },
  low: { word: t('Low'), color: 'var(--air-low)', icon: IconInfoCircle },
};

export const caseStatusLooks: Readonly<Record<CaseStatus, StatusLook>> = {
  open: { word: t('Open##state'), color: 'var(--air-info)', icon: IconCircleDot },
  acknowledged: { word: t('Acknowledged'), color: 'var(--air-attention)', icon: IconUserCheck },
  closed: { word: t('Closed'), color: 'var(--air-idle)', icon: IconCircleCheck },
};

/** Runs of playbooks and of actions share their words. */
export const runStatusLooks: Readonly<Record<RunStatus | 'skipped', StatusLook>> = {
  pending: { word: t('Pending'), color: 'var(--air-idle)', icon: IconCircleDashed },
  waiting: { word: t('Waiting'), color: 'var(--air-attention)', icon: IconUserQuestion },
  running: { word: t('Running'), color: 'var(--air-active)', icon: IconLoader2, moving: true },
  success: { word: t('Success'), color: 'var(--air-success)', icon: IconCircleCheck },
  error: { word: t('Error'), color: 'var(--air-critical)', icon: IconCircleX },
  cancelled: { word: t('Cancelled##run'), color: 'var(--air-idle)', icon: IconPlayerStop },
  // Shown for an action its conditions left out; the wire says cancelled with a skip reason.
  skipped: { word: t('Skipped'), color: 'var(--air-idle)', icon: IconMinus },
};

export const connectorStateLooks: Readonly<Record<ConnectorState, StatusLook>> = {
  active: { word: t('Active'), color: 'var(--air-success)', icon: IconCircleCheck },
  pending: { word: t('Pending'), color: 'var(--air-idle)', icon: IconCircleDashed },
  error: { word: t('Error'), color: 'var(--air-critical)', icon: IconCircleX },
  paused: { word: t('Paused'), color: 'var(--air-idle)', icon: IconPlayerPause },
};

export const connectionTestLooks: Readonly<Record<ConnectionTestStatus, StatusLook>> = {
  success: { word: t('Success'), color: 'var(--air-success)', icon: IconCircleCheck },
  error: { word: t('Error'), color: 'var(--air-critical)', icon: IconCircleX },
  skipped: { word: t('Not tested'), color: 'var(--air-idle)', icon: IconMinus },
};
