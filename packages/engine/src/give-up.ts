import { engineFailureCodes, failure, runFault } from './errors.ts';
import type { SqlClient } from './interfaces.ts';
import type { ClaimedCommand } from './job-proof.ts';
import { failJob } from './jobs.ts';
import { jsonText } from './json-value.ts';
import { runJobKinds } from './run-model.ts';
import { URGENT_PRIORITY } from './run-save.ts';

/**
 * The end of a run that can neither go on nor be ended as runs are, because its rows cannot be read or listeners refuse what
 * they are told of it. Nobody is told but the run that waits for it. Throws LEASE_LOST.
 */
export async function giveUpRun(
  tx: SqlClient,
  { runId, job, lease }: ClaimedCommand,
  how: { owner: string; now: Date },
): Promise<void> {
  const { rows } = await tx.query<{ id: string }>(
    `update engine.run set status = 'error', error = $3::jsonb, finished_at = $4, updated_at = $4
     where id = $1 and tenant_id = $2 and finished_at is null returning id`,
    [runId, job.tenantId, jsonText(runFault), how.now],
  );
  await failJob(tx, how.owner, lease, { error: runFault, retryAt: null });
  if (rows.length === 0) return;
  const unknown = failure(engineFailureCodes.outcomeUnknown, 'The call may or may not have taken effect.');
  await tx.query(
    `update engine.step set finished_at = $2, available_at = null,
       status = case when call_started_at is null then 'cancelled' else 'error' end,
       skip_reason = case when call_started_at is null then 'run_failed' end,
       error = case when call_started_at is null then error else $3::jsonb end
     where run_id = $1 and finished_at is null`,
    [runId, how.now, jsonText(unknown)],
  );
  await tx.query('update engine.prompt set closed_at = $2 where run_id = $1 and closed_at is null', [runId, how.now]);
  await tx.query(`delete from engine.job where run_id = $1 and state <> 'dead'`, [runId]);
  await tx.query(
    `insert into engine.job (id, tenant_id, kind, run_id, step_id, priority, state, available_at, attempt, max_attempts,
       backoff_ms, lease_token, created_at)
     select gen_random_uuid(), r.tenant_id, $2, r.parent_run_id, r.parent_step_id, $3, 'available', $4, 0, 0, 0, 0, $4
     from engine.run r where r.id = $1 and r.parent_run_id is not null`,
    [runId, runJobKinds.childEnded, URGENT_PRIORITY, how.now],
  );
}
