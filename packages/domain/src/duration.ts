const MINUTE_S = 60;
const HOUR_S = 3600;

/**
 * A duration as people read it (spec §9): seconds under a minute, minutes under an hour, hours from there.
 *
 * One decimal at most, and none where it is zero: `45 s`, `1.5 min`, `26 h`. Rounding never reaches the next unit's
 * name (59.96 s stays seconds). Negative and non-finite input gives `–`, what screens show where there is no figure.
 *
 * @param seconds length in seconds
 * @param locale BCP 47 tag for the decimal sign
 */
export function formatDuration(seconds: number | null, locale = 'en-US'): string {
  if (seconds === null || !Number.isFinite(seconds) || seconds < 0) return '–';
  if (seconds < MINUTE_S) return `${decimal(seconds, 59.9, locale)} s`;
  if (seconds < HOUR_S) return `${decimal(seconds / MINUTE_S, 59.9, locale)} min`;
  return `${decimal(seconds / HOUR_S, Number.POSITIVE_INFINITY, locale)} h`;
}

function decimal(value: number, highest: number, locale: string): string {
  const rounded = Math.min(Math.round(value * 10) / 10, highest);
  return rounded.toLocaleString(locale, { maximumFractionDigits: 1 });
}
