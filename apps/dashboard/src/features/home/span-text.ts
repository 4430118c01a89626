import type { Period } from '@airdeck/domain/period';
import type { DashboardSpan, DateRange } from '../../queries/dashboards.ts';

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
export function spanName(span: DashboardSpan): string {
  return span.period === 'CUSTOM' ? rangeName(span.range) : periodNames[span.period];
}

/** The same, as short as a widget's head needs it: "7 days". */
export function shortSpanName(span: DashboardSpan): string {
  return spanName(span).replace('Last ', '');
}

/** Ends a sentence: "in the last 7 days", "from Nov 3 to Nov 9". */
export function withinSpan(span: DashboardSpan): string {
  return span.period === 'CUSTOM'
    ? `from ${rangeName(span.range).replace(' – ', ' to ')}`
    : `in the ${lower(periodNames[span.period])}`;
}

/** What figures are compared with: "the 7 days before", "the period before". */
export function spanBefore(span: DashboardSpan): string {
  if (span.period === 'CUSTOM') return 'the period before';
  return `${lower(periodNames[span.period]).replace('last', 'the')} before`;
}

const day = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayOfYear = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

function rangeName({ from, to }: DateRange): string {
  const format = from.slice(0, 4) === to.slice(0, 4) ? day : dayOfYear;
  const first = format.format(new Date(`${from}T00:00:00Z`));
  return from === to ? first : `${first} – ${format.format(new Date(`${to}T00:00:00Z`))}`;
}

function lower(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}
