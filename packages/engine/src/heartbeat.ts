import type { SqlClient } from './interfaces.ts';
import type { Lease } from './run-model.ts';
import { readyState } from './suspects.ts';

export type HeartbeatResult = {
  /** Held jobs that this worker no longer owns. */
  readonly lost: readonly string[];
  /** Held jobs whose run is being cancelled or has run out of time. */
  readonly toAbort: readonly string[];
};

/**
 * Extends all leases of a worker in one statement. Jobs some transaction is just finishing are skipped rather than waited
 * for; their absence from the extension is therefore no proof of loss, which is looked up separately without locks.
 */
export async function heartbeat(
  tx: SqlClient,
  worker: { owner: string; held: readonly Lease[]; leaseUntil: Date },
): Promise<HeartbeatResult> {
  await tx.query('set local synchronous_commit = off');
  const ids = worker.held.map(({ jobId }) => jobId);
  const tokens = worker.held.map(({ token }) => token);
  await tx.query(
    `update engine.job set lease_until = $4
     where id in (select j.id from engine.job j join unnest($1::uuid[], $2::bigint[]) as x(id, token) on j.id = x.id
                  where j.lease_owner = $3 and j.state = 'leased' and j.lease_token = x.token for update of j skip locked)`,
    [ids, tokens, worker.owner, worker.leaseUntil],
  );
  const { rows } = await tx.query<{ id: string; lost: boolean; abort: boolean }>(
    `select x.id, j.id is null as lost,
       coalesce(r.cancel_requested_at is not null or r.error->>'code' = 'RUN_TIMED_OUT', false) as abort
     from unnest($1::uuid[], $2::bigint[]) as x(id, token)
     left join engine.job j on j.id = x.id and j.lease_owner = $3 and j.state = 'leased' and j.lease_token = x.token
     left join engine.run r on r.id = j.run_id
     where j.id is null or r.cancel_requested_at is not null or r.error is not null`,
    [ids, tokens, worker.owner],
  );
  return {
    lost: rows.filter(({ lost }) => lost).map(({ id }) => id),
    toAbort: rows.filter(({ abort }) => abort).map(({ id }) => id),
  };
}

/**
 * Hands leases back at once, as a graceful stop does. The attempt does not count. Steps whose call mark is set keep it, so
 * whoever takes them next knows.
 */
export async function handBack(tx: SqlClient, owner: string, held: readonly Lease[]): Promise<void> {
  await tx.query(
    `update engine.job j set state = ${readyState()}, lease_owner = null, lease_until = null,
       attempt = greatest(j.attempt - 1, 0)
     from unnest($1::uuid[], $2::bigint[]) as x(id, token)
     where j.id = x.id and j.lease_owner = $3 and j.state = 'leased' and j.lease_token = x.token`,
    [held.map(({ jobId }) => jobId), held.map(({ token }) => token), owner],
  );
}
