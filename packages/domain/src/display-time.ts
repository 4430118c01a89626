export const locales = ['en-US', 'pt-BR', 'en-CA'] as const;
export type Locale = (typeof locales)[number];

/** How dates are typed and parsed per locale (spec §5). */
export const dateFormats: Readonly<Record<Locale, string>> = {
  'en-US': 'MM/dd/yyyy',
  'pt-BR': 'dd/MM/yyyy',
  'en-CA': 'yyyy-MM-dd',
};

const dayWords: Readonly<Record<Locale, { today: string; yesterday: string; at: string }>> = {
  'en-US': { today: 'Today', yesterday: 'Yesterday', at: 'at' },
  'en-CA': { today: 'Today', yesterday: 'Yesterday', at: 'at' },
  'pt-BR': { today: 'Hoje', yesterday: 'Ontem', at: 'às' },
};

type Parts = { year: number; month: number; day: number; monthName: string; hour: number; minute: number };

type Options = {
  now: Date;
  locale?: Locale;
  /** IANA name; the zone of the machine when left out. */
  timeZone?: string;
};

/**
 * Time display of spec §9: `Today at h:mm a`, `Yesterday at h:mm a`, otherwise `MMM d, yyyy h:mm a`. Days are those of
 * the reader's zone, not of UTC.
 *
 * @throws RangeError on an invalid date
 */
export function displayTime(time: Date, options: Options): string {
  const locale = options.locale ?? 'en-US';
  const at = partsIn(time, options);
  const today = partsIn(options.now, options);
  const daysAgo = dayNumber(today) - dayNumber(at);
  const clock = `${at.hour % 12 === 0 ? 12 : at.hour % 12}:${pad(at.minute)} ${at.hour < 12 ? 'AM' : 'PM'}`;
  const words = dayWords[locale];
  if (daysAgo === 0) return `${words.today} ${words.at} ${clock}`;
  if (daysAgo === 1) return `${words.yesterday} ${words.at} ${clock}`;
  return `${at.monthName} ${at.day}, ${at.year} ${clock}`;
}

/** A date in the locale's typed form (spec §5): `02/22/2026`, `22/02/2026`, `2026-02-22`. */
export function displayDate(time: Date, options: Omit<Options, 'now'>): string {
  const at = partsIn(time, options);
  return dateFormats[options.locale ?? 'en-US']
    .replace('yyyy', String(at.year).padStart(4, '0'))
    .replace('MM', pad(at.month))
    .replace('dd', pad(at.day));
}

function partsIn(time: Date, options: Omit<Options, 'now'>): Parts {
  const locale = options.locale ?? 'en-US';
  const zone = options.timeZone === undefined ? {} : { timeZone: options.timeZone };
  const numbers = formatter('en-US', {
    ...zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(time);
  const number = (type: Intl.DateTimeFormatPartTypes) =>
    Number(numbers.find((part) => part.type === type)?.value ?? Number.NaN);
  const monthName = formatter(locale, { ...zone, calendar: 'gregory', month: 'short' })
    .format(time)
    .replace('.', '');
  return {
    year: number('year'),
    month: number('month'),
    day: number('day'),
    monthName,
    hour: number('hour'),
    minute: number('minute'),
  };
}

// Building a formatter costs far more than using it, and lists format hundreds of times with the same few options.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}|${JSON.stringify(options)}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat(locale, options);
  formatters.set(key, made);
  return made;
}

/** Days since the epoch of a calendar date, so that "yesterday" survives months, years and clock changes. */
function dayNumber(parts: Parts): number {
  return Date.UTC(parts.year, parts.month - 1, parts.day) / 86_400_000;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
