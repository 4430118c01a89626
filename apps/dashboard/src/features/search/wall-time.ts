import { dayIn, startOfDay, timeOnDay } from '@airdeck/domain/zoned-day';

/** A moment as day (`yyyy-mm-dd`) and clock time (`hh:mm` or `hh:mm:ss`), as fields of the browser hold them. */
export type WallTime = { readonly day: string; readonly time: string };

export function wallTimeIn(at: Date, timeZone: string | undefined): WallTime {
  const today = dayIn(at, timeZone);
  const parts = clock(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? '00';
  return {
    day: `${today.year}-${padded(today.month)}-${padded(today.day)}`,
    time: `${part('hour')}:${part('minute')}:${part('second')}`,
  };
}

/** Undefined for what is no day or no time. */
export function wallTimeToDate({ day, time }: WallTime, timeZone: string | undefined): Date | undefined {
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  const clockTime = /^(\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?$/.exec(time);
  if (date === null || clockTime === null) return undefined;
  const [year = 0, month = 0, ofMonth = 0] = date.slice(1).map(Number);
  const [hour = 0, minute = 0, second] = clockTime.slice(1).map((text) => (text === undefined ? 0 : Number(text)));
  const asked = { year, month, day: ofMonth };
  const begun = dayIn(startOfDay(asked, timeZone), timeZone);
  // A 31st of February would run on into March.
  if (begun.day !== ofMonth || begun.month !== month || hour > 23 || minute > 59) return undefined;
  return new Date(timeOnDay(asked, hour * 60 + minute, timeZone).getTime() + (second ?? 0) * 1000);
}

function padded(value: number): string {
  return String(value).padStart(2, '0');
}

function clock(timeZone: string | undefined): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    ...(timeZone === undefined ? {} : { timeZone }),
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}
