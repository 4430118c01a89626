import type { RunActionSummary } from '@airdeck/contracts/activity/schema';

/** How far an action is with its list: "7 of 12, 1 failed"; undefined for one without a list. */
export function itemsWords(items: RunActionSummary['items']): string | undefined {
  if (items === null) return undefined;
  if (items.total === 0) return 'An empty list';
  const { total, ended, failed } = items;
  return `${ended} of ${total}${failed === 0 ? '' : `, ${failed} failed`}`;
}
