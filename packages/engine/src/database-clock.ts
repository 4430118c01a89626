import type { Clock, SqlClient, SqlPool } from './interfaces.ts';

/** Clocks of machines drift apart by milliseconds within it. */
const FRESH_MS = 30_000;

/**
 * The time leases and timers are written in: the database's, so that processes agree although their clocks do not. Between
 * two measurements it goes on by a clock that nobody sets, so that setting a machine's clock changes nothing.
 */
export interface DatabaseClock {
  now(): Date;
  /** Measures anew. */
  sync(): Promise<void>;
  /** Measures anew where that is due, for processes that start and answer runs but work on none. */
  fresh(tx: SqlClient): Promise<void>;
}

export function createDatabaseClock(deps: {
  /** Until the first measurement, and always without `follow`. */
  clock: Clock;
  /** Goes on evenly from wherever it began. */
  nowMs: () => number;
  pool: SqlPool;
  follow: boolean;
}): DatabaseClock {
  const { clock, nowMs, pool, follow } = deps;
  let measured: { databaseMs: number; ownMs: number } | undefined;

  async function measure(tx: SqlClient): Promise<void> {
    const before = nowMs();
    const { rows } = await tx.query<{ now: Date }>('select clock_timestamp() as now');
    const [row] = rows;
    if (row !== undefined) measured = { databaseMs: row.now.getTime(), ownMs: (before + nowMs()) / 2 };
  }

  return {
    now: () =>
      measured === undefined ? clock.now() : new Date(Math.round(measured.databaseMs + nowMs() - measured.ownMs)),
    async sync() {
      if (follow) await pool.transaction(measure);
    },
    async fresh(tx) {
      if (follow && (measured === undefined || nowMs() - measured.ownMs > FRESH_MS)) await measure(tx);
    },
  };
}
