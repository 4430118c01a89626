/**
 * Loads runs for change. The run's row lock serialises everything that happens to it. Steps (and the fence of leases) are
 * read by later statements, because a statement that had to wait for the lock still sees them as they were before it waited.
 */
import type { DefinitionCache } from './definition-cache.ts';
import type { SqlClient } from './interfaces.ts';
import { type RunRow, runColumns, type StepRow, stepColumns } from './rows.ts';
import { createRunModel, type RunModel } from './run-model.ts';

/** `held`: the tenant seemed to be on hold when the run was read; `lockHolds` tells for certain. */
export type LockedRun = RunRow & { readonly held: boolean };

/** Locked in the order of their ids, so that two transactions cannot wait for each other. */
export async function lockRuns(tx: SqlClient, runIds: readonly string[]): Promise<LockedRun[]> {
  const { rows } = await tx.query<LockedRun>(
    `select ${runColumns('r')}, exists (select from engine.hold h where h.tenant_id = r.tenant_id) as held
     from engine.run r where r.id = any($1::uuid[]) order by r.id for update`,
    [runIds],
  );
  return rows;
}

export async function loadLockedRuns(
  tx: SqlClient,
  runs: readonly RunRow[],
  definitions: DefinitionCache,
): Promise<Map<string, RunModel>> {
  const { rows } = await tx.query<StepRow>(
    `select ${stepColumns('s')} from engine.step s where s.run_id = any($1::uuid[])`,
    [runs.map(({ id }) => id)],
  );
  const byRun = new Map<string, StepRow[]>(runs.map(({ id }) => [id, []]));
  for (const step of rows) byRun.get(step.run_id)?.push(step);
  const compiledOf = await definitions.getMany(tx, runs);
  return new Map(runs.map((run) => [run.id, createRunModel(run, compiledOf(run), byRun.get(run.id) ?? [])]));
}
