/**
 * Which sessions live. An answer is kept for a second, so that a lost announcement costs no more than that.
 *
 * One question at a time is under way for each session; an answer that was asked for before the session was announced
 * as ended is given but not kept.
 */
import type { Pool } from 'pg';
import { isStillAhead } from '../../still-ahead.ts';

const KNOWN_FOR_MS = 1000;
const KNOWN_MAX = 10_000;

export type SessionRegistry = {
  isLive(sessionId: string): Promise<boolean>;
  /** Announced by the database when a session is deleted, so that sign-out works in every process at once. */
  forget(sessionId: string): void;
  forgetAll(): void;
};

export function createSessionRegistry(deps: { pool: Pool; now: () => Date }): SessionRegistry {
  const { pool, now } = deps;
  const known = new Map<string, { live: boolean; until: number }>();
  const asking = new Map<string, Promise<boolean>>();

  async function ask(sessionId: string): Promise<boolean> {
    const { rowCount } = await pool.query('select 1 from identity."session" where "id" = $1 and "expiresAt" > $2', [
      sessionId,
      now(),
    ]);
    return rowCount === 1;
  }

  async function askOnce(sessionId: string, at: number): Promise<boolean> {
    const under = asking.get(sessionId);
    if (under !== undefined) return await under;
    const answer = ask(sessionId);
    asking.set(sessionId, answer);
    try {
      const live = await answer;
      if (asking.get(sessionId) === answer) {
        if (known.size >= KNOWN_MAX) known.clear();
        known.set(sessionId, { live, until: at + KNOWN_FOR_MS });
      }
      return live;
    } finally {
      if (asking.get(sessionId) === answer) asking.delete(sessionId);
    }
  }

  return {
    async isLive(sessionId) {
      const at = now().getTime();
      const answer = known.get(sessionId);
      const isKept = answer !== undefined && isStillAhead(answer.until, { at, lastsMs: KNOWN_FOR_MS });
      return isKept ? answer.live : await askOnce(sessionId, at);
    },
    forget(sessionId) {
      known.delete(sessionId);
      asking.delete(sessionId);
    },
    forgetAll() {
      known.clear();
      asking.clear();
    },
  };
}
