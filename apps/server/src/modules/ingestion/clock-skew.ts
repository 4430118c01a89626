import type { StoredEvent } from '@airdeck/contracts/events/event';
import { clockTolerance } from '@airdeck/contracts/sources/clock-tolerance';
import type { ClockSkew } from '../sources/event-volume.ts';

/**
 * Events of a delivery whose own time is far from when they came. The usual difference is a median, as one line of last
 * year among many of two hours ahead says nothing about the clock; undefined where every time was plausible.
 */
export function clockSkewOf(
  events: readonly Pick<StoredEvent, 'time' | 'time_source'>[],
  receivedAt: number,
): ClockSkew | undefined {
  const ahead: number[] = [];
  const behind: number[] = [];
  let unbelievable = 0;
  for (const { time, time_source: source } of events) {
    if (source === 'unbelievable') unbelievable++;
    if (source !== 'event') continue;
    const offset = time - receivedAt;
    if (offset > clockTolerance.aheadMs) ahead.push(offset);
    else if (offset < -clockTolerance.behindMs) behind.push(offset);
  }
  if (ahead.length + behind.length + unbelievable === 0) return undefined;
  return {
    ahead: ahead.length,
    aheadMs: medianOf(ahead) * ahead.length,
    behind: behind.length,
    behindMs: medianOf(behind) * behind.length,
    unbelievable,
  };
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
}
