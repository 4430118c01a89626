import type { CaseSeverity } from '@airdeck/contracts/statuses';
import type { AlertPriority } from '../../queries/graylog-answers.ts';

/** How a priority looks and reads: 1 high, 2 medium, 3 low (spec §9). */
export const severityOfPriority: Readonly<Record<AlertPriority, Extract<CaseSeverity, 'high' | 'medium' | 'low'>>> = {
  1: 'high',
  2: 'medium',
  3: 'low',
};

export const alertPriorities: readonly AlertPriority[] = [1, 2, 3];
