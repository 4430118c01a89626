/**
 * How many of a worker's slots one tenant may have. While others wait: its share, so that a tenant with ten thousand queued
 * steps delays nobody by more than it takes to end what it has begun. Alone: all but a small reserve, so that whoever comes
 * next finds a slot although every step of the first takes a minute. Urgent jobs (timers, word between runs) are no steps:
 * they pass the bounds, within a few slots of their own.
 */
import type { EngineOptions } from './options.ts';

/** The first and the last of the tenants that have available jobs; null when none has. */
export type WaitingTenants = { readonly first: string | null; readonly last: string | null };

export interface Fairness {
  /** What a claim saw. Until the next one it is what is known. */
  note(waiting: WaitingTenants): void;
  /** Slots the tenant may have in all. */
  slotsOf(tenantId: string): number;
  readonly slotsShared: number;
  readonly slotsAlone: number;
}

/** Slots for urgent jobs beyond the worker's others. */
export const URGENT_SLOTS = 8;

export function createFairness(
  options: Pick<EngineOptions, 'concurrency' | 'tenantShare' | 'tenantReserve'>,
): Fairness {
  const { concurrency } = options;
  const slotsShared = Math.max(1, Math.ceil(concurrency * options.tenantShare));
  const slotsAlone = Math.max(slotsShared, concurrency - Math.floor(concurrency * options.tenantReserve));
  let waiting: WaitingTenants = { first: null, last: null };
  return {
    note(seen) {
      waiting = seen;
    },
    slotsOf(tenantId) {
      const { first, last } = waiting;
      const othersWait = first !== null && (first !== tenantId || last !== tenantId);
      return othersWait ? slotsShared : slotsAlone;
    },
    slotsShared,
    slotsAlone,
  };
}
