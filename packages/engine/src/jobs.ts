import { EngineError, type Failure } from './errors.ts';
import type { EnqueuedJob, EnqueueJobInput, SqlClient } from './interfaces.ts';
import { jsonText } from './json-value.ts';
import { lockHeldJobs } from './leases.ts';
import type { Lease } from './run-model.ts';
import { MAX_PRIORITY, wakeChannel } from './run-save.ts';

export const DEFAULT_MAX_ATTEMPTS = 5;
const DEFAULT_BACKOFF_MS = 1_000;

/** Adds a job in the caller's transaction; a live job with the same key is returned instead. */
export async function enqueueJob(
  tx: SqlClient,
  input: EnqueueJobInput,
  deps: { readonly ids: () => string; readonly now: () => Date },
): Promise<EnqueuedJob> {
  const jobId = deps.ids();
  const now = deps.now();
  const runAt = input.runAt ?? now;
  const due = runAt <= now;
  const { rowCount } = await tx.query(
    `insert into engine.job (id, tenant_id, kind, payload, priority, state, available_at, attempt, max_attempts, backoff_ms,
       lease_token, dedup_key, created_at)
     values ($1, $2, $3, $4::jsonb, $5, $6, $7, 0, $8, $9, 0, $10, $11)
     on conflict (tenant_id, kind, dedup_key) where dedup_key is not null and state <> 'dead' do nothing`,
    [
      jobId,
      input.tenantId,
      input.kind,
      jsonText(input.payload ?? null),
      Math.max(-MAX_PRIORITY, Math.min(MAX_PRIORITY, input.priority ?? 0)),
      due ? 'available' : 'scheduled',
      runAt,
      input.maxAttempts ?? DEFAULT_MAX_ATTEMPTS,
      input.backoffMs ?? DEFAULT_BACKOFF_MS,
      input.dedupKey ?? null,
      now,
    ],
  );
  if (rowCount === 0) return { jobId: await liveJobOfKey(tx, input), created: false };
  if (due) await tx.query('select pg_notify($1, $2)', [wakeChannel, '']);
  return { jobId, created: true };
}

/** The job with the key may complete between the two statements; then the caller's work is done and any id will do. */
async function liveJobOfKey(tx: SqlClient, input: EnqueueJobInput): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `select id from engine.job where tenant_id = $1 and kind = $2 and dedup_key = $3 order by (state = 'dead') limit 1`,
    [input.tenantId, input.kind, input.dedupKey],
  );
  return rows[0]?.id ?? '';
}

/** Ends a job under its fence. Throws LEASE_LOST when it was taken away: the caller's transaction must roll back. */
export async function completeJob(tx: SqlClient, owner: string, lease: Lease): Promise<void> {
  await requireHeld(tx, owner, lease);
  await tx.query('delete from engine.job where id = $1', [lease.jobId]);
}

/** Puts a failed job back for later, or away as dead letter. */
export async function failJob(
  tx: SqlClient,
  owner: string,
  lease: Lease,
  how: { readonly error: Failure; readonly retryAt: Date | null },
): Promise<void> {
  await requireHeld(tx, owner, lease);
  await tx.query(
    `update engine.job set state = $2, available_at = coalesce($3::timestamptz, available_at), last_error = $4::jsonb,
       lease_owner = null, lease_until = null where id = $1`,
    [lease.jobId, how.retryAt ? 'scheduled' : 'dead', how.retryAt, jsonText(how.error)],
  );
}

/** Puts a job back that was not begun, as if it had not been taken. */
export async function postponeJob(tx: SqlClient, owner: string, lease: Lease, until: Date): Promise<void> {
  await requireHeld(tx, owner, lease);
  await tx.query(
    `update engine.job set state = 'scheduled', available_at = $2, attempt = attempt - 1, lease_owner = null, lease_until = null
     where id = $1`,
    [lease.jobId, until],
  );
}

async function requireHeld(tx: SqlClient, owner: string, lease: Lease): Promise<void> {
  const held = await lockHeldJobs(tx, owner, [lease]);
  if (!held.has(lease.jobId)) throw new EngineError('LEASE_LOST', 'The job was taken away from this worker.');
}

export type DeadJob = {
  readonly id: string;
  readonly tenantId: string;
  readonly kind: string;
  readonly payload: unknown;
  readonly attempt: number;
  readonly error: Failure | null;
  readonly createdAt: Date;
};

/** Dead letters of a tenant, newest first. */
export async function listDeadJobs(db: SqlClient, which: { tenantId: string; limit: number }): Promise<DeadJob[]> {
  const { rows } = await db.query<{
    id: string;
    tenant_id: string;
    kind: string;
    payload: unknown;
    attempt: number;
    last_error: Failure | null;
    created_at: Date;
  }>(
    `select id, tenant_id, kind, payload, attempt, last_error, created_at from engine.job
     where tenant_id = $1 and state = 'dead' order by id desc limit $2`,
    [which.tenantId, which.limit],
  );
  return rows.map((row) => ({
    id: row.id,
    tenantId: row.tenant_id,
    kind: row.kind,
    payload: row.payload,
    attempt: row.attempt,
    error: row.last_error,
    createdAt: row.created_at,
  }));
}
