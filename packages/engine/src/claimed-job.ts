/** A job as a worker gets it, and the statement that leases it. */

export type ClaimedJob = {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly runId: string | null;
  readonly stepId: string | null;
  /** Claims so far, this one included. */
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly backoffMs: number;
  readonly token: number;
};

export type JobRow = {
  id: string;
  tenant_id: string;
  kind: string;
  payload: unknown;
  run_id: string | null;
  step_id: string | null;
  attempt: number;
  max_attempts: number;
  backoff_ms: number;
  token: number;
};

/** Leases what `picked` holds; `owner` and `until` are the statement's parameters. Its commit need not be durable. */
export const leaseSql = ({ owner, until }: { owner: string; until: string }): string =>
  `update engine.job j set state = 'leased', lease_owner = ${owner}, lease_until = ${until}, lease_token = j.lease_token + 1,
       attempt = j.attempt + 1
     from picked where j.id = picked.id
     returning j.id, j.tenant_id, j.kind, j.payload, j.run_id, j.step_id, j.attempt, j.max_attempts, j.backoff_ms,
       j.lease_token::float8 as token, set_config('synchronous_commit', 'off', true)`;

export function jobFromRow(row: JobRow): ClaimedJob {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind,
    payload: row.payload,
    runId: row.run_id,
    stepId: row.step_id,
    attempt: row.attempt,
    maxAttempts: row.max_attempts,
    backoffMs: row.backoff_ms,
    token: row.token,
  };
}
