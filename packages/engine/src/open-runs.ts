/**
 * How many runs a tenant may have that have not ended: what somebody starts without end stays bounded, also where it only
 * waits. Runs that runs start count and are not refused, since what was accepted must be able to end; `MAX_TREE_RUNS` bounds
 * them.
 */
import { EngineError } from './errors.ts';
import type { SqlClient } from './interfaces.ts';

/** Throws TOO_MANY_OPEN_RUNS. */
export type RequireRoom = (tx: SqlClient, tenantId: string, now: Date) => Promise<void>;

/** Tenants that are remembered. */
const TENANTS_MAX = 5_000;
const COUNTED_FOR_MS = 1_000;
/** This part of the limit is started on one count, so that a start need not count thousands of rows. */
const PART_PER_COUNT = 1 / 100;

/**
 * The count is the database's, so all processes agree but for what each starts between two counts (a hundredth of the limit,
 * or a second), and for starts that are not committed yet. Once it is reached every start counts anew.
 */
export function createOpenRunLimit(maxOpenRuns: number | undefined): RequireRoom {
  const counts = new Map<string, { left: number; untilMs: number }>();
  return async (tx, tenantId, now) => {
    if (maxOpenRuns === undefined) return;
    const known = counts.get(tenantId);
    if (known !== undefined && known.left > 0 && known.untilMs > now.getTime()) {
      known.left--;
      return;
    }
    const open = await countOpenRuns(tx, tenantId, maxOpenRuns);
    if (open >= maxOpenRuns) {
      counts.delete(tenantId);
      throw new EngineError('TOO_MANY_OPEN_RUNS', `${maxOpenRuns} runs of this tenant have not ended yet.`);
    }
    const together = Math.min(maxOpenRuns - open, Math.floor(maxOpenRuns * PART_PER_COUNT));
    if (counts.size >= TENANTS_MAX) counts.clear();
    counts.set(tenantId, { left: together - 1, untilMs: now.getTime() + COUNTED_FOR_MS });
  };
}

async function countOpenRuns(tx: SqlClient, tenantId: string, most: number): Promise<number> {
  const { rows } = await tx.query<{ open: number }>(
    `select count(*)::int as open from (
       select from engine.run where tenant_id = $1 and finished_at is null limit $2) o`,
    [tenantId, most],
  );
  return rows[0]?.open ?? 0;
}
