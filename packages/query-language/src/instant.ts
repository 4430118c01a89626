/** A stretch of time in milliseconds since the epoch; `end` is the first one behind it. */
export type Instant = { readonly start: number; readonly end: number };

const unitsMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3})\d{0,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;
const RELATIVE = /^now(?:([+-])(\d{1,6})([smhdw]))?$/i;
const MILLISECONDS = /^\d{13}$/;

/**
 * The stretch a text stands for: a day (`2026-11-21`), a minute (`2026-11-21T10:15`), a second, a millisecond, also as
 * milliseconds since the epoch, or relative to `now` (`now`, `now-15m`, `now-7d`). UTC unless an offset is given.
 * Undefined for anything else, days that do not exist included.
 */
export function parseInstant(text: string, now: number): Instant | undefined {
  const [isRelative, sign, amount, unit] = RELATIVE.exec(text) ?? [];
  if (isRelative !== undefined) {
    const distance = Number(amount ?? 0) * (unitsMs[unit?.toLowerCase() ?? ''] ?? 0);
    return stretch(sign === '-' ? now - distance : now + distance, 1);
  }
  if (MILLISECONDS.test(text)) return stretch(Number(text), 1);
  const parts = DATE_TIME.exec(text);
  return parts === null ? undefined : fromParts(parts);
}

function fromParts(parts: RegExpExecArray): Instant | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = parts;
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0')}Z`);
  // `Date.parse` may take 31 February for a day in March.
  if (Number.isNaN(local) || new Date(local).getUTCDate() !== Number(day)) return undefined;
  const offset = offsetMs(zone);
  return offset === undefined ? undefined : stretch(local - offset, precisionMs(parts));
}

function precisionMs(parts: RegExpExecArray): number {
  if (parts[4] === undefined) return 86_400_000;
  if (parts[6] === undefined) return 60_000;
  return parts[7] === undefined ? 1_000 : 1;
}

function offsetMs(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 14 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function stretch(start: number, lengthMs: number): Instant {
  return { start, end: start + lengthMs };
}
