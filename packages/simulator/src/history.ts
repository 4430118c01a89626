import { setImmediate } from 'node:timers/promises';
import type { RawRecord } from './raw-record.ts';
import type { Timeline } from './timeline.ts';

/** Made at once; a few milliseconds of work. */
const STRETCH_MS = 60_000;

/**
 * The past of the company in batches of whole records, oldest first, so that a new workspace has a week to look at. The
 * event loop has a turn after each minute of the past, and nothing larger than a batch is held in memory. Joins a feed with
 * the same seed without a seam when `end` is the feed's start.
 */
export async function* historyBetween(
  timeline: Timeline,
  range: { start: Date; end: Date; batchSize?: number },
): AsyncGenerator<RawRecord[], void, undefined> {
  const batchSize = range.batchSize ?? 500;
  const end = range.end.getTime();
  let waiting: RawRecord[] = [];
  for (let from = range.start.getTime(); from < end; from += STRETCH_MS) {
    waiting.push(...timeline.recordsBetween(from, Math.min(from + STRETCH_MS, end)));
    while (waiting.length >= batchSize) {
      yield waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
    }
    await setImmediate();
  }
  if (waiting.length > 0) yield waiting;
}
