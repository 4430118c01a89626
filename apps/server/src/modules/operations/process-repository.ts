import type { Tx } from '../../storage/schema.ts';
import type { ProcessFigures } from './operations-tables.ts';
import type { ProcessIdentity } from './process-reports.ts';

type Told = ProcessIdentity & { seenAt: Date; figures: ProcessFigures };

export async function putReport(tx: Tx, { startedAt, seenAt, figures, ...identity }: Told): Promise<void> {
  const row = { ...identity, started_at: startedAt, seen_at: seenAt, figures: JSON.stringify(figures) };
  await tx
    .insertInto('process_report')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: seenAt, figures: row.figures }))
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
