import { timeOnDay } from '@airdeck/domain/zoned-day';
import { t } from '../../language/translate.ts';

/** What a field for day and time gives: `2026-11-21T09:30`. */
const typed = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/;
const YEAR_MS = 366 * 24 * 3_600_000;

type Reading = { now: Date; timeZone: string | undefined };

/** When a run shall begin, as the clocks of the reader's zone show it; a sentence when that cannot be. */
export function readStartTime(text: string, { now, timeZone }: Reading): { at: Date } | { problem: string } {
  const [, year, month, day, hours, minutes] = (typed.exec(text) ?? []).map(Number);
  if (!year || !month || !day || hours === undefined || minutes === undefined) {
    return { problem: t('Choose a day and a time.') };
  }
  const at = timeOnDay({ year, month, day }, hours * 60 + minutes, timeZone);
  if (at <= now) return { problem: t('This time is past.') };
  if (at.getTime() - now.getTime() > YEAR_MS) return { problem: t('At most a year from now.') };
  return { at };
}

/** How a zone is called beside the field. */
export function zoneName(timeZone: string | undefined): string {
  return timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
