/**
 * Counts wrong guesses and remembers the last authenticator step, one row per subject (an account's password or its
 * authenticator).
 *
 * A guess is judged while its row is locked, so parallel guesses are judged one after the other: exactly
 * `GUESSES_MAX` wrong ones are ever judged before the subject is locked for `LOCKED_MS`, and of any number of
 * parallel uses of one code exactly one is accepted. The row exists for unknown e-mail addresses too, so that a lock
 * does not tell which ones are known. A crash in the middle rolls back: the guess was neither judged nor counted.
 */
import { createHash } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';

export const GUESSES_MAX = 5;
export const LOCKED_MS = 15 * 60_000;
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

export type GuardState = { failures: number; lockedUntil: Date | null; lastStep: number };

/** The row of an e-mail address, which is not kept in the clear because it may be anybody's. */
export function addressSubject(kind: string, email: string): string {
  return `${kind}:${createHash('sha256').update(email.toLowerCase()).digest('hex')}`;
}

/** What a judge made of a guess; an accepted authenticator code says its step. */
export type Judgement = { accepted: boolean; step?: number };

export type AttemptGuard = {
  /** `locked` when the guess was not even looked at. */
  judge(subject: string, judge: (state: GuardState) => Judgement): Promise<'accepted' | 'refused' | 'locked'>;
  /**
   * For guesses that take too long to be judged under a lock (passwords): takes one of the remaining guesses before it
   * is judged. False when none is left.
   */
  take(subject: string): Promise<boolean>;
  /** The guess taken was never judged, because something broke: it is available again. */
  refund(subject: string): Promise<void>;
  /** The guess taken was right: all are available again. */
  giveBack(subject: string): Promise<void>;
  forgetOld(): Promise<void>;
};

type Row = { failures: number; locked_until: Date | null; last_step: number };

export function createAttemptGuard(deps: { pool: Pool; now: () => Date }): AttemptGuard {
  const { pool, now } = deps;

  async function locked<T>(subject: string, work: (client: PoolClient, state: GuardState) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let broken = false;
    try {
      await client.query('begin');
      const { rows } = await client.query<Row>(
        `insert into identity.attempt_guard (subject, touched_at) values ($1, $2)
         on conflict (subject) do update set touched_at = excluded.touched_at
         returning failures, locked_until, last_step`,
        [subject, now()],
      );
      const result = await work(client, stateOf(rows[0]));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  function stateOf(row: Row | undefined): GuardState {
    if (row === undefined) throw new Error('The guard row was not returned.');
    const expired = row.locked_until !== null && row.locked_until <= now();
    return expired
      ? { failures: 0, lockedUntil: null, lastStep: row.last_step }
      : { failures: row.failures, lockedUntil: row.locked_until, lastStep: row.last_step };
  }

  async function countFailure(client: PoolClient, subject: string, state: GuardState): Promise<void> {
    const failures = state.failures + 1;
    const lockedUntil = failures >= GUESSES_MAX ? new Date(now().getTime() + LOCKED_MS) : null;
    await client.query('update identity.attempt_guard set failures = $2, locked_until = $3 where subject = $1', [
      subject,
      failures,
      lockedUntil,
    ]);
  }

  return {
    judge: (subject, judge) =>
      locked(subject, async (client, state) => {
        if (state.lockedUntil !== null) return 'locked';
        const { accepted, step } = judge(state);
        if (!accepted) {
          await countFailure(client, subject, state);
          return 'refused';
        }
        await client.query(
          'update identity.attempt_guard set failures = 0, locked_until = null, last_step = $2 where subject = $1',
          [subject, step ?? state.lastStep],
        );
        return 'accepted';
      }),
    take: (subject) =>
      locked(subject, async (client, state) => {
        if (state.lockedUntil !== null) return false;
        await countFailure(client, subject, state);
        return true;
      }),
    async refund(subject) {
      await pool.query(
        `update identity.attempt_guard set failures = greatest(failures - 1, 0), locked_until = null where subject = $1`,
        [subject],
      );
    },
    async giveBack(subject) {
      await pool.query('update identity.attempt_guard set failures = 0, locked_until = null where subject = $1', [
        subject,
      ]);
    },
    async forgetOld() {
      // Steps must be remembered longer than their codes are valid, which is a minute and a half.
      await pool.query('delete from identity.attempt_guard where touched_at < $1', [
        new Date(now().getTime() - FORGOTTEN_AFTER_MS),
      ]);
    },
  };
}
