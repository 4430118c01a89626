import type { ActionStatus } from '@airdeck/contracts/statuses';

const endedStatuses: ReadonlySet<ActionStatus> = new Set(['success', 'error', 'cancelled']);

/** How many of a run's actions have ended, and how many of those failed. */
export function progressOf(actions: readonly { status: ActionStatus }[]) {
  return {
    total: actions.length,
    ended: actions.filter(({ status }) => endedStatuses.has(status)).length,
    failed: actions.filter(({ status }) => status === 'error').length,
  };
}
