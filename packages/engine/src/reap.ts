import type { SqlClient } from './interfaces.ts';

const MAX_PER_PASS = 1_000;

/**
 * Makes jobs available again whose lease has ended. Their old holder is fenced off: it is no longer the owner, and the next
 * claim has a higher token. Rows somebody works on at this moment are skipped. Returns how many were taken back.
 */
export async function reapExpiredLeases(tx: SqlClient, now: Date): Promise<number> {
  return release(tx, `j.lease_until < $1`, [now, MAX_PER_PASS]);
}

/** Takes back what earlier processes of an exclusively named worker held, without waiting for their leases to end. */
export async function reapEarlierProcess(tx: SqlClient, worker: { name: string; owner: string }): Promise<number> {
  return release(tx, `starts_with(j.lease_owner, $1 || '/') and j.lease_owner <> $3`, [
    worker.name,
    MAX_PER_PASS * 100,
    worker.owner,
  ]);
}

async function release(tx: SqlClient, condition: string, values: readonly unknown[]): Promise<number> {
  const { rowCount } = await tx.query(
    `update engine.job set state = 'available', lease_owner = null, lease_until = null
     where id in (select j.id from engine.job j where j.state = 'leased' and ${condition} limit $2 for update skip locked)`,
    values,
  );
  return rowCount ?? 0;
}

/** Makes scheduled jobs available whose time has come, at most a thousand at a time. Returns how many. */
export async function promoteDueJobs(tx: SqlClient, now: Date): Promise<number> {
  const { rowCount } = await tx.query(
    `update engine.job set state = 'available'
     where id in (select j.id from engine.job j where j.state = 'scheduled' and j.available_at <= $1
                  order by j.available_at limit $2 for update skip locked)`,
    [now, MAX_PER_PASS],
  );
  return rowCount ?? 0;
}

/** When the next scheduled job is due. */
export async function nextDueAt(tx: SqlClient): Promise<Date | null> {
  const { rows } = await tx.query<{ due: Date | null }>(
    `select min(available_at) as due from engine.job where state = 'scheduled'`,
  );
  return rows[0]?.due ?? null;
}
