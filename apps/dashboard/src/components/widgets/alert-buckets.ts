import type { Dashboard } from '@airdeck/contracts/dashboards/schema';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { dateFormat, type Reader } from '../../ui/reader.ts';

export type AlertBucket = Dashboard['alert_history'][number];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * Length of one bucket in milliseconds, of the first unless said; zero when there is only one. Of days, one on which clocks
 * change is shorter or longer than the others; the last is taken to be as long as the one before.
 */
export function bucketLength(history: readonly AlertBucket[], at = 0): number {
  const [one, next] = history.slice(Math.max(0, Math.min(at, history.length - 2)));
  return one === undefined || next === undefined ? 0 : Date.parse(next.t) - Date.parse(one.t);
}

/** "per day", "per 6 h": what one bar counts. Empty when there is only one. */
export function perBucket(length: number): string {
  if (length === 0) return '';
  if (length < HOUR_MS) return t('per {minutes} min', { minutes: Math.max(1, Math.round(length / MINUTE_MS)) });
  const hours = Math.round(length / HOUR_MS);
  if (hours === 1) return t('per hour');
  if (length < DAY_MS - HOUR_MS) return t('per {hours} h', { hours });
  const days = Math.round((length / DAY_MS) * 10) / 10;
  return days === 1 ? t('per day') : plural(days, 'per {count} day', 'per {count} days');
}

/** The first bucket of each day of the reader's zone, thinned evenly to at most `most`: where the time axis is marked. */
export function dayMarks(history: readonly AlertBucket[], most: number, reader: Reader): string[] {
  const days = new Map<string, string>();
  for (const { t: time } of history) {
    const name = dateFormat(reader, wholeDay).format(new Date(time));
    if (!days.has(name)) days.set(name, time);
  }
  const marks = [...days.values()];
  const each = Math.ceil(marks.length / most);
  return marks.filter((_, index) => index % each === 0);
}

const wholeDay = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
const day = { month: 'short', day: 'numeric' } as const;
const dayAndTime = { ...day, hour: 'numeric', minute: '2-digit' } as const;

export function dayText(t: string, reader: Reader): string {
  return dateFormat(reader, day).format(new Date(t));
}

/** "Nov 14, 1:05 AM – 7:05 AM": when a bucket begins and ends. */
export function bucketText(t: string, length: number, reader: Reader): string {
  const start = new Date(t);
  const format = dateFormat(reader, dayAndTime);
  return length === 0 ? format.format(start) : format.formatRange(start, new Date(start.getTime() + length));
}

/** The reader's zone as clocks name it, "GMT+1". */
export function zoneText(at: Date, reader: Reader): string {
  const parts = dateFormat(reader, { timeZoneName: 'short' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
}
