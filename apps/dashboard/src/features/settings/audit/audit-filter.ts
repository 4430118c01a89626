import { startOfDay } from '@airdeck/domain/zoned-day';
import { t } from '../../../language/translate.ts';
import { defined } from '../../../lib/search-params.ts';
import type { AuditFilter } from '../../../queries/audit.ts';
import type { Reader } from '../../../ui/reader.ts';
import type { TenantSettingsSearch } from '../tenant/tenant-settings-search.ts';

const HOUR_MS = 3_600_000;

export const timePresets = [
  { label: t('Last hour'), hours: 1 },
  { label: t('Last 24 hours'), hours: 24 },
  { label: t('Last 7 days'), hours: 7 * 24 },
  { label: t('Last 30 days'), hours: 30 * 24 },
  { label: t('Last 90 days'), hours: 90 * 24 },
] as const;

/** Begins at a whole hour, so that an address made now and a minute later is the same list. */
export function startBefore(hours: number, now: Date): string {
  return new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS).toISOString();
}

/** The filter of the address, as the route takes it. */
export function auditFilterOf({ filters, startTime, endTime }: TenantSettingsSearch): AuditFilter {
  return defined({ ...filters, start_time: startTime, end_time: endTime });
}

export function isFiltered(search: TenantSettingsSearch): boolean {
  return search.filters !== undefined || search.startTime !== undefined || search.endTime !== undefined;
}

/**
 * First and last day (`yyyy-mm-dd`, of the profile's zone) as times: from the first midnight up to the one after the last day.
 * Undefined when they are no days, or the wrong way around.
 */
export function daysToTimes(
  { from, to }: { from: string; to: string },
  { timeZone }: Reader,
): { startTime: string; endTime: string } | undefined {
  const [start, end] = [midnight(from, 0, timeZone), midnight(to, 1, timeZone)];
  if (start === undefined || end === undefined || start >= end) return undefined;
  return { startTime: start.toISOString(), endTime: end.toISOString() };
}

function midnight(day: string, daysLater: number, timeZone: string | undefined): Date | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (found === null) return undefined;
  const [year, month, date] = [Number(found[1]), Number(found[2]), Number(found[3])];
  return startOfDay({ year, month, day: date + daysLater }, timeZone);
}
