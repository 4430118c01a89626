import { readTime } from '../event-time.ts';
import { zoneMs } from './syslog-stamp.ts';

/** Longer than any time of day: the date stands in front. */
const TIME_OF_DAY_MAX = 15;
/** Counted from an epoch, or with its zone: what stands beside it is of no concern. */
const WITH_ZONE = /^\d+$|(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i;

/** The time of a device's own clock, of pairs: `time`, with the date and the zone that may stand beside it. */
export function deviceTime(pairs: Readonly<Record<string, string>>): number | undefined {
  const { date, time, tz, timezone } = pairs;
  if (time === undefined) return undefined;
  if (time.length > TIME_OF_DAY_MAX && WITH_ZONE.test(time)) return readTime(time);
  // Some write the date again in front of the time.
  const local = time.length > TIME_OF_DAY_MAX ? time : `${date} ${time}`;
  const zone = tz ?? timezone ?? '';
  // `+0100`, else a name, else words that mean nothing here.
  const offset = readTime(`${local}${zone}`);
  if (offset !== undefined) return offset;
  const named = readTime(local);
  return named && named - zoneMs(zone);
}
