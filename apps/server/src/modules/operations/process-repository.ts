import { sql } from 'kysely';
import type { Tx } from '../../storage/schema.ts';
import { ENGINE_TIME } from './engine-time.ts';
import type { ProcessFigures } from './operations-tables.ts';
import type { ProcessIdentity } from './process-reports.ts';

type Told = ProcessIdentity & { figures: ProcessFigures };

/** Seen in the engine's time: those who look for silent ones may be on machines with other clocks. */
export async function putReport(tx: Tx, { startedAt, figures, ...identity }: Told): Promise<void> {
  const seen_at = sql<Date>`${sql.raw(ENGINE_TIME)}`;
  const row = { ...identity, started_at: startedAt, seen_at, figures: JSON.stringify(figures) };
  await tx
    .insertInto('process_report')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at, figures: row.figures }))
    .execute();
}

export async function takeReport(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('process_report').where('id', '=', id).execute();
}

export async function listReports(tx: Tx) {
  return await tx
    .selectFrom('process_report')
    .selectAll()
    .orderBy('role')
    .orderBy('started_at')
    .orderBy('id')
    .execute();
}

export async function forgetReports(tx: Tx, before: Date): Promise<void> {
  await tx.deleteFrom('process_report').where('seen_at', '<', before).execute();
}
