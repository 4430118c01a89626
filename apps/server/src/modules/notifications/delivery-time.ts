import type { NotificationChannel, StoredPreferences } from '@airdeck/contracts/notifications/schema';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const DAILY_AT = 8 * 60;

type Reader = { preferences: StoredPreferences; timeZone: string };

/**
 * When a mail, webhook or message may go out. Mails wait for the hour or for eight in the morning where they are collected;
 * all wait for the end of the quiet hours. All of it by the reader's clock; without a time zone that is UTC.
 */
export function deliveryTime(
  now: Date,
  { preferences, timeZone }: Reader,
  channel: Exclude<NotificationChannel, 'in_app'>,
): Date {
  const { digest } = preferences;
  const clock = clockOf(timeZone);
  let at = now;
  if (channel === 'mail' && digest === 'hourly') at = nextHour(now, clock);
  if (channel === 'mail' && digest === 'daily') at = next(now, DAILY_AT, clock);
  return quietUntil(at, { preferences, timeZone }) ?? at;
}

/** The end of the quiet hours that are running; undefined when none are. */
export function quietUntil(at: Date, { preferences: { quiet_hours: quiet }, timeZone }: Reader): Date | undefined {
  if (!quiet.enabled) return undefined;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const clock = clockOf(timeZone);
  return isBetween(clock(at), from, to) ? next(at, to, clock) : undefined;
}

/** Minutes since midnight; equal ends mean never. */
function isBetween(minutes: number, from: number, to: number): boolean {
  return from <= to ? minutes >= from && minutes < to : minutes >= from || minutes < to;
}

type Clock = (at: Date) => number;

function nextHour(now: Date, clock: Clock): Date {
  return later(now, 60 - (clock(now) % 60));
}

/** The next moment at which the clock shows these minutes. Where clocks are moved it may come out an hour off the first try. */
function next(now: Date, minutes: number, clock: Clock): Date {
  const wait = (minutes - clock(now) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
  const first = later(now, wait);
  const off = ((minutes - clock(first) + DAY_MINUTES * 1.5) % DAY_MINUTES) - DAY_MINUTES / 2;
  const corrected = new Date(first.getTime() + off * MINUTE_MS);
  return corrected > now ? corrected : first;
}

/** Whole minutes, so that everybody's hour begins at the same second. */
function later(now: Date, minutes: number): Date {
  return new Date(Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS + minutes * MINUTE_MS);
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Clock {
  const format = formatterOf(timeZone);
  return (at) => minutesOf(format.format(at));
}

/** Kept, because making one is slow; the world has some six hundred zones. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  const format = newFormatter(timeZone);
  if (formatters.size < 1_000) formatters.set(timeZone, format);
  return format;
}

function newFormatter(timeZone: string): Intl.DateTimeFormat {
  const options = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: timeZone || 'UTC' });
  } catch {
    // A zone this machine does not know must not keep anybody's mail.
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  }
}
