import { z } from 'zod';
import { timeInputSchema } from '../fields.ts';

const YEAR_MS = 366 * 86_400_000;

/** IANA name, such as `Europe/Lisbon`; whether there is such a zone is the server's to say. */
export const timeZoneSchema = z.string().trim().min(1).max(60);

const rangeFields = {
  /** Thirty days before the end unless said. */
  start_time: timeInputSchema.optional(),
  /** Now unless said. */
  end_time: timeInputSchema.optional(),
  /** Whose days are counted; UTC unless said. */
  time_zone: timeZoneSchema.optional(),
};

type Range = { start_time?: string | undefined; end_time?: string | undefined };

/** Query of a report over a time, with what else it takes. A start after now is refused by the server. */
export function reportQuerySchema<const T extends z.ZodRawShape>(more: T) {
  return z
    .strictObject({ ...rangeFields, ...more })
    .refine((query) => spanMs(query as Range) > 0, {
      path: ['start_time'],
      message: 'The start must lie before the end.',
    })
    .refine((query) => spanMs(query as Range) <= YEAR_MS, { path: ['start_time'], message: 'At most a year.' });
}

function spanMs({ start_time: start, end_time: end }: Range): number {
  return start === undefined || end === undefined ? 1 : Date.parse(end) - Date.parse(start);
}

/** A day of the calendar of the report's zone, `2026-11-22`. */
export const reportDaySchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
