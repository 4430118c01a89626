import type { Clock, SqlPool } from './interfaces.ts';

/**
 * The time leases and timers are written in. Every machine corrects its own clock by the distance to the database's, so
 * that workers agree although their clocks do not.
 */
export interface DatabaseClock {
  now(): Date;
  /** Measures the distance anew. */
  sync(): Promise<void>;
}

export function createDatabaseClock(deps: { clock: Clock; pool: SqlPool; follow: boolean }): DatabaseClock {
  let offsetMs = 0;
  return {
    now: () => new Date(deps.clock.now().getTime() + offsetMs),
    async sync() {
      if (!deps.follow) return;
      const sample = await deps.pool.transaction(async (tx) => {
        const before = deps.clock.now().getTime();
        const { rows } = await tx.query<{ now: Date }>('select clock_timestamp() as now');
        const middle = (before + deps.clock.now().getTime()) / 2;
        return (rows[0]?.now.getTime() ?? middle) - middle;
      });
      offsetMs = Math.round(sample);
    },
  };
}
