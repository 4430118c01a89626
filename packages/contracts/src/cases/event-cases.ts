import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { caseSeverities, caseStatuses } from '../statuses.ts';

/** Cases one event can be shown with; more say no more. */
export const eventCasesMax = 20;

export const eventCasesQuerySchema = z.strictObject({ event: idSchema });

/** A case an event is kept with, as far as the event's own view shows it. */
export const eventCaseSchema = z.strictObject({
  id: idSchema,
  reference: z.string(),
  alert_name: z.string(),
  alert_severity: z.enum(caseSeverities),
  alert_status: z.enum(caseStatuses),
});
export type EventCase = z.output<typeof eventCaseSchema>;
