import { limits } from '@airdeck/contracts/limits';
import { type Period, type TimeWindow, windowOf } from '@airdeck/domain/period';
import { type CalendarDay, startOfDay } from '@airdeck/domain/zoned-day';
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

/** A span as somebody reads it. `timeZone`: in which its days begin; the browser's when undefined. */
export type ReadSpan = { readonly span: DashboardSpan; readonly timeZone: string | undefined };

// New cases are announced by the server, new events are not: without asking now and then the volumes would stand still.
const REFRESH_MS = 60_000;

// A case that was just announced must not be missing because the clock here is a little behind the server's.
const CLOCK_MARGIN_MS = 60_000;

/** What tells spans apart in keys. */
export const spanParts = ({ span, timeZone }: ReadSpan) => [
  span.period,
  ...(span.period === 'CUSTOM' ? [span.range.from, span.range.to, timeZone ?? ''] : []),
];

const spanKey = (tenantId: string, read: ReadSpan) => [...resourceKey(tenantId, 'dashboards'), ...spanParts(read)];

export const dashboardQueries = {
  /** Figures of a span. Everything shown of the same span reads this one answer. */
  get: ({ api, tenantId }: TenantApi, read: ReadSpan) =>
    queryOptions({
      ...policyOf('dashboards'),
      refetchInterval: REFRESH_MS,
      queryKey: [...spanKey(tenantId, read), 'current'],
      queryFn: ({ signal }) => {
        const { start, end } = askedWindow(read, Date.now());
        return api.call('dashboards.get', {
          params: { tenant: tenantId },
          // Both ends, so that the period has its exact length and its buckets are whole hours or days.
          query: { start_time: start.toISOString(), end_time: end.toISOString(), limit: limits.dashboardDefault },
          signal,
        });
      },
    }),

  /** The same figures of the equally long span before, to compare with. */
  before: ({ api, tenantId }: TenantApi, read: ReadSpan) =>
    queryOptions({
      ...policyOf('dashboards'),
      queryKey: [...spanKey(tenantId, read), 'before'],
      queryFn: ({ signal }) => {
        const { start, end } = windowBefore(spanWindow(read, new Date()));
        return api.call('dashboards.get', {
          params: { tenant: tenantId },
          query: { start_time: start.toISOString(), end_time: end.toISOString(), limit: 1 },
          signal,
        });
      },
    }),
};

/** The window figures that were read at a time, milliseconds since the epoch, are of. */
export function askedWindow(read: ReadSpan, time: number): TimeWindow {
  return spanWindow(read, new Date(time + CLOCK_MARGIN_MS));
}

/**
 * The window a span means now. A range that reaches into the future ends now; one that has not begun, as a day that
 * somebody further east sent, stays whole: there is nothing in it yet.
 */
export function spanWindow({ span, timeZone }: ReadSpan, now: Date): TimeWindow {
  if (span.period !== 'CUSTOM') return windowOf(span.period, now);
  const start = startOfDay(dayAfter(span.range.from, 0), timeZone);
  const end = startOfDay(dayAfter(span.range.to, 1), timeZone);
  return windowOf('CUSTOM', now, { start, end: start < now && now < end ? now : end });
}

export function windowBefore({ start, end }: TimeWindow): TimeWindow {
  return { start: new Date(2 * start.getTime() - end.getTime()), end: start };
}

/** By calendar, not by 24 hours: days on which clocks change are shorter or longer. */
function dayAfter(text: string, daysLater: number): CalendarDay {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = text.split('-').map(Number);
  return { year, month, day: day + daysLater };
}
