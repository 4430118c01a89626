/**
 * Suspects: jobs that have lost their lease twice. One of them may be what ends workers, the others merely ran beside it, and
 * nobody can tell which is which. So they wait in a queue of their own, which ordinary claims do not see, for a worker that
 * runs nothing else (`solitude.ts`): from then on each is blamed for its own losses only.
 *
 * A worker with other work reserves one before it lets that work run out, so that of several workers only one does. The
 * reservation is no lease: what happens meanwhile is not counted against the job, and a worker that runs nothing may take it
 * all the same. Which tenant's turn it is is drawn by lot, because a worker that is ended again and again remembers no round;
 * of a tenant's, those that have lost least come first.
 */
import { type ClaimedJob, type JobRow, jobFromRow, leaseSql } from './claimed-job.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { SqlClient, SqlPool } from './interfaces.ts';
import { MAX_PRIORITY } from './run-save.ts';
import type { Solitude, Surroundings } from './solitude.ts';

export const LOSSES_OF_SUSPECT = 2;

/**
 * SQL for the queue a job of `engine.job` goes to when nothing keeps it waiting any more. Urgent jobs run no code of others,
 * so they are not suspected.
 */
export function readyState(losses = 'lease_losses'): string {
  return `case when ${losses} >= ${LOSSES_OF_SUSPECT} and priority <= ${MAX_PRIORITY} then 'suspect' else 'available' end`;
}

/** What a worker does about suspects before it claims others; `seen` is what it last saw. */
export interface SuspectTurns {
  pass(seen: Surroundings): Promise<void>;
}

export function createSuspectTurns(deps: {
  readonly pool: SqlPool;
  readonly clock: Pick<DatabaseClock, 'now'>;
  readonly owner: string;
  readonly kinds: readonly string[];
  readonly leaseMs: number;
  readonly solitude: Solitude;
  /** Takes a slot at once. */
  readonly carryOut: (job: ClaimedJob) => void;
}): SuspectTurns {
  const { pool, clock, owner, kinds, leaseMs, solitude, carryOut } = deps;

  async function take(reserved: string | null, now: Date, leaseUntil: Date): Promise<void> {
    const job = await takeSuspect(pool, { owner, kinds, now, leaseUntil, reserved });
    if (job === null) return solitude.missed();
    carryOut(job);
    solitude.taken(job.id);
  }

  async function pass(seen: Surroundings): Promise<void> {
    const move = solitude.move(seen);
    if (move.type === 'none') return;
    const now = clock.now();
    const until = new Date(now.getTime() + leaseMs);
    if (move.type === 'take') return take(move.reserved, now, until);
    if (move.type === 'keep') {
      if (!(await keepReserved(pool, { jobId: move.jobId, owner, until }))) solitude.missed();
      return;
    }
    const jobId = await reserveSuspect(pool, { owner, kinds, now, until });
    if (jobId === null) solitude.missed();
    else solitude.reserved(jobId);
  }

  return { pass };
}

type Worker = { readonly owner: string; readonly kinds: readonly string[]; readonly now: Date };

/** Chooses one that no other worker has chosen, until `until`. Null when there is none. */
export async function reserveSuspect(pool: SqlPool, worker: Worker & { readonly until: Date }): Promise<string | null> {
  const { owner, kinds, now, until } = worker;
  return pool.transaction(async (tx) => {
    const { rows } = await tx.query<{ id: string }>(
      `with recursive ${oneOf(UNRESERVED)}
       update engine.job j set reserved_by = $3, reserved_until = $4 from picked where j.id = picked.id returning j.id`,
      [kinds, now, owner, until],
    );
    return rows[0]?.id ?? null;
  });
}

/** False when another worker has taken it, or it is gone. */
export async function keepReserved(
  pool: SqlPool,
  { jobId, owner, until }: { jobId: string; owner: string; until: Date },
): Promise<boolean> {
  const { rowCount } = await pool.transaction((tx) =>
    tx.query(`update engine.job set reserved_until = $3 where id = $1 and state = 'suspect' and reserved_by = $2`, [
      jobId,
      owner,
      until,
    ]),
  );
  return rowCount === 1;
}

/** Leases one to a worker that will run nothing beside it: the one it reserved, else one nobody has, else any. */
export async function takeSuspect(
  pool: SqlPool,
  worker: Worker & { readonly leaseUntil: Date; readonly reserved: string | null },
): Promise<ClaimedJob | null> {
  return pool.transaction(async (tx) => {
    const mine = worker.reserved === null ? null : await leaseReserved(tx, worker, worker.reserved);
    const row = mine ?? (await leaseOne(tx, worker, UNRESERVED)) ?? (await leaseOne(tx, worker, ''));
    return row && jobFromRow(row);
  });
}

type Taking = Worker & { readonly leaseUntil: Date };

async function leaseReserved(tx: SqlClient, { owner, leaseUntil }: Taking, jobId: string): Promise<JobRow | null> {
  const { rows } = await tx.query<JobRow>(
    `with picked as materialized (
       select id from engine.job where id = $1 and state = 'suspect' and reserved_by = $2 for update skip locked
     )
     ${leaseSql({ owner: '$2', until: '$3' })}`,
    [jobId, owner, leaseUntil],
  );
  return rows[0] ?? null;
}

async function leaseOne(
  tx: SqlClient,
  { owner, kinds, now, leaseUntil }: Taking,
  which: string,
): Promise<JobRow | null> {
  const { rows } = await tx.query<JobRow>(`with recursive ${oneOf(which)} ${leaseSql({ owner: '$3', until: '$4' })}`, [
    kinds,
    now,
    owner,
    leaseUntil,
  ]);
  return rows[0] ?? null;
}

const UNRESERVED = 'and (j.reserved_until is null or j.reserved_until < $2)';

/** Tenants are found as in `claim.ts`, one probe each. `$1` are kinds; `$2`, the time, is used either way. */
function oneOf(which: string): string {
  return `waiting(tenant_id) as (
       (select j.tenant_id from engine.job j where j.state = 'suspect' order by j.tenant_id limit 1)
       union all
       select (select j.tenant_id from engine.job j where j.state = 'suspect' and j.tenant_id > w.tenant_id
               order by j.tenant_id limit 1)
       from waiting w where w.tenant_id is not null
     ), lot as (
       select tenant_id from waiting where tenant_id is not null and $2::timestamptz is not null order by random()
     ), picked as materialized (
       select p.id from lot cross join lateral (
         select j.id from engine.job j
         where j.state = 'suspect' and j.tenant_id = lot.tenant_id and j.kind = any($1::text[]) ${which}
         order by j.lease_losses, j.available_at, j.id limit 1 for update skip locked) p
       limit 1
     )`;
}
