import type { ActionStatus } from '@airdeck/contracts/statuses';

export type Item = { readonly index: number; readonly status: ActionStatus };

/** What needs a look first: failed items, then what goes on, then the rest; within each the order of the list. */
const ranks: Readonly<Record<ActionStatus, number>> = {
  error: 0,
  running: 1,
  waiting: 1,
  pending: 2,
  cancelled: 3,
  success: 3,
};

export function itemsToShow(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => ranks[one.status] - ranks[other.status] || one.index - other.index);
}
