/**
 * How many events a second one tenant may send over HTTP, on average over ten seconds. What was sent beyond it is a debt: until
 * it is worked off, deliveries are refused before they are read, which costs next to nothing. Counted by each process.
 */
import { performance } from 'node:perf_hooks';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { AppError } from '../../http/app-error.ts';
import { createTokenBuckets } from '../../http/token-buckets.ts';

/** As many seconds of what is allowed may come at once. */
const BURST_S = 10;
/** Of an event as it is sent, until its delivery was read: many that come at once must not all find the quota unused. */
const EVENT_BYTES = 500;
/** At least one event is paid for so many bytes that had to be read: a body of newlines holds none, and a broken one neither. */
const READ_BYTES_PER_EVENT = 32_768;
/** Of several large deliveries at once whose events are much smaller than that. */
const OWED_MAX = 4 * serverLimits.ingestRecordsMax;
const TENANTS_MAX = 10_000;

export type EventQuota = {
  /**
   * Begins a delivery of so many bytes. Throws RATE_LIMITED with the seconds until the tenant may send again. What is
   * returned is to be called once, with the number of events that were taken and of bytes, unpacked, that were read for them.
   */
  begin(tenantId: string, bytes: number): (events: number, readBytes?: number) => void;
};

export function createEventQuota(deps: {
  /** Undefined: no limit. */
  perSecond: number | undefined;
  /** Milliseconds that only go forward. */
  elapsedMs?: () => number;
}): EventQuota {
  const { perSecond = Number.POSITIVE_INFINITY, elapsedMs = () => performance.now() } = deps;
  if (perSecond === Number.POSITIVE_INFINITY) return { begin: () => () => undefined };
  const buckets = createTokenBuckets({
    pace: { perSecond, burst: perSecond * BURST_S },
    ...{ owedMax: OWED_MAX, namesMax: TENANTS_MAX, nowMs: elapsedMs },
  });

  return {
    begin(tenantId, bytes) {
      const left = buckets.left(tenantId);
      if (left <= 0) {
        throw new AppError('RATE_LIMITED', {
          message: `This tenant may send ${perSecond} events a second.`,
          retryAfterS: Math.max(1, Math.ceil(-left / perSecond)),
        });
      }
      const expected = bytes / EVENT_BYTES;
      buckets.take(tenantId, expected);
      return (taken, readBytes = 0) => {
        buckets.take(tenantId, Math.max(taken, Math.floor(readBytes / READ_BYTES_PER_EVENT)) - expected);
      };
    },
  };
}
