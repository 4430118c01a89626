import type { RawRecord } from './raw-record.ts';
import type { Timeline } from './timeline.ts';

/**
 * The past of the company in batches of whole records, oldest first, so that a new workspace has a week to look at. Nothing
 * larger than an hour is held in memory. Joins a feed with the same seed without a seam when `end` is the feed's start.
 */
export function* historyBetween(
  timeline: Timeline,
  range: { start: Date; end: Date; batchSize?: number },
): Generator<RawRecord[], void, undefined> {
  const batchSize = range.batchSize ?? 500;
  const end = range.end.getTime();
  let waiting: RawRecord[] = [];
  for (let from = range.start.getTime(); from < end; from += 3_600_000) {
    waiting.push(...timeline.recordsBetween(from, Math.min(from + 3_600_000, end)));
    while (waiting.length >= batchSize) {
      yield waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
    }
  }
  if (waiting.length > 0) yield waiting;
}
