import { searchLimits } from '@airdeck/contracts/search/schema';
import type { Stretch } from './search-range.ts';

const S = 1_000;
const MIN = 60 * S;
const HOUR = 60 * MIN;
const DAY = 24 * HOUR;

/** Widths that divide what people think in. */
const widthsMs: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * S),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * MIN),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];

/** Narrowest width, in milliseconds, with which aligned buckets over the stretch are no more than the contract allows. */
export function bucketWidth({ from, until }: Stretch): number {
  const fits = (width: number) => Math.ceil((until - from) / width) + 1 <= searchLimits.histogramBucketsMax;
  const width = widthsMs.find(fits);
  if (width !== undefined) return width;
  return Math.ceil((until - from) / ((searchLimits.histogramBucketsMax - 1) * 28 * DAY)) * 28 * DAY;
}
