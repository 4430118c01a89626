/**
 * Claiming with fairness between tenants. The rule: a worker takes at most its share (wanted ÷ tenants that wait) of one
 * tenant's jobs per claim, and successive claims go round the tenants, so that a tenant with a million jobs delays another
 * tenant's next job by no more than one round. Nor does a tenant get more slots than `fairness.ts` gives it; urgent jobs,
 * which are few and short, are claimed all the same. Within a tenant: priority, then age.
 *
 * Tenants that wait are found by skipping through the index (one probe per tenant), not by reading their jobs.
 * A claim needs no durable commit: should it be lost, nobody holds the job, and the fence catches who thinks so.
 */
import { type ClaimedJob, type JobRow, jobFromRow, leaseSql } from './claimed-job.ts';
import type { WaitingTenants } from './fairness.ts';
import type { SqlClient, SqlPool } from './interfaces.ts';
import { MAX_PRIORITY } from './run-save.ts';

export type ClaimRequest = {
  readonly owner: string;
  readonly kinds: readonly string[];
  readonly limit: number;
  /** Urgent jobs to take besides, whatever their tenants have in use. */
  readonly urgentLimit: number;
  readonly leaseUntil: Date;
  /** Where the round stands: tenants up to and including this one come last. Null starts from the beginning. */
  readonly afterTenant: string | null;
  /** Slots by tenant that the worker has in use. */
  readonly held: ReadonlyMap<string, number>;
  /** Slots one tenant may have while others wait, and while none does. */
  readonly slotsShared: number;
  readonly slotsAlone: number;
};

export type Claim = {
  readonly jobs: readonly ClaimedJob[];
  readonly lastTenant: string | null;
  /** As it was right before this claim. */
  readonly waiting: WaitingTenants;
  /** Whether suspects waited then; they are not claimed here (`suspects.ts`). */
  readonly suspects: boolean;
};

/** Leases up to `limit` available jobs to `owner`, and up to `urgentLimit` urgent ones. */
export async function claimJobs(pool: SqlPool, request: ClaimRequest): Promise<Claim> {
  return pool.transaction(async (tx) => {
    const { urgent, suspects, ...waiting } = await lookAround(tx);
    if (waiting.first === null) return { jobs: [], lastTenant: null, waiting, suspects };
    const extra = urgent && request.urgentLimit > 0 ? await claimUrgent(tx, request) : [];
    const rows = request.limit > 0 ? await claimInTurn(tx, request, waiting, extra) : [];
    return {
      jobs: [...extra, ...rows].map(jobFromRow),
      lastTenant: rows.at(-1)?.tenant_id ?? null,
      waiting,
      suspects,
    };
  });
}

type Sight = WaitingTenants & { readonly urgent: boolean; readonly suspects: boolean };

/** Four looks into indexes, whatever waits. */
async function lookAround(tx: SqlClient): Promise<Sight> {
  const { rows } = await tx.query<Sight>(
    `select (select j.tenant_id from engine.job j where j.state = 'available' order by j.tenant_id limit 1) as first,
       (select j.tenant_id from engine.job j where j.state = 'available' order by j.tenant_id desc limit 1) as last,
       exists (select from engine.job j where j.state = 'available' and j.priority > ${MAX_PRIORITY}) as urgent,
       exists (select from engine.job j where j.state = 'suspect') as suspects`,
  );
  return rows[0] ?? { first: null, last: null, urgent: false, suspects: false };
}

async function claimUrgent(tx: SqlClient, request: ClaimRequest): Promise<JobRow[]> {
  const { rows } = await tx.query<JobRow>(
    `with picked as materialized (
       select j.id from engine.job j
       where j.state = 'available' and j.priority > ${MAX_PRIORITY} and j.kind = any($2::text[])
       order by j.available_at, j.id limit $1::int for update skip locked
     )
     ${leaseSql({ owner: '$3', until: '$4' })}`,
    [request.urgentLimit, request.kinds, request.owner, request.leaseUntil],
  );
  return rows;
}

/** Once round the tenants, from where the last claim stopped. */
async function claimInTurn(
  tx: SqlClient,
  request: ClaimRequest,
  waiting: WaitingTenants,
  already: readonly JobRow[],
): Promise<JobRow[]> {
  const { limit, afterTenant } = request;
  const slots = waiting.first === waiting.last ? request.slotsAlone : request.slotsShared;
  const rows = await claimFrom(tx, request, { slots, held: heldWith(request.held, already), afterTenant, limit });
  if (rows.length === limit || afterTenant === null) return rows;
  const held = heldWith(request.held, [...already, ...rows]);
  return [...rows, ...(await claimFrom(tx, request, { slots, held, afterTenant: null, limit: limit - rows.length }))];
}

function heldWith(held: ReadonlyMap<string, number>, rows: readonly JobRow[]): ReadonlyMap<string, number> {
  if (rows.length === 0) return held;
  const counts = new Map(held);
  for (const { tenant_id } of rows) counts.set(tenant_id, (counts.get(tenant_id) ?? 0) + 1);
  return counts;
}

async function claimFrom(
  tx: SqlClient,
  request: ClaimRequest,
  how: { slots: number; held: ReadonlyMap<string, number>; afterTenant: string | null; limit: number },
): Promise<JobRow[]> {
  const { slots, held, afterTenant, limit } = how;
  // No bound at the beginning: the lowest id there can be belongs to somebody too (jobs of the whole installation).
  const bound = afterTenant === null ? '' : 'and j.tenant_id > $8::uuid';
  const { rows } = await tx.query<JobRow>(
    `with recursive waiting(tenant_id) as (
       (select j.tenant_id from engine.job j where j.state = 'available' ${bound} order by j.tenant_id limit 1)
       union all
       select (select j.tenant_id from engine.job j where j.state = 'available' and j.tenant_id > w.tenant_id
               order by j.tenant_id limit 1)
       from waiting w where w.tenant_id is not null
     ), round as (
       select w.tenant_id, $5::int - coalesce(h.jobs, 0) as room
       from waiting w left join unnest($6::uuid[], $7::int[]) as h(tenant_id, jobs) on h.tenant_id = w.tenant_id
       where w.tenant_id is not null and $5::int > coalesce(h.jobs, 0) limit $1::int
     ), share as (
       select ceil($1::float8 / greatest(count(*), 1))::int as jobs from round
     ), picked as materialized (
       select p.id from round cross join share cross join lateral (
         select j.id from engine.job j
         where j.state = 'available' and j.tenant_id = round.tenant_id and j.kind = any($2::text[])
         order by j.priority desc, j.available_at, j.id
         limit least(share.jobs, round.room) for update skip locked) p
       limit $1::int
     )
     ${leaseSql({ owner: '$3', until: '$4' })}`,
    [
      limit,
      request.kinds,
      request.owner,
      request.leaseUntil,
      slots,
      [...held.keys()],
      [...held.values()],
      ...(afterTenant === null ? [] : [afterTenant]),
    ],
  );
  return rows.sort((a, b) => (a.tenant_id < b.tenant_id ? -1 : a.tenant_id > b.tenant_id ? 1 : 0));
}
