import { dayIn, startOfDay } from '@airdeck/domain/zoned-day';
import { t } from '../../language/translate.ts';
import { dateFormat, type Reader } from '../../ui/reader.ts';
import { wallTimeToDate } from './wall-time.ts';

/**
 * What the address holds: each end an ISO time (without a zone in the reader's), or relative to the moment of the search: `now`, `now-15m` (`s`, `m`, `h`,
 * `d`), `now/d` and `now/M` (when the day, the month began in the reader's zone), `now-1M/M` (when the month before began).
 */
export type TimeRange = { readonly start: string; readonly end: string };

/** The same as two moments, the end not included. */
export type Window = { readonly start: Date; readonly end: Date };

export const DEFAULT_RANGE: TimeRange = { start: 'now-24h', end: 'now' };

/** Spec §9, and shorter ones that searching needs. Saved searches know them by `name`. */
export const rangePresets = [
  { name: 'last_15m', label: t('Last 15 minutes'), start: 'now-15m', end: 'now' },
  { name: 'last_1h', label: t('Last hour'), start: 'now-1h', end: 'now' },
  { name: 'last_4h', label: t('Last 4 hours'), start: 'now-4h', end: 'now' },
  { name: 'last_24h', label: t('Last 24 hours'), start: 'now-24h', end: 'now' },
  { name: 'today', label: t('Today'), start: 'now/d', end: 'now' },
  { name: 'last_7d', label: t('Last 7 days'), start: 'now-7d', end: 'now' },
  { name: 'last_30d', label: t('Last 30 days'), start: 'now-30d', end: 'now' },
  { name: 'last_60d', label: t('Last 60 days'), start: 'now-60d', end: 'now' },
  { name: 'last_90d', label: t('Last 90 days'), start: 'now-90d', end: 'now' },
  { name: 'last_180d', label: t('Last 180 days'), start: 'now-180d', end: 'now' },
  { name: 'this_month', label: t('This month'), start: 'now/M', end: 'now' },
  { name: 'last_month', label: t('Last month'), start: 'now-1M/M', end: 'now/M' },
] as const satisfies readonly (TimeRange & { name: string; label: string })[];

const RELATIVE = /^now(?:-(\d{1,5})([smhdM]))?(?:\/([dM]))?$/;
const unitsMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Whether a text may stand in the address as an end of a range. */
export function isRangeEnd(text: string): boolean {
  return momentOf(text, new Date(0), undefined) !== undefined;
}

/** The range at a moment; undefined when its end is not behind its start. */
export function windowOf(range: TimeRange, now: Date, timeZone: string | undefined): Window | undefined {
  const start = momentOf(range.start, now, timeZone);
  const end = momentOf(range.end, now, timeZone);
  return start === undefined || end === undefined || end <= start ? undefined : { start, end };
}

function momentOf(text: string, now: Date, timeZone: string | undefined): Date | undefined {
  const parts = RELATIVE.exec(text);
  if (parts === null) return isoTime(text, timeZone);
  const [, amount = '0', unit, snap] = parts;
  const count = Number(amount);
  // Months differ in length, so they are only counted from their beginnings.
  if (unit === 'M' && snap !== 'M') return undefined;
  if (snap === 'M' && (unit === 'M' || unit === undefined)) {
    const { year, month } = dayIn(now, timeZone);
    return startOfDay({ year, month: month - count, day: 1 }, timeZone);
  }
  if (snap === 'd' && (unit === 'd' || unit === undefined)) {
    const today = dayIn(now, timeZone);
    return startOfDay({ ...today, day: today.day - count }, timeZone);
  }
  if (snap !== undefined) return undefined;
  return new Date(now.getTime() - (unit === undefined || unit === 'M' ? 0 : count * unitsMs[unit as 's']));
}

/** Without a zone, as people type it, in the reader's. */
function isoTime(text: string, timeZone: string | undefined): Date | undefined {
  const [, day, clockTime] = /^(\d{4}-\d{2}-\d{2})T([\d:.]+)$/.exec(text) ?? [];
  if (day !== undefined && clockTime !== undefined) return wallTimeToDate({ day, time: clockTime }, timeZone);
  const time = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time);
}

export function presetOf(range: TimeRange): (typeof rangePresets)[number] | undefined {
  return rangePresets.find(({ start, end }) => start === range.start && end === range.end);
}

/** "Last 24 hours", or "Nov 20, 2026, 10:00 – 11:30". */
export function rangeText(range: TimeRange, now: Date, reader: Reader): string {
  const preset = presetOf(range);
  if (preset !== undefined) return preset.label;
  const window = windowOf(range, now, reader.timeZone);
  if (window === undefined) return `${range.start} – ${range.end}`;
  return windowText(window, reader);
}

/** Two moments in the reader's zone, with seconds only where they tell the moments apart. */
export function windowText({ start, end }: Window, reader: Reader): string {
  const seconds = start.getUTCSeconds() !== 0 || end.getUTCSeconds() !== 0;
  const format = dateFormat(reader, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(seconds ? { second: '2-digit' } : {}),
  });
  return format.formatRange(start, end);
}
