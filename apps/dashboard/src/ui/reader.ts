import { type Locale, locales } from '@airdeck/domain/display-time';
import { isTimeZone } from '@airdeck/domain/time-zone';
import { createContext, useContext } from 'react';
import { pageLanguage } from '../language/translate.ts';

/** How the person who reads wants times and dates. */
export type Reader = {
  readonly locale: Locale;
  /** IANA name; the browser's zone when undefined. */
  readonly timeZone: string | undefined;
};

/** Before anybody is known: the browser's zone. */
export const anyReader: Reader = { locale: 'en-US', timeZone: undefined };
const visitors = { en: anyReader, 'pt-BR': { ...anyReader, locale: 'pt-BR' } } as const satisfies Record<
  string,
  Reader
>;

const ReaderContext = createContext<Reader | undefined>(undefined);

export const ReaderProvider = ReaderContext.Provider;

export function useReader(): Reader {
  return useContext(ReaderContext) ?? visitors[pageLanguage()];
}

/**
 * The reader a profile describes. What this browser does not know is left to it, or every time on a screen would fail; so is
 * an abbreviation from long ago, which no figures are told in.
 */
export function readerOf({ locale, timezone }: { locale: string; timezone: string }): Reader {
  return {
    locale: locales.find((known) => known === locale) ?? 'en-US',
    timeZone: isTimeZone(timezone) ? timezone : undefined,
  };
}

/** As options of formatters, where an absent zone means the browser's. */
export function zoneOf({ timeZone }: Reader): { timeZone?: string } {
  return timeZone === undefined ? {} : { timeZone };
}

/** By name; figures are told in UTC where the browser's has none of a place. */
export function zoneNameOf({ timeZone }: Pick<Reader, 'timeZone'>): string {
  const own = timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return isTimeZone(own) ? own : 'UTC';
}

// Building a formatter costs far more than using it, and a screen formats hundreds of times in the same few ways.
const formats = new Map<string, Intl.DateTimeFormat>();

/** The formatter of the reader for these options; the same one for the same reader and options. */
export function dateFormat(reader: Reader, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${reader.locale}|${reader.timeZone}|${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(reader.locale, { ...options, ...zoneOf(reader) });
  formats.set(key, made);
  return made;
}

const numberFormats = new Map<string, Intl.NumberFormat>();

/** Groups and decimals as the reader writes them: `1,204`, `1.204`. */
export function numberFormat({ locale }: Pick<Reader, 'locale'>, options: Intl.NumberFormatOptions = {}) {
  const key = `${locale}|${JSON.stringify(options)}`;
  const known = numberFormats.get(key);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(locale, options);
  numberFormats.set(key, made);
  return made;
}
