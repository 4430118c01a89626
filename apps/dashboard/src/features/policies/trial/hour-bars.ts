const HOUR_MS = 3_600_000;

export type HourBar = {
  /** Milliseconds since the epoch; the bar lasts `hours`. */
  readonly start: number;
  readonly hours: number;
  readonly matched: number;
  readonly cases: number;
};

type Hour = { readonly t: string; readonly matched: number; readonly cases: number };

/** Matches over a stretch of time as at most `most` bars of whole hours; hours nobody named had none. */
export function hourBars(byHour: readonly Hour[], range: { start: number; end: number }, most: number): HourBar[] {
  const first = Math.floor(range.start / HOUR_MS);
  const count = Math.max(1, Math.ceil(range.end / HOUR_MS) - first);
  const hours = Math.ceil(count / most);
  const bars = Array.from({ length: Math.ceil(count / hours) }, (_, index) => ({
    start: (first + index * hours) * HOUR_MS,
    hours,
    matched: 0,
    cases: 0,
  }));
  for (const { t, matched, cases } of byHour) {
    const bar = bars[Math.floor((Math.floor(Date.parse(t) / HOUR_MS) - first) / hours)];
    if (bar === undefined) continue;
    bar.matched += matched;
    bar.cases += cases;
  }
  return bars;
}
