import type { SearchedRange } from '@airdeck/contracts/search/schema';

const DAY_MS = 86_400_000;

/** From `from` (included) until `until` (not included), in milliseconds since the epoch. Empty where they are the same. */
export type Stretch = { readonly from: number; readonly until: number };

export type ClippedRange = Stretch & { readonly clipped: boolean; readonly searchLengthDays: number };

/**
 * The part of a range that may be searched: not further back than the plan reaches, and not beyond the day ahead of now
 * that ingestion believes a clock to be wrong by, so a range of a hundred years costs what the plan allows.
 */
export function clippedRange(
  asked: { start: string; end: string },
  { now, searchLengthDays }: { now: number; searchLengthDays: number },
): ClippedRange {
  const start = Date.parse(asked.start);
  const reach = now - searchLengthDays * DAY_MS;
  const until = Math.max(Math.min(Date.parse(asked.end), now + DAY_MS), reach);
  const from = Math.min(Math.max(start, reach), until);
  return { from, until, clipped: start < reach, searchLengthDays };
}

export function rangeOnWire({ from, until, clipped, searchLengthDays }: ClippedRange): SearchedRange {
  return {
    start: new Date(from).toISOString(),
    end: new Date(until).toISOString(),
    clipped,
    search_length_days: searchLengthDays,
  };
}
