import { dateFormats, displayDate, type Locale } from './display-time.ts';

/** The three messages of spec §5. Each is the message of the RangeError its function throws. */
export const dateMessages = {
  iso: 'Invalid date format. Expected ISO date string.',
  utc: 'Invalid UTC date format. Expected ISO date string.',
  typed: (format: string) => `Invalid date format. Expected format: ${format}`,
} as const;

const isoForm = /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

/**
 * The instant an ISO text names; a date alone is its midnight in UTC. A time needs its zone: without one it would be
 * another instant on every machine.
 *
 * @throws RangeError for anything else, also for days no calendar has
 */
export function parseIsoDate(text: string): Date {
  return instantOf(text, dateMessages.iso);
}

/**
 * The same for texts that must be in UTC: a date alone, or a time that ends with `Z`.
 *
 * @throws RangeError for other zones too
 */
export function parseUtcDate(text: string): Date {
  const zone = isoForm.exec(text)?.[4];
  if (zone !== undefined && zone !== 'Z') throw new RangeError(dateMessages.utc);
  return instantOf(text, dateMessages.utc);
}

/**
 * The calendar date somebody typed in the form of the locale, as `yyyy-MM-dd`. Spaces around it are ignored; a date the
 * calendar does not have is refused, not moved to the next month.
 *
 * @throws RangeError naming the form that is expected
 */
export function parseTypedDate(text: string, locale: Locale): string {
  const format = dateFormats[locale];
  const found = typedForms[locale].exec(text.trim())?.groups;
  if (found === undefined || !isCalendarDate(Number(found.year), Number(found.month), Number(found.day))) {
    throw new RangeError(dateMessages.typed(format));
  }
  return `${found.year}-${found.month}-${found.day}`;
}

/**
 * An ISO text in the form of the locale: a date alone stays that day, an instant becomes the day it has in the zone.
 *
 * @param options.timeZone IANA name; the zone of the machine when left out
 * @throws RangeError when the text is not ISO
 */
export function formatTypedDate(text: string, options: { locale: Locale; timeZone?: string }): string {
  const at = parseIsoDate(text);
  return displayDate(at, text.includes('T') ? options : { ...options, timeZone: 'UTC' });
}

const typedForms: Readonly<Record<Locale, RegExp>> = {
  'en-US': /^(?<month>\d{2})\/(?<day>\d{2})\/(?<year>\d{4})$/,
  'pt-BR': /^(?<day>\d{2})\/(?<month>\d{2})\/(?<year>\d{4})$/,
  'en-CA': /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
};

function instantOf(text: string, message: string): Date {
  const found = isoForm.exec(text);
  const at = new Date(text);
  if (found === null || Number.isNaN(at.getTime())) throw new RangeError(message);
  if (!isCalendarDate(Number(found[1]), Number(found[2]), Number(found[3]))) throw new RangeError(message);
  return at;
}

/** The language's own parser takes 30 February for 2 March, so the day is looked up. */
function isCalendarDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false;
  // Day zero of the next month; years below 100 would be taken for 19xx, which share no leap day rule with theirs.
  const last = new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
  return day <= last;
}
