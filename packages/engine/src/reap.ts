import type { SqlClient } from './interfaces.ts';
import { LOSSES_OF_SUSPECT, readyState } from './suspects.ts';

const MAX_PER_PASS = 1_000;
const MAX_AT_START = 100_000;
/** No job comes near it; a row that says more must not keep others from being taken back. */
const MOST_LOSSES = 1_000_000;

/**
 * Makes jobs ready again whose lease has ended. Their old holder is fenced off: it is no longer the owner, and the next
 * claim has a higher token. Rows somebody works on at this moment are skipped. Returns how many were taken back.
 */
export async function reapExpiredLeases(tx: SqlClient, now: Date): Promise<number> {
  return release(tx, { condition: 'l.lease_until < $1', now, values: [], limit: MAX_PER_PASS });
}

/** Takes back what earlier processes of an exclusively named worker held, without waiting for their leases to end. */
export async function reapEarlierProcess(
  tx: SqlClient,
  { name, owner, now }: { name: string; owner: string; now: Date },
): Promise<number> {
  const condition = `starts_with(l.lease_owner, $3 || '/') and l.lease_owner <> $4`;
  return release(tx, { condition, now, values: [name, owner], limit: MAX_AT_START });
}

/** Takes back what these workers held, whenever their leases end. */
export async function reapOwners(
  tx: SqlClient,
  { owners, now }: { owners: readonly string[]; now: Date },
): Promise<number> {
  return release(tx, { condition: 'l.lease_owner = any($3::text[])', now, values: [owners], limit: MAX_PER_PASS });
}

/**
 * A job that has lost its workers twice is a suspect from then on. Whoever is lost even though it ran alone comes back after
 * a random and growing wait, so that a worker is not ended by it all the time.
 */
async function release(
  tx: SqlClient,
  { condition, now, values, limit }: { condition: string; now: Date; values: readonly unknown[]; limit: number },
): Promise<number> {
  const { rowCount } = await tx.query(
    `update engine.job j set lease_owner = null, lease_until = null, lease_losses = least(lease_losses, ${MOST_LOSSES}) + 1,
       state = case when lease_losses < ${LOSSES_OF_SUSPECT} then ${readyState('lease_losses + 1')} else 'scheduled' end,
       available_at = case when lease_losses < ${LOSSES_OF_SUSPECT} then available_at
         else $1::timestamptz + random() * least(60, 2 ^ least(6, lease_losses - ${LOSSES_OF_SUSPECT})) * interval '1 second' end
     where id in (select l.id from engine.job l where l.state = 'leased' and ${condition} limit $2 for update skip locked)`,
    [now, limit, ...values],
  );
  return rowCount ?? 0;
}

/** Makes scheduled jobs ready whose time has come, at most a thousand at a time. Returns how many. */
export async function promoteDueJobs(tx: SqlClient, now: Date): Promise<number> {
  const { rowCount } = await tx.query(
    `update engine.job set state = ${readyState()}
     where id in (select j.id from engine.job j where j.state = 'scheduled' and j.available_at <= $1
                  order by j.available_at limit $2 for update skip locked)`,
    [now, MAX_PER_PASS],
  );
  return rowCount ?? 0;
}

/** When the next scheduled job is due. */
export async function nextDueAt(tx: SqlClient): Promise<Date | null> {
  const { rows } = await tx.query<{ due: Date | null }>(
    `select min(available_at) as due from engine.job where state = 'scheduled' and available_at < 'infinity'`,
  );
  return rows[0]?.due ?? null;
}
