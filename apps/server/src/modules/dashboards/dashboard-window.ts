const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_DAYS = 7;
/** More points than this no chart of the home page can show. */
const MAX_BUCKETS = 200;

/** The buckets follow one another from the start, each of `bucketMs`; the last may reach beyond the end. */
export type DashboardWindow = { start: Date; end: Date; buckets: number; bucketMs: number };

/** The last seven days unless said; a history by the hour up to two days, by six hours up to two weeks, by the day beyond. */
export function dashboardWindow(
  query: { start_time?: string | undefined; end_time?: string | undefined },
  now: Date,
): DashboardWindow {
  const end = query.end_time === undefined ? now : new Date(query.end_time);
  const start =
    query.start_time === undefined ? new Date(end.getTime() - DEFAULT_DAYS * DAY_MS) : new Date(query.start_time);
  // A start after now, or an end before the default start, would turn the period round.
  if (start >= end) return { start: new Date(end.getTime() - 1), end, buckets: 1, bucketMs: HOUR_MS };
  const length = end.getTime() - start.getTime();
  const whole = wholeMs(length);
  const buckets = Math.ceil(length / whole);
  if (buckets > MAX_BUCKETS) return { start, end, buckets: MAX_BUCKETS, bucketMs: length / MAX_BUCKETS };
  return { start, end, buckets, bucketMs: whole };
}

/** A length people name. */
function wholeMs(length: number): number {
  if (length <= 2 * DAY_MS) return HOUR_MS;
  return length <= 14 * DAY_MS ? 6 * HOUR_MS : DAY_MS;
}
