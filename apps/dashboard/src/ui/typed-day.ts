import { dateFormats, type Locale } from '@airdeck/domain/display-time';
import { formatTypedDate, parseTypedDate } from '@airdeck/domain/locale-date';
import { t } from '../language/translate.ts';
import { isDay } from '../lib/days.ts';

/** A day (`yyyy-mm-dd`) as people of the locale type it; nothing for what is none. */
export function typedDay(day: string, locale: Locale): string {
  return isDay(day) ? formatTypedDate(day, { locale }) : '';
}

/** The day somebody typed, or what to say beside the field (spec §5). */
export function readDay(
  text: string,
  locale: Locale,
): { day: string; problem?: never } | { day?: never; problem: string } {
  try {
    return { day: parseTypedDate(text, locale) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const format = dateFormats[locale];
    return { problem: t('Invalid date format. Expected format: {format}', { format }) };
  }
}
