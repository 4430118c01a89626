import type { Period } from '@airdeck/domain/period';
import { dayIn } from '@airdeck/domain/zoned-day';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import type { DashboardSpan, DateRange } from '../../queries/dashboards.ts';
import { dateFormat, type Reader } from '../../ui/reader.ts';

/** Names of the moving periods, as in the menu. */
export const periodNames: Readonly<Record<Exclude<Period, 'CUSTOM'>, string>> = {
  LAST_7_DAYS: t('Last 7 days'),
  LAST_30_DAYS: t('Last 30 days'),
  LAST_60_DAYS: t('Last 60 days'),
  LAST_90_DAYS: t('Last 90 days'),
  LAST_180_DAYS: t('Last 180 days'),
};

const days: Readonly<Record<Exclude<Period, 'CUSTOM'>, number>> = {
  LAST_7_DAYS: 7,
  LAST_30_DAYS: 30,
  LAST_60_DAYS: 60,
  LAST_90_DAYS: 90,
  LAST_180_DAYS: 180,
};

/** What a longer period is offered with: "Show last 30 days". */
export function showPeriod(period: Exclude<Period, 'CUSTOM'>): string {
  return t('Show last {days} days', { days: days[period] });
}

export const movingPeriods = Object.keys(periodNames) as Exclude<Period, 'CUSTOM'>[];

/** "Last 7 days", "Nov 3 – Nov 9": what a widget shows. */
export function spanName(span: DashboardSpan, reader: Reader): string {
  return span.period === 'CUSTOM' ? rangeName(span.range, reader) : periodNames[span.period];
}

/** The same, as short as a widget's head needs it: "7 days". */
export function shortSpanName(span: DashboardSpan, reader: Reader): string {
  return span.period === 'CUSTOM'
    ? rangeName(span.range, reader)
    : plural(days[span.period], '{count} day', '{count} days');
}

/** Ends a sentence: "in the last 7 days", "from Nov 3 to Nov 9". */
export function withinSpan(span: DashboardSpan, reader: Reader): string {
  if (span.period !== 'CUSTOM') return t('in the last {days} days', { days: days[span.period] });
  const [from, to] = rangeEnds(span.range, reader);
  return to === undefined ? t('from {day}', { day: from }) : t('from {from} to {to}', { from, to });
}

/** What figures are compared with: "the 7 days before", "the period before". */
export function spanBefore(span: DashboardSpan): string {
  if (span.period === 'CUSTOM') return t('the period before');
  return t('the {days} days before', { days: days[span.period] });
}

const day = { month: 'short', day: 'numeric' } as const;
const dayOfYear = { ...day, year: 'numeric' } as const;

function rangeName(range: DateRange, reader: Reader): string {
  const [from, to] = rangeEnds(range, reader);
  return to === undefined ? from : `${from} – ${to}`;
}

/** The first and the last day, with their year unless both are in the present one; one when they are the same. */
function rangeEnds({ from, to }: DateRange, { locale, timeZone }: Reader): [from: string, to?: string] {
  const year = String(dayIn(new Date(), timeZone).year);
  const isPresent = from.slice(0, 4) === year && to.slice(0, 4) === year;
  // The days are those of a calendar already: another zone would show the ones beside them.
  const format = dateFormat({ locale, timeZone: 'UTC' }, isPresent ? day : dayOfYear);
  const first = format.format(new Date(`${from}T00:00:00Z`));
  return from === to ? [first] : [first, format.format(new Date(`${to}T00:00:00Z`))];
}
