import { t } from '../../../language/translate.ts';

/** Runs by day, as the chart shows them. */
export const runSeries = [
  { name: 'actions', label: t('Actions'), color: 'var(--air-chart-1)' },
  { name: 'playbooks', label: t('Playbook runs'), color: 'var(--air-chart-2)', hatched: true },
] as const;
