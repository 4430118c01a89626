import { z } from 'zod';
import { locales } from '../me/schema.ts';
import { timeZoneSchema } from '../reports/report-time.ts';

/** How a case is written down as a PDF. */
export const caseDocumentQuerySchema = z.strictObject({
  locale: z.enum(locales).default('en-US'),
  /** Whose times are written; UTC unless said. */
  time_zone: timeZoneSchema.default('UTC'),
});
export type CaseDocumentQuery = z.output<typeof caseDocumentQuerySchema>;
