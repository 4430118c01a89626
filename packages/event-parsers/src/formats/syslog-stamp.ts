import { readTime, yearlessTime } from '../event-time.ts';

/** `Feb 22 16:45:20`, also with weekday, year (before or after the time of day), fraction, and a zone before a colon. */
const MONTH_STAMP =
  /^(?:[A-Z][a-z]{2},? )?([A-Z][a-z]{2}) {1,2}(\d{1,2})(?: (\d{4}))? (\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?(?: ((?:19|20)\d{2})(?=[ :]))?(?: ([A-Z]{2,5})(?= ?:))?(?=[ :]|$)/;
/** `2026-02-22T16:45:20.003Z` and the same with `/`, a space, no zone or the zone's name. */
const NUMBER_STAMP =
  /^(\d{4}([-/])\d{2}\2\d{2}([T ])\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?)(?:(Z)Z?|([+-]\d{2}:?\d{2})| (?:GMT|UTC|Z)(?= ))?(?=[ :]|$)/;
/** NX-OS puts the year in front of the month. */
const YEAR_FIRST = /^((?:19|20)\d{2}) (?=[A-Z][a-z]{2} )/;
/** Meraki: a version as in RFC 5424, and then seconds since the epoch. */
const EPOCH_STAMP = /^1 (\d{10}\.\d{1,9})(?= )/;

/** Minutes east of UTC of zones that mean one thing only in practice; an unknown zone is taken as UTC. */
const zones: ReadonlyMap<string, number> = new Map(
  Object.entries({
    UTC: 0,
    GMT: 0,
    EST: -300,
    EDT: -240,
    CDT: -300,
    MST: -420,
    MDT: -360,
    PST: -480,
    PDT: -420,
    WEST: 60,
    CET: 60,
    CEST: 120,
    EET: 120,
    EEST: 180,
    MSK: 180,
    JST: 540,
    AEST: 600,
    AEDT: 660,
  }),
);

/** How far the clocks of the zone are ahead of UTC. */
export function zoneMs(zone: string | undefined): number {
  return (zone === undefined ? 0 : (zones.get(zone) ?? 0)) * 60_000;
}

export type Stamp = {
  /** Undefined for a time that is in no calendar. */
  readonly time: number | undefined;
  readonly length: number;
};

/**
 * The time at the start of the text. Without a priority in front (`isSyslog` false) only the two forms that are syslog's own
 * count: other logs begin with a date as well.
 */
export function readStamp(text: string, receivedAt: number, isSyslog: boolean): Stamp | undefined {
  const first = text.charCodeAt(0);
  // A digit, or an upper-case letter: nothing else begins a time.
  if (first >= 48 && first <= 57) return numberStamp(text, receivedAt, isSyslog);
  return first >= 65 && first <= 90 ? monthStamp(text, receivedAt) : undefined;
}

function numberStamp(text: string, receivedAt: number, isSyslog: boolean): Stamp | undefined {
  const found = NUMBER_STAMP.exec(text);
  if (found !== null) {
    const [stamp, time = '', , separator, utc, zone = ''] = found;
    if (!isSyslog && (separator !== 'T' || (utc === undefined && zone === ''))) return undefined;
    return { time: readTime(`${time}${utc ?? zone}`), length: stamp.length };
  }
  if (!isSyslog) return undefined;
  const epoch = EPOCH_STAMP.exec(text);
  if (epoch !== null) return { time: readTime(epoch[1]), length: epoch[0].length };
  const [year = ''] = YEAR_FIRST.exec(text) ?? [];
  const stamp = year === '' ? undefined : monthStamp(text.slice(year.length), receivedAt, year.trimEnd());
  return stamp && { time: stamp.time, length: year.length + stamp.length };
}

function monthStamp(text: string, receivedAt: number, yearInFront?: string): Stamp | undefined {
  const found = MONTH_STAMP.exec(text);
  if (found === null) return undefined;
  const [stamp, month = '', day, yearBefore, hour, minute, second, fraction = '0', yearAfter, zone] = found;
  const year = yearInFront ?? yearBefore ?? yearAfter;
  const at = {
    month,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
    fraction,
  };
  // With a year given, that year's end is the "now" from which the year is chosen.
  const from = year === undefined ? receivedAt : Date.UTC(Number(year), 11, 30, 23, 59, 59);
  const local = yearlessTime(at, from);
  return { time: local === undefined ? undefined : local - zoneMs(zone), length: stamp.length };
}
