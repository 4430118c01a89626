import { defaultPeriod, type Period, periods } from '@airdeck/domain/period';
import { isDay } from '../../lib/days.ts';
import type { DashboardSpan, DateRange } from '../../queries/dashboards.ts';

/** A span as widgets keep it (spec §3, `period`); `range` says the days of period CUSTOM. */
export type StoredSpan = { readonly period: Period; readonly range?: DateRange };

/** What is whole of a stored span; the default period where nothing is. */
export function storedSpan(given: Readonly<Record<string, unknown>>): StoredSpan {
  const period = periods.find((each) => each === given.period) ?? defaultPeriod;
  if (period !== 'CUSTOM') return { period };
  const range = rangeOf(given.range);
  return range === undefined ? { period: defaultPeriod } : { period, range };
}

export function spanOfStored({ period, range }: StoredSpan): DashboardSpan {
  if (period !== 'CUSTOM') return { period };
  // Reading lets no CUSTOM without its days through.
  return range === undefined ? { period: 'LAST_7_DAYS' } : { period: 'CUSTOM', range };
}

function rangeOf(value: unknown): DateRange | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, to } = value as Record<string, unknown>;
  return isDay(from) && isDay(to) && from <= to ? { from, to } : undefined;
}
