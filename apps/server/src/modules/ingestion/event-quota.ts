/**
 * How many events a second one tenant may send over HTTP, on average over ten seconds. What was sent beyond it is a debt: until
 * it is worked off, deliveries are refused before they are read, which costs next to nothing. Counted by each process.
 */
import { performance } from 'node:perf_hooks';
import { AppError } from '../../http/app-error.ts';

/** As many seconds of what is allowed may come at once. */
const BURST_S = 10;
const FORGET_ABOVE = 1_000;
/** Of an event as it is sent, until its delivery was read: many that come at once must not all find the quota unused. */
const EVENT_BYTES = 500;

export type EventQuota = {
  /**
   * Begins a delivery of so many bytes. Throws RATE_LIMITED with the seconds until the tenant may send again. What is
   * returned is to be called once, with the number of events that were taken.
   */
  begin(tenantId: string, bytes: number): (events: number) => void;
};

export function createEventQuota(deps: {
  /** Undefined: no limit. */
  perSecond: number | undefined;
  /** Milliseconds that only go forward. */
  elapsedMs?: () => number;
}): EventQuota {
  const { perSecond = Number.POSITIVE_INFINITY, elapsedMs = () => performance.now() } = deps;
  if (perSecond === Number.POSITIVE_INFINITY) return { begin: () => () => undefined };
  const burst = perSecond * BURST_S;
  /** What is left of the burst; less than nothing is a debt. Whoever is not here has all of it. */
  const left = new Map<string, { events: number; at: number }>();

  function leftOf(tenantId: string, now: number): number {
    const known = left.get(tenantId);
    return known === undefined ? burst : Math.min(burst, known.events + ((now - known.at) / 1000) * perSecond);
  }

  function forgetWhoHasAll(now: number): void {
    for (const tenantId of left.keys()) if (leftOf(tenantId, now) >= burst) left.delete(tenantId);
  }

  function take(tenantId: string, events: number, now: number): void {
    left.set(tenantId, { events: leftOf(tenantId, now) - events, at: now });
    if (left.size > FORGET_ABOVE) forgetWhoHasAll(now);
  }

  return {
    begin(tenantId, bytes) {
      const now = elapsedMs();
      const events = leftOf(tenantId, now);
      if (events <= 0) {
        throw new AppError('RATE_LIMITED', {
          message: `This tenant may send ${perSecond} events a second.`,
          retryAfterS: Math.max(1, Math.ceil(-events / perSecond)),
        });
      }
      const expected = bytes / EVENT_BYTES;
      take(tenantId, expected, now);
      return (taken) => take(tenantId, taken - expected, elapsedMs());
    },
  };
}
