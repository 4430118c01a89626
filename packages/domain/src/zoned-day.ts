/** A day of the calendar; months count from 1. Days beyond the end of a month run on into the next. */
export type CalendarDay = { year: number; month: number; day: number };

const DAY_MS = 86_400_000;

/** The day it is in a zone at that time; the browser's zone when undefined. */
export function dayIn(time: Date, timeZone: string | undefined): CalendarDay {
  const wall = new Date(wallClock(time, timeZone));
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() };
}

/**
 * The moment at which a day begins in a zone. Midnight, or the first moment of the day where clocks are put forward
 * over midnight; of two midnights in a night the first that belongs to the day.
 */
export function startOfDay(day: CalendarDay, timeZone: string | undefined): Date {
  return timeOnDay(day, 0, timeZone);
}

/**
 * The moment at which clocks of a zone show that many minutes after midnight of a day. A time they leave out when they are
 * put forward is as much later; of a time they show twice it is the first.
 */
export function timeOnDay({ year, month, day }: CalendarDay, minutes: number, timeZone: string | undefined): Date {
  const wanted = Date.UTC(year, month - 1, day, 0, minutes);
  const offsetAt = (time: number) => wallClock(new Date(time), timeZone) - time;
  // Clocks may change that day: the time is reckoned with what holds before and after, and one of both is right.
  const [before, after] = [wanted - offsetAt(wanted - DAY_MS), wanted - offsetAt(wanted + DAY_MS)] as const;
  const begun = [before, after].filter((time) => time + offsetAt(time) >= wanted);
  return new Date(begun.length === 0 ? after : Math.min(...begun));
}

/** What clocks of the zone show, as if they were clocks of UTC; to the second, which zones today differ by at most. */
function wallClock(time: Date, timeZone: string | undefined): number {
  const parts = formatter(timeZone).formatToParts(time);
  const value = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const days = Date.UTC(value('year'), value('month') - 1, value('day')) / DAY_MS;
  return days * DAY_MS + ((value('hour') * 60 + value('minute')) * 60 + value('second')) * 1000;
}

// Building a formatter costs far more than using it.
const formatters = new Map<string | undefined, Intl.DateTimeFormat>();

function formatter(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    ...(timeZone === undefined ? {} : { timeZone }),
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(timeZone, made);
  return made;
}
