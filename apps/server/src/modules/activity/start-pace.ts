import { serverLimits } from '@airdeck/contracts/server-limits';
import { sql } from 'kysely';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';

const WINDOW_MS = 60_000;

/** Counts starts of this person, one by default, whatever comes of them; throws RATE_LIMITED beyond the limit. */
export type RequirePace = (scope: TenantScope, userId: string, starts?: number) => Promise<void>;

/**
 * A row per person, so that all processes count together. It has a transaction of its own: in that of the start, a refused
 * start would count nothing, and one person's starts would wait for each other to the end. Losing a count in a crash is no
 * harm, so nothing waits for the disk.
 */
export function createStartPace({ db, now }: { db: Pick<Database, 'tenant'>; now: () => Date }): RequirePace {
  return async (scope, userId, starts = 1) => {
    const at = now();
    const fresh = new Date(at.getTime() + WINDOW_MS);
    const { used, ends_at: endsAt } = await db.tenant(scope.tenantId, async (tx) => {
      await sql`set local synchronous_commit to off`.execute(tx);
      const { rows } = await sql<{ used: number; ends_at: Date }>`
        insert into start_pace as p (tenant_id, user_id, used, ends_at)
        values (${scope.tenantId}, ${userId}, ${starts}, ${fresh})
        on conflict (tenant_id, user_id) do update set
          used = case when p.ends_at > ${at} then p.used + ${starts} else ${starts} end,
          ends_at = case when p.ends_at > ${at} then p.ends_at else ${fresh} end
        returning used, ends_at`.execute(tx);
      return rows[0] ?? { used: starts, ends_at: fresh };
    });
    if (used <= serverLimits.runStartsPerMinute) return;
    const retryAfterS = Math.max(1, Math.ceil((endsAt.getTime() - at.getTime()) / 1_000));
    throw new AppError('RATE_LIMITED', { message: 'Too many runs were started just now.', retryAfterS });
  };
}
