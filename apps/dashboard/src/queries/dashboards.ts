import { limits } from '@airdeck/contracts/limits';
import { type Period, type TimeWindow, windowOf } from '@airdeck/domain/period';
import { queryOptions } from '@tanstack/react-query';
import { resourceKey } from '../lib/query-keys.ts';
import { policyOf } from '../lib/query-policy.ts';
import type { TenantApi } from '../lib/tenant-api.ts';

/** Days of the reader's zone, `yyyy-mm-dd`, both included. */
export type DateRange = { readonly from: string; readonly to: string };

/** The period figures are read for: one that moves with the clock, or fixed days. */
export type DashboardSpan =
  | { readonly period: Exclude<Period, 'CUSTOM'> }
  | { readonly period: 'CUSTOM'; readonly range: DateRange };

// New cases are announced by the server, new events are not: without asking now and then the volumes would stand still.
const REFRESH_MS = 60_000;

// A case that was just announced must not be missing because the clock here is a little behind the server's.
const CLOCK_MARGIN_MS = 60_000;

const spanKey = (tenantId: string, span: DashboardSpan) => [
  ...resourceKey(tenantId, 'dashboards'),
  span.period,
  ...(span.period === 'CUSTOM' ? [span.range.from, span.range.to] : []),
];

export const dashboardQueries = {
  /** Figures of a span. Everything shown of the same span reads this one answer. */
  get: ({ api, tenantId }: TenantApi, span: DashboardSpan) =>
    queryOptions({
      ...policyOf('dashboards'),
      refetchInterval: REFRESH_MS,
      queryKey: [...spanKey(tenantId, span), 'current'],
      queryFn: ({ signal }) => {
        const { start, end } = spanWindow(span, new Date(Date.now() + CLOCK_MARGIN_MS));
        return api.call('dashboards.get', {
          params: { tenant: tenantId },
          // Both ends, so that the period has its exact length and its buckets are whole hours or days.
          query: { start_time: start.toISOString(), end_time: end.toISOString(), limit: limits.dashboardDefault },
          signal,
        });
      },
    }),

  /** The same figures of the equally long span before, to compare with. */
  before: ({ api, tenantId }: TenantApi, span: DashboardSpan) =>
    queryOptions({
      ...policyOf('dashboards'),
      queryKey: [...spanKey(tenantId, span), 'before'],
      queryFn: ({ signal }) => {
        const { start, end } = windowBefore(spanWindow(span, new Date()));
        return api.call('dashboards.get', {
          params: { tenant: tenantId },
          query: { start_time: start.toISOString(), end_time: end.toISOString(), limit: 1 },
          signal,
        });
      },
    }),
};

/** The window a span means now. A range that reaches into the future ends now. */
export function spanWindow(span: DashboardSpan, now: Date): TimeWindow {
  if (span.period !== 'CUSTOM') return windowOf(span.period, now);
  const end = midnight(span.range.to, 1);
  return windowOf('CUSTOM', now, { start: midnight(span.range.from, 0), end: end > now ? now : end });
}

export function windowBefore({ start, end }: TimeWindow): TimeWindow {
  return { start: new Date(2 * start.getTime() - end.getTime()), end: start };
}

/** By calendar, not by 24 hours: days on which clocks change are shorter or longer. */
function midnight(day: string, daysLater: number): Date {
  const [year = Number.NaN, month = Number.NaN, date = Number.NaN] = day.split('-').map(Number);
  return new Date(year, month - 1, date + daysLater);
}
