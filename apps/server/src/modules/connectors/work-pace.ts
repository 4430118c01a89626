import type { WorkKind } from './connectors-tables.ts';

const MINUTE_MS = 60_000;
const LONGEST_WAIT_MS = 30 * MINUTE_MS;
/** A vendor that asks for more than a day is asked again after a day. */
const ASKED_WAIT_MAX_MS = 24 * 60 * MINUTE_MS;

/** At most so long between two attempts that go well, and before the second attempt after one that did not. */
const pace: Readonly<Record<WorkKind, { everyMs: number; retryMs: number }>> = {
  test: { everyMs: 15 * MINUTE_MS, retryMs: MINUTE_MS },
  events: { everyMs: MINUTE_MS, retryMs: MINUTE_MS / 2 },
  metrics: { everyMs: 5 * MINUTE_MS, retryMs: MINUTE_MS },
};

export const everyMs = (kind: WorkKind): number => pace[kind].everyMs;

export type Attempt =
  /** `retryAfterS`: asked for by a part of it that failed. */
  | { ok: true; hasMore: boolean; retryAfterS?: number | undefined }
  | { ok: false; failures: number; retryable: boolean; retryAfterS: number | undefined };

/**
 * Milliseconds until the next attempt: spread, so that connectors saved together do not call together for ever; doubled
 * with every failure in a row; the longest wait at once for what does not get better by itself, because a vendor may lock
 * an account that keeps knocking with a wrong password. `random` is in [0, 1).
 */
export function waitMs(kind: WorkKind, attempt: Attempt, random: () => number): number {
  const { everyMs, retryMs } = pace[kind];
  const asked = Math.min((attempt.retryAfterS ?? 0) * 1000, ASKED_WAIT_MAX_MS);
  if (attempt.ok) return Math.max(attempt.hasMore ? 0 : everyMs * (0.9 + 0.1 * random()), asked);
  const backOff = attempt.retryable
    ? Math.min(LONGEST_WAIT_MS, retryMs * 2 ** Math.min(attempt.failures - 1, 20))
    : LONGEST_WAIT_MS;
  return Math.max(backOff * (0.8 + 0.4 * random()), asked);
}

/**
 * When a piece that goes well is due again: counted from when it was due, so that neither its work nor waiting for its turn
 * makes the pace slower. Late by more than half of the wait, it does not hurry to catch up.
 */
export function dueAfter(wait: number, times: { dueAt: Date | null; now: Date }): Date {
  const now = times.now.getTime();
  const from = Math.min(now, Math.max(times.dueAt?.getTime() ?? now, now - wait / 2));
  return new Date(from + wait);
}
