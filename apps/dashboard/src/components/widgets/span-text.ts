import type { Period } from '@airdeck/domain/period';
import type { DashboardSpan, DateRange } from '../../queries/dashboards.ts';
import { dateFormat, type Reader } from '../../ui/reader.ts';

/** Names of the moving periods, as in the menu. */
export const periodNames: Readonly<Record<Exclude<Period, 'CUSTOM'>, string>> = {
  LAST_7_DAYS: 'Last 7 days',
  LAST_30_DAYS: 'Last 30 days',
  LAST_60_DAYS: 'Last 60 days',
  LAST_90_DAYS: 'Last 90 days',
  LAST_180_DAYS: 'Last 180 days',
};

export const movingPeriods = Object.keys(periodNames) as Exclude<Period, 'CUSTOM'>[];

/** "Last 7 days", "Nov 3 – Nov 9": what a widget shows. */
export function spanName(span: DashboardSpan, reader: Reader): string {
  return span.period === 'CUSTOM' ? rangeName(span.range, reader) : periodNames[span.period];
}

/** The same, as short as a widget's head needs it: "7 days". */
export function shortSpanName(span: DashboardSpan, reader: Reader): string {
  return spanName(span, reader).replace('Last ', '');
}

/** Ends a sentence: "in the last 7 days", "from Nov 3 to Nov 9". */
export function withinSpan(span: DashboardSpan, reader: Reader): string {
  return span.period === 'CUSTOM'
    ? `from ${rangeName(span.range, reader).replace(' – ', ' to ')}`
    : `in the ${lower(periodNames[span.period])}`;
}

/** What figures are compared with: "the 7 days before", "the period before". */
export function spanBefore(span: DashboardSpan): string {
  if (span.period === 'CUSTOM') return 'the period before';
  return `${lower(periodNames[span.period]).replace('last', 'the')} before`;
}

const day = { month: 'short', day: 'numeric' } as const;
const dayOfYear = { ...day, year: 'numeric' } as const;

function rangeName({ from, to }: DateRange, { locale }: Reader): string {
  // The days are those of a calendar already: another zone would show the ones beside them.
  const format = dateFormat({ locale, timeZone: 'UTC' }, from.slice(0, 4) === to.slice(0, 4) ? day : dayOfYear);
  const first = format.format(new Date(`${from}T00:00:00Z`));
  return from === to ? first : `${first} – ${format.format(new Date(`${to}T00:00:00Z`))}`;
}

function lower(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
