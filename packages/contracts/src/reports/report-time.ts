import { z } from 'zod';
import { timeRangeFields, withStartBeforeEnd } from '../time-range.ts';

/** A leap year of days, with an hour more: clocks may be set back twice in it, and forward once. */
export const REPORT_LONGEST_MS = 366 * 86_400_000 + 3_600_000;

/** IANA name, such as `Europe/Lisbon`; whether there is such a zone is the server's to say. */
export const timeZoneSchema = z.string().trim().min(1).max(60);

/**
 * Query of a report over a time: thirty days up to the end unless said, which is now unless said. What else it takes comes
 * with `safeExtend`. A start after now is refused by the server.
 */
export const reportQuerySchema = withStartBeforeEnd(
  z.strictObject({
    ...timeRangeFields,
    /** Whose days are counted; UTC unless said. */
    time_zone: timeZoneSchema.optional(),
  }),
).refine(
  ({ start_time: start, end_time: end }) =>
    start === undefined || end === undefined || !(Date.parse(end) - Date.parse(start) > REPORT_LONGEST_MS),
  { path: ['start_time'], message: 'At most a year.' },
);

/** A day of the calendar of the report's zone, `2026-11-22`. */
export const reportDaySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
