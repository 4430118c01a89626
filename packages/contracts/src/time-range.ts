import type { z } from 'zod';
import { timeInputSchema } from './fields.ts';

/** From `start_time` (included) until `end_time` (not included); what a side left out means is its route's to say. */
export const timeRangeFields = { start_time: timeInputSchema.optional(), end_time: timeInputSchema.optional() };

type TimeRange = { start_time?: string | undefined; end_time?: string | undefined };

/** Refuses a time that is turned round: it holds nothing, and an empty answer would look like one. */
export function withStartBeforeEnd<T extends z.ZodType<TimeRange>>(schema: T): T {
  return schema.refine(({ start_time: start, end_time: end }) => isInOrder(start, end), {
    path: ['start_time'],
    message: 'The start must lie before the end.',
  });
}

/** Also true where a side is left out, and of what is no time, which is refused as such. */
export function isInOrder(start: string | undefined, end: string | undefined): boolean {
  return start === undefined || end === undefined || !(Date.parse(start) >= Date.parse(end));
}
