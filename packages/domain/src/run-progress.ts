import type { ActionStatus, RunStatus } from '@airdeck/contracts/statuses';

/** The smallest shape of a playbook run these rules look at. */
export type RunProgress = {
  readonly status: RunStatus;
  readonly actions: readonly { readonly status: ActionStatus }[];
};

const activeRunStatuses: ReadonlySet<RunStatus> = new Set(['running', 'pending', 'waiting']);
const finishedRunStatuses: ReadonlySet<RunStatus> = new Set(['success', 'error']);
const activeActionStatuses: ReadonlySet<ActionStatus> = new Set(['pending', 'running']);

/** Spec §4: running, pending or waiting, or any action pending or running. */
export function isRunInProgress(run: RunProgress): boolean {
  return activeRunStatuses.has(run.status) || hasActiveAction(run);
}

/**
 * Spec §4: success or error, and no action pending or running. A cancelled run is neither in progress nor finished in
 * the specification's words; `isRunSettled` is the question to ask before polling stops.
 */
export function isRunFinished(run: RunProgress): boolean {
  return finishedRunStatuses.has(run.status) && !hasActiveAction(run);
}

/** Nothing will change any more: finished, or cancelled with no action still going. */
export function isRunSettled(run: RunProgress): boolean {
  return !isRunInProgress(run);
}

function hasActiveAction(run: RunProgress): boolean {
  return run.actions.some((action) => activeActionStatuses.has(action.status));
}
