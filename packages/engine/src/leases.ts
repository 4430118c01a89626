import type { SqlClient } from './interfaces.ts';
import type { Lease } from './run-model.ts';

/**
 * The fence: of the given leases, those `owner` still holds. Locks their jobs, so that until the transaction ends neither
 * the reaper nor another worker can take them. Anything done in the name of a lease starts with this.
 */
export async function lockHeldJobs(tx: SqlClient, owner: string, leases: readonly Lease[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ id: string }>(
    `select j.id from engine.job j join unnest($1::uuid[], $2::bigint[]) as x(id, token) on j.id = x.id
     where j.state = 'leased' and j.lease_owner = $3 and j.lease_token = x.token
     order by j.id for update of j`,
    [leases.map(({ jobId }) => jobId), leases.map(({ token }) => token), owner],
  );
  return new Set(rows.map(({ id }) => id));
}
