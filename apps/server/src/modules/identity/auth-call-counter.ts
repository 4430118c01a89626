import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';

const WINDOW_S = 60;
/** Refused addresses a process remembers. Those it forgot are counted again, and refused again. */
const REMEMBERED_MAX = 5_000;

export type CountedCalls = {
  /** In the present window, this one included; of those beyond the limit only that they are. */
  calls: number;
  /** Milliseconds until the window ends. */
  endsInMs: number;
};

export type AuthCallCounter = {
  /** Counts one more call of an address. */
  count(address: string, limit: number): Promise<CountedCalls>;
  forgetOld(): Promise<void>;
};

/**
 * Counts calls of client addresses for all processes together, in windows of a minute by the database's clock. Once an address
 * is over the limit, a process refuses it from memory until the window ends: a flood costs the database no more than the limit.
 *
 * The table is not logged: a crash of the database forgets the last minute, and no call waits for the disk.
 */
export function createAuthCallCounter(deps: { pool: Pool; secret: string }): AuthCallCounter {
  const { pool, secret } = deps;
  const refusedUntil = new Map<string, number>();

  function remember(key: string, untilMs: number): void {
    const [oldest] = refusedUntil.keys();
    if (refusedUntil.size >= REMEMBERED_MAX && oldest !== undefined) refusedUntil.delete(oldest);
    refusedUntil.set(key, untilMs);
  }

  return {
    async count(address, limit) {
      const nowMs = performance.now();
      const until = refusedUntil.get(address) ?? 0;
      if (until > nowMs) return { calls: limit + 1, endsInMs: until - nowMs };
      refusedUntil.delete(address);
      // Of calls at the same time the later one may begin the window. Far in the future is one from before the clock was set back.
      const { rows } = await pool.query<{ calls: number; ends_in_ms: number }>(
        `insert into identity.auth_call_window as w (address, began_at, calls) values ($1, clock_timestamp(), 1)
         on conflict (address) do update set (began_at, calls) = (
           select case when is_over then excluded.began_at else w.began_at end, case when is_over then 1 else w.calls + 1 end
           from (select w.began_at not between excluded.began_at - $2 * interval '1 second' and excluded.began_at + $2 * interval '1 second') as o (is_over))
         returning calls, greatest(0, extract(epoch from began_at - clock_timestamp()) + $2)::float8 * 1000 as ends_in_ms`,
        [hashOf(secret, address), WINDOW_S],
      );
      const [row] = rows;
      if (row === undefined) throw new Error('The count was not returned.');
      if (row.calls > limit) remember(address, nowMs + row.ends_in_ms);
      return { calls: row.calls, endsInMs: row.ends_in_ms };
    },
    async forgetOld() {
      await pool.query(
        `delete from identity.auth_call_window where began_at not between now() - $1 * interval '1 second' and now()`,
        [2 * WINDOW_S],
      );
    },
  };
}

/** There are few enough addresses to try them all, so it takes a key. */
function hashOf(secret: string, address: string): Buffer {
  return createHmac('sha256', secret).update(`auth-calls ${address}`).digest();
}
