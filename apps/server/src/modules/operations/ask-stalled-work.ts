import { askDatabase } from '../../storage/ask-database.ts';
import { plainClient } from '../../storage/database.ts';
import { SYSTEM_ROLE } from '../../storage/roles.ts';
import { askEngineTime } from './engine-time.ts';
import { findStalledWork, SILENT_AFTER_MS, type StalledWork } from './stalled-work.ts';

export type WorkSeen = {
  stalled: StalledWork | null;
  /** That say of themselves that they are there, of whatever role. */
  processes: number;
};

/** For who is no process of the installation. Undefined before the first start made the tables; rejects where it cannot look. */
export async function askStalledWork(databaseUrl: string): Promise<WorkSeen | undefined> {
  return await askDatabase(databaseUrl, async (client) => {
    const { rows: tables } = await client.query<{ there: boolean }>(
      `select to_regclass('engine.clock_shift') is not null and to_regclass('public.process_report') is not null
         and to_regclass('public.restore_fence') is not null as there`,
    );
    if (tables[0]?.there !== true) return undefined;
    await client.query(`set role ${SYSTEM_ROLE}`);
    const stalled = await findStalledWork(plainClient(client), null);
    const at = await askEngineTime(plainClient(client));
    const { rows } = await client.query<{ processes: number }>(
      'select count(*)::int as processes from process_report where seen_at > $1',
      [new Date(at.getTime() - SILENT_AFTER_MS)],
    );
    return { stalled, processes: rows[0]?.processes ?? 0 };
  });
}
