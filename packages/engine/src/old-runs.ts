import type { SqlClient } from './interfaces.ts';

export type DeletedRun = { readonly tenantId: string; readonly runId: string };

/** How a batch of old runs is chosen. */
export type OldRuns = {
  readonly endedBefore: Date;
  /** Nothing with a lower id was made after `endedBefore`: ids grow with time, so the oldest are found without an index of their end. */
  readonly firstIdAfter: string;
  /** Families at most: runs nobody started but a person or a program, each with all that it started. */
  readonly limit: number;
};

/**
 * Deletes runs that ended before, with their steps, questions and jobs, and returns them. A family goes whole or stays: while one
 * of its runs goes on, or ended later, all of them are there. Fewer families than the limit came back: none is
 * left that is as old and not held by somebody else.
 */
export async function deleteOldRuns(
  db: SqlClient,
  { endedBefore, firstIdAfter, limit }: OldRuns,
): Promise<{ families: number; runs: DeletedRun[] }> {
  const { rows } = await db.query<{ id: string; tenant_id: string; is_first: boolean }>(
    `with old as materialized (
       select r.id from engine.run r
       where r.id < $2::uuid and r.root_run_id is null and r.finished_at < $1
         and not exists (
           select from engine.run c
           where c.root_run_id = r.id and (c.finished_at is null or c.finished_at >= $1))
       order by r.id limit $3 for update skip locked),
     family as materialized (
       select id from old union all select c.id from engine.run c join old on c.root_run_id = old.id)
     delete from engine.run r using family where r.id = family.id
     returning r.id, r.tenant_id, r.root_run_id is null as is_first`,
    [endedBefore, firstIdAfter, limit],
  );
  return {
    families: rows.filter((row) => row.is_first).length,
    runs: rows.map((row) => ({ tenantId: row.tenant_id, runId: row.id })),
  };
}

/** Jobs that were given up on before, and belong to no run. */
export async function deleteDeadJobs(
  db: SqlClient,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const { rowCount } = await db.query(
    `delete from engine.job where id in (
       select id from engine.job where state = 'dead' and run_id is null and created_at < $1 limit $2 for update skip locked)`,
    [before, limit],
  );
  return rowCount ?? 0;
}
