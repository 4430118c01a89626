const DAY_MS = 86_400_000;
/** Before this nobody wrote machine logs that reach us: it is a clock that was never set. */
const EARLIEST = Date.UTC(1990, 0, 1);

const DATE_TIME =
  /^(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(?:(Z|UTC)|([+-])(\d{2}):?(\d{2}))?$/i;
/** `7/8/2019 16:08`, `7/8/2019, 4:08:00.000 PM`. */
const US_DATE_TIME = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),? (\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: (AM|PM))?$/;
const DIGITS = /^(\d{10}|\d{13}|\d{16}|\d{19})(?:\.\d{1,9})?$/;

/** The time, unless it lies before 1990 or more than a day after the receive time (clock skew, zone left out). */
export function believableTime(time: number | undefined, receivedAt: number): number | undefined {
  if (time === undefined || !(time >= EARLIEST && time <= receivedAt + DAY_MS)) return undefined;
  return Math.trunc(time);
}

/**
 * Milliseconds since the epoch from what vendors write: seconds, milli-, micro- or nanoseconds as number or digits, or a
 * date and time with `-` or `/`, `T` or a space, a fraction, a zone. Without a zone it is taken as UTC. Anything else is
 * undefined.
 */
export function readTime(value: unknown): number | undefined {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return undefined;
  if (DIGITS.test(value)) return fromEpoch(Number(value));
  // The usual form; `Date.parse` is several times as fast as taking it apart.
  if (value.length === 24 && value.endsWith('Z')) {
    const time = Date.parse(value);
    if (!Number.isNaN(time)) return time;
  }
  return value.length > 40 ? undefined : fromDateTime(value);
}

function fromEpoch(value: number): number | undefined {
  if (!Number.isFinite(value) || value < 1e8) return undefined;
  if (value < 1e11) return value * 1e3;
  if (value < 1e14) return value;
  if (value < 1e17) return value / 1e3;
  return value < 1e20 ? value / 1e6 : undefined;
}

function fromDateTime(text: string): number | undefined {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '0', , sign, zoneHour = '0', zoneMinute = '0'] =
    parts;
  const time = utcTime({
    year: Number(year),
    month: Number(month) - 1,
    day: Number(day),
    timeOfDayMs: timeOfDay(Number(hour), Number(minute), Number(second)),
  });
  if (time === undefined) return undefined;
  const zoneMs = (Number(zoneHour) * 60 + Number(zoneMinute)) * 60_000;
  return time + Math.trunc(Number(`0.${fraction}`) * 1e3) - (sign === '-' ? -zoneMs : zoneMs);
}

/** Month first, in UTC: how the tables of Log Analytics are exported. Undefined for anything else. */
export function readMonthFirstTime(value: unknown): number | undefined {
  const parts = typeof value === 'string' && value.length <= 40 ? US_DATE_TIME.exec(value) : null;
  if (parts === null) return undefined;
  const [, month, day, year, hour, minute, second = '0', half] = parts;
  const hourOfDay = half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'PM' ? 12 : 0);
  return utcTime({
    year: Number(year),
    month: Number(month) - 1,
    day: Number(day),
    timeOfDayMs: timeOfDay(hourOfDay, Number(minute), Number(second)),
  });
}

/** Undefined for what no clock shows; a leap second is the second after. */
function timeOfDay(hour: number, minute: number, second: number): number | undefined {
  if (hour > 24 || minute > 59 || second > 60) return undefined;
  return ((hour * 60 + minute) * 60 + second) * 1e3;
}

function utcTime(at: {
  year: number;
  month: number;
  day: number;
  timeOfDayMs: number | undefined;
}): number | undefined {
  if (at.timeOfDayMs === undefined) return undefined;
  const midnight = Date.UTC(at.year, at.month, at.day);
  // Date.UTC turns a 31st of February into March instead of refusing it.
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== at.day || at.month > 11) return undefined;
  return midnight + at.timeOfDayMs;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

export type YearlessTime = {
  month: string;
  day: number;
  hour: number;
  minute: number;
  second: number;
  fraction?: string;
};

/**
 * RFC 3164 times have neither year nor zone. The zone is taken as UTC. The year is the one that puts the time nearest to
 * the receive time without lying more than a day after it, because a log line does not come from the future: on
 * 21 November, `Feb 22` is that of nine months ago, and on 1 January `Dec 31` is yesterday. All lines of a replayed log
 * get the same year by this rule, so they keep their spacing.
 */
export function yearlessTime(at: YearlessTime, receivedAt: number): number | undefined {
  const month = months.indexOf(at.month.toLowerCase());
  const timeOfDayMs = timeOfDay(at.hour, at.minute, at.second);
  if (month === -1 || timeOfDayMs === undefined) return undefined;
  const newest = new Date(receivedAt + DAY_MS).getUTCFullYear();
  // Eight years reach back to a leap year, also across 1900 and 2100.
  for (let year = newest; year > newest - 9; year--) {
    const time = utcTime({ year, month, day: at.day, timeOfDayMs });
    if (time !== undefined && time <= receivedAt + DAY_MS)
      return time + Math.trunc(Number(`0.${at.fraction ?? '0'}`) * 1e3);
  }
  return undefined;
}
