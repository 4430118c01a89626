import type { Pool } from 'pg';

const KNOWN_FOR_MS = 1000;
const KNOWN_MAX = 10_000;

export type SessionRegistry = {
  isLive(sessionId: string): Promise<boolean>;
  /** Announced by the database when a session is deleted, so that sign-out works in every process at once. */
  forget(sessionId: string): void;
  forgetAll(): void;
};

/** Which sessions live. An answer is kept for a second, so that a lost announcement costs no more than that. */
export function createSessionRegistry(deps: { pool: Pool; now: () => Date }): SessionRegistry {
  const { pool, now } = deps;
  const known = new Map<string, { live: boolean; until: number }>();

  return {
    async isLive(sessionId) {
      const at = now().getTime();
      const answer = known.get(sessionId);
      if (answer !== undefined && answer.until > at) return answer.live;
      const { rowCount } = await pool.query('select 1 from identity."session" where "id" = $1 and "expiresAt" > $2', [
        sessionId,
        now(),
      ]);
      const live = rowCount === 1;
      if (known.size >= KNOWN_MAX) known.clear();
      known.set(sessionId, { live, until: at + KNOWN_FOR_MS });
      return live;
    },
    forget: (sessionId) => {
      known.delete(sessionId);
    },
    forgetAll: () => known.clear(),
  };
}
