import type { RunActionSummary } from '@airdeck/contracts/activity/schema';
import { t } from '../../../language/translate.ts';

/** How far an action is with its list: "7 of 12, 1 failed"; undefined for one without a list. */
export function itemsWords(items: RunActionSummary['items']): string | undefined {
  if (items === null) return undefined;
  if (items.total === 0) return t('An empty list');
  const { total, ended, failed } = items;
  return t('{ended} of {total}{what}', { ended, total, what: failed === 0 ? '' : t(', {failed} failed', { failed }) });
}
