import { dayIn, startOfDay } from '@airdeck/domain/zoned-day';
import { t } from '../../language/translate.ts';
import { dateFormat, type Reader } from '../../ui/reader.ts';

/** Presets of spec §9 that need no end; days before today's midnight, so that the same choice is the same address all day. */
export const startPresets = [
  { label: t('Today'), days: 0 },
  { label: t('Last 7 days'), days: 7 },
  { label: t('Last 30 days'), days: 30 },
  { label: t('Last 60 days'), days: 60 },
  { label: t('Last 90 days'), days: 90 },
  { label: t('Last 180 days'), days: 180 },
] as const;

/** Midnight of the reader's zone that many days ago, as ISO. */
export function startOf(days: number, now: Date, { timeZone }: Reader): string {
  const today = dayIn(now, timeZone);
  return startOfDay({ ...today, day: today.day - days }, timeZone).toISOString();
}

/** Name of the preset a start time stands for today, else "Since Nov 2, 2026". */
export function startLabel(startTime: string | undefined, now: Date, reader: Reader): string {
  if (startTime === undefined) return t('Any time');
  const preset = startPresets.find(({ days }) => startOf(days, now, reader) === startTime);
  const date = dateFormat(reader, { month: 'short', day: 'numeric', year: 'numeric' });
  return preset?.label ?? t('Since {format}', { format: date.format(new Date(startTime)) });
}
