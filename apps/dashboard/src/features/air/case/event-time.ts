import { dateFormat, type Reader } from '../../../ui/reader.ts';

const shown = {
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
} as const;

/** Events of a case are seconds apart, which the display format of spec §9 does not show: `Nov 21, 14:03:22`. */
export function eventTime(time: string, reader: Reader): string {
  return dateFormat(reader, shown).format(new Date(time));
}
