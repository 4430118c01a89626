/** A job as a worker gets it, the statement that leases it, and what is told when it is given up. */
import type { Failure } from './errors.ts';
import type { JobEvent } from './events.ts';

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
  /** Workers it has lost so far. */
  readonly losses: number;
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
  losses: number;
};

/** Far beyond what any job comes to. A row that says more must not make the claim of all others overflow. */
const MOST_CLAIMS = 1_000_000;
/** Numbers up to here are exact as a double. */
const HIGHEST_TOKEN = 2 ** 52;
/** Whatever its row says, a job is given up some day, and is not tried again without a pause. */
const MOST_ATTEMPTS = 1_000;
const SHORTEST_BACKOFF_MS = 50;

/** Leases what `picked` holds; `owner` and `until` are the statement's parameters. Its commit need not be durable. */
export const leaseSql = ({ owner, until }: { owner: string; until: string }): string =>
  `update engine.job j set state = 'leased', lease_owner = ${owner}, lease_until = ${until}, lease_token = least(j.lease_token, ${HIGHEST_TOKEN}) + 1,
       attempt = least(j.attempt, ${MOST_CLAIMS}) + 1
     from picked where j.id = picked.id
     returning j.id, j.tenant_id, j.kind, j.payload, j.run_id, j.step_id, j.attempt, j.max_attempts, j.backoff_ms,
       j.lease_token::float8 as token, j.lease_losses as losses, set_config('synchronous_commit', 'off', true)`;

export function jobFromRow(row: JobRow): ClaimedJob {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind,
    payload: row.payload,
    runId: row.run_id,
    stepId: row.step_id,
    attempt: row.attempt,
    maxAttempts: Math.min(row.max_attempts, MOST_ATTEMPTS),
    backoffMs: Math.max(row.backoff_ms, SHORTEST_BACKOFF_MS),
    token: row.token,
    losses: row.losses,
  };
}

export function jobDead({ id, tenantId, kind, attempt }: ClaimedJob, error: Failure, at: Date): JobEvent {
  return { type: 'job.dead', at, tenantId, jobId: id, jobKind: kind, attempt, error };
}
