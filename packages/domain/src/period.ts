/** Periods a widget can show (spec §3). `CUSTOM` carries its own start and end. */
export const periods = [
  'LAST_7_DAYS',
  'LAST_30_DAYS',
  'LAST_60_DAYS',
  'LAST_90_DAYS',
  'LAST_180_DAYS',
  'CUSTOM',
] as const;
export type Period = (typeof periods)[number];

export const defaultPeriod: Period = 'LAST_7_DAYS';

export type TimeWindow = { readonly start: Date; readonly end: Date };

const daysByPeriod: Readonly<Record<Exclude<Period, 'CUSTOM'>, number>> = {
  LAST_7_DAYS: 7,
  LAST_30_DAYS: 30,
  LAST_60_DAYS: 60,
  LAST_90_DAYS: 90,
  LAST_180_DAYS: 180,
};

const DAY_MS = 86_400_000;

/**
 * The window a period means now: that many times 24 hours up to `now`.
 *
 * @param custom needed for `CUSTOM`, ignored otherwise
 * @throws RangeError for `CUSTOM` without a window, or with one that does not start before it ends
 */
export function windowOf(period: Period, now: Date, custom?: TimeWindow): TimeWindow {
  if (period !== 'CUSTOM') return { start: new Date(now.getTime() - daysByPeriod[period] * DAY_MS), end: now };
  if (custom === undefined) throw new RangeError('A custom period needs a start and an end.');
  if (!(custom.start.getTime() < custom.end.getTime())) throw new RangeError('The start must lie before the end.');
  return custom;
}
