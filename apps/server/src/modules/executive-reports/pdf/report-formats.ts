import type { Locale } from '@airdeck/domain/display-time';
import { formatDuration } from '@airdeck/domain/duration';
import type { ExecutiveFacts } from '../executive-facts.ts';
import { monthBefore } from '../report-month.ts';
import { type Words, wordsEn } from './words-en.ts';
import { wordsPt } from './words-pt.ts';

const wordsByLocale: Readonly<Record<Locale, Words>> = { 'en-US': wordsEn, 'en-CA': wordsEn, 'pt-BR': wordsPt };
/** Percent; beyond it a comparison says nothing but that there was nothing before. */
const CHANGE_MAX = 999;
const SIZE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

export type Formats = ReturnType<typeof createFormats>;

/** Words, numbers and times as the report's language and zone have them. */
export function createFormats({
  locale,
  time_zone: timeZone,
  month,
}: Pick<ExecutiveFacts, 'locale' | 'time_zone' | 'month'>) {
  const words = wordsByLocale[locale];
  const whole = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const ofHundred = new Intl.NumberFormat(locale, { style: 'percent' });
  const decimal = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const ofTime = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, { timeZone, ...options });
  const ofDay = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
  const monthName = (of: string) => ofDay({ month: 'long' }).format(Date.parse(`${of}-15`));
  const moment = ofTime({ day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' });
  const dated = ofTime({ day: 'numeric', month: 'long', year: 'numeric' });
  const dayMonth = ofDay({ day: 'numeric', month: 'short' });

  function percent(part: number, all: number): string {
    return all === 0 ? '–' : ofHundred.format(part / all);
  }

  return {
    words,
    /** Whole as long as a column can hold it: a number is never cut. */
    count: (value: number) => (value < 1e9 ? whole.format(value) : short.format(value)),
    short: (value: number) => (value < 10_000 ? whole.format(value) : short.format(value)),
    percent,
    /** With its sign: `+12 %`; undefined where there is nothing to compare with, zero where it is the same. */
    change(now: number, before: number): { text: string; by: number } | undefined {
      if (before === 0) return undefined;
      const by = Math.round((now / before - 1) * 100);
      if (by > CHANGE_MAX) return { text: `>${ofHundred.format(CHANGE_MAX / 100)}`, by };
      return { text: `${by > 0 ? '+' : by < 0 ? '−' : '±'}${ofHundred.format(Math.abs(by) / 100)}`, by };
    },
    duration: (seconds: number | null) => formatDuration(seconds, locale),
    minutes: (minutes: number) => (minutes === 0 ? '0 min' : formatDuration(minutes * 60, locale)),
    size(bytes: number): string {
      const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), SIZE_UNITS.length - 1);
      return `${decimal.format(bytes / 1000 ** power)} ${SIZE_UNITS[power]}`;
    },
    moment: (time: string) => moment.format(Date.parse(time)),
    date: (time: string | number) => dated.format(typeof time === 'string' ? Date.parse(time) : time),
    /** Of a day such as `2026-10-05`. */
    day: (day: string) => dayMonth.format(Date.parse(day)),
    dayNumber: (day: string) => String(Number(day.slice(8))),
    monthYear: ofDay({ month: 'long', year: 'numeric' }).format(Date.parse(`${month}-15`)),
    monthBefore: monthName(monthBefore(month)),
    tactic: (name: string) => words.tactics[name] ?? name,
  };
}
