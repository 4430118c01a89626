import type { Clock, SqlClient, SqlPool } from './interfaces.ts';

/** Times of two processes differ by a fifth of it at most, while one knows that the clock was set and the other does not. */
const FRESH_MS = 5_000;
/** Further than that from what was expected, the database's clock has been set. */
const SET_MS = 5_000;
/** Whoever measured longer ago cannot tell a clock that was set from a slow one of its own. */
const TRUSTED_MS = 60_000;
/** An hour is made up for within five. */
const PER_SECOND_MS = 200;

/**
 * The time leases and timers are written in: the database's, so that processes agree although their clocks do not. Between
 * two measurements it goes on by a clock that nobody sets, so that setting a machine's clock changes nothing.
 *
 * When the database's own clock is set, leases neither end all at once nor hold for an hour more: whoever notices first writes
 * down the difference for all (`engine.clock_shift`), and the time then goes by a fifth faster or slower until it is the
 * database's again. A process that comes new takes it as it is written.
 */
export interface DatabaseClock {
  now(): Date;
  /** Measures anew, and writes down when the database's clock was set. */
  sync(): Promise<void>;
  /** Measures anew where that is due, for processes that start and answer runs but work on none. */
  fresh(tx: SqlClient): Promise<void>;
}

type Shift = { readonly generation: number; readonly shiftMs: number; readonly setAtMs: number };

type Measured = {
  readonly databaseMs: number;
  /** In the middle of the time the question took, which is `tripMs`. */
  readonly ownMs: number;
  readonly tripMs: number;
  /** How much longer the machine is up than its even clock says: grows while it sleeps. */
  readonly asleepMs: number;
  readonly shift: Shift;
};

export function createDatabaseClock(deps: {
  /** Until the first measurement, and always without `follow`. */
  clock: Clock;
  /** Goes on evenly from wherever it began, but not while the machine sleeps. */
  nowMs: () => number;
  /** How long the machine is up, its sleep included. */
  uptimeMs: () => number;
  pool: SqlPool;
  follow: boolean;
  onSet: (byMs: number) => void;
}): DatabaseClock {
  const { clock, nowMs, uptimeMs, pool, follow, onSet } = deps;
  let measured: Measured | undefined;

  async function measure(tx: SqlClient): Promise<Measured> {
    const before = nowMs();
    const { rows } = await tx.query<Reading>(
      `select clock_timestamp() as now, s.generation, s.shift_ms, s.set_at
       from (values (true)) one(only_one) left join engine.current_clock_shift() s on s.only_one = one.only_one`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('The database did not tell the time.');
    const after = nowMs();
    return {
      ...{ databaseMs: row.now.getTime(), ownMs: (before + after) / 2, tripMs: after - before },
      ...{ asleepMs: uptimeMs() - after, shift: shiftOf(row) },
    };
  }

  return {
    now: () => (measured === undefined ? clock.now() : new Date(Math.round(timeOf(measured, nowMs())))),
    async sync() {
      if (!follow) return;
      const last = measured;
      const [next, byMs] = await pool.transaction(async (tx) => {
        const found = await measure(tx);
        const by = setBy(last, found);
        if (by === 0 || last === undefined) return [found, 0];
        const shift = {
          generation: found.shift.generation + 1,
          shiftMs: timeOf(last, found.ownMs) - found.databaseMs,
          setAtMs: found.databaseMs,
        };
        // Another process that noticed first has written the same.
        return (await write(tx, shift)) ? [{ ...found, shift }, by] : [await measure(tx), 0];
      });
      measured = next;
      if (byMs !== 0) onSet(byMs);
    },
    async fresh(tx) {
      if (!follow || (measured !== undefined && nowMs() - measured.ownMs <= FRESH_MS)) return;
      const next = await measure(tx);
      // Its transaction may be undone, so it leaves the writing down to a worker.
      if (setBy(measured, next) === 0) measured = next;
    },
  };
}

/** By how much the database's clock was set since `last`; 0 where that is not known. */
function setBy(last: Measured | undefined, next: Measured): number {
  if (last === undefined || last.shift.generation !== next.shift.generation) return 0;
  const isKnown = next.ownMs - last.ownMs <= TRUSTED_MS && Math.abs(next.asleepMs - last.asleepMs) < SET_MS;
  const byMs = timeOf(next, next.ownMs) - timeOf(last, next.ownMs);
  return isKnown && Math.abs(byMs) > SET_MS + (last.tripMs + next.tripMs) / 2 ? byMs : 0;
}

function timeOf({ databaseMs, ownMs, shift }: Measured, atMs: number): number {
  const database = databaseMs + atMs - ownMs;
  const madeUp = (Math.max(database - shift.setAtMs, 0) / 1000) * PER_SECOND_MS;
  return database + Math.sign(shift.shiftMs) * Math.max(Math.abs(shift.shiftMs) - madeUp, 0);
}

type Reading = { now: Date; generation: number | null; shift_ms: number | null; set_at: Date | null };

function shiftOf({ generation, shift_ms, set_at }: Reading): Shift {
  return { generation: generation ?? 0, shiftMs: shift_ms ?? 0, setAtMs: set_at?.getTime() ?? 0 };
}

/** False when it is no longer the next one. */
async function write(tx: SqlClient, { generation, shiftMs, setAtMs }: Shift): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into engine.clock_shift as s (generation, shift_ms, set_at) values ($1, $2, $3)
     on conflict (only_one) do update
       set generation = excluded.generation, shift_ms = excluded.shift_ms, set_at = excluded.set_at
       where s.generation = excluded.generation - 1`,
    [generation, shiftMs, new Date(setAtMs)],
  );
  return rowCount === 1;
}
