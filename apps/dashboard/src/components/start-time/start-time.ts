import { t } from '../../language/translate.ts';
import { presetTimes } from '../../lib/day-presets.ts';
import { dateFormat, type Reader } from '../../ui/reader.ts';
import { rangeNames } from '../range-names.ts';

/** Presets of spec §9 that need no end. */
export const startPresets = ['today', '7d', '30d', '60d', '90d', '180d'] as const;

/** A midnight of the reader's zone, as ISO, so that the same choice is the same address all day. */
export function startOf(preset: (typeof startPresets)[number], now: Date, { timeZone }: Reader): string {
  return presetTimes(preset, now, timeZone).start.toISOString();
}

/** Name of the preset a start time stands for today, else "Since Nov 2, 2026". */
export function startLabel(startTime: string | undefined, now: Date, reader: Reader): string {
  if (startTime === undefined) return t('Any time');
  const preset = startPresets.find((each) => startOf(each, now, reader) === startTime);
  if (preset !== undefined) return rangeNames[preset];
  const date = dateFormat(reader, { month: 'short', day: 'numeric', year: 'numeric' });
  return t('Since {format}', { format: date.format(new Date(startTime)) });
}
