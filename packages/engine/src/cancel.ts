import { advanceRuns } from './children.ts';
import { EngineError } from './errors.ts';
import type { SqlClient } from './interfaces.ts';
import type { SignalDeps } from './prompts.ts';
import { loadLockedRuns, lockRuns } from './run-load.ts';
import { noJobOutcomes, saveRuns } from './run-save.ts';
import { requestCancel } from './run-signals.ts';
import type { RunStatus } from './statuses.ts';

/**
 * Cancels a run in the caller's transaction. What has not begun is given up at once. Attempts under way are told to stop by
 * notification (and by the next heartbeat) and the run becomes `cancelled` when the last of them has ended. A step that was
 * in the middle of a call it must not repeat ends as OUTCOME_UNKNOWN rather than `cancelled`.
 */
export async function cancelRun(
  tx: SqlClient,
  request: { tenantId: string; runId: string; by: string },
  deps: SignalDeps,
): Promise<{ status: RunStatus; changed: boolean }> {
  const runs = (await lockRuns(tx, [request.runId])).filter(({ tenant_id }) => tenant_id === request.tenantId);
  const models = await loadLockedRuns(tx, runs, deps);
  const model = models.get(request.runId);
  if (!model) throw new EngineError('RUN_NOT_FOUND', `There is no run "${request.runId}".`, { runId: request.runId });
  const now = deps.now();
  if (!requestCancel(model, request.by, now)) return { status: model.row.status, changed: false };
  await saveRuns(tx, await advanceRuns(tx, [model], deps, now), noJobOutcomes, now);
  await deps.onEvents(tx, model.changes.events);
  return { status: model.row.status, changed: true };
}
