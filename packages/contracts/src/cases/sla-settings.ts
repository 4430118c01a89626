import { z } from 'zod';
import { timeSchema } from '../fields.ts';
import { caseSeverities } from '../statuses.ts';

const MINUTES_MAX = 90 * 24 * 60;

/** Null is no target: such cases have no clock of that kind. */
const minutesSchema = z.number().int().min(1).max(MINUTES_MAX).nullable();
const targetSchema = z
  .strictObject({ respond_minutes: minutesSchema, resolve_minutes: minutesSchema })
  .refine(
    ({ respond_minutes: respond, resolve_minutes: resolve }) =>
      respond === null || resolve === null || respond <= resolve,
    { path: ['resolve_minutes'], message: 'A case cannot be due for closing before it is due for a response.' },
  );

/** Targets count for cases that open, or change their severity, from then on; open ones keep their times. */
export const slaSettingsSchema = z.strictObject({
  targets: z.record(z.enum(caseSeverities), targetSchema),
  /** Null until somebody set them: then those of the product count. */
  updated_at: timeSchema.nullable(),
  updated_by: z.string().nullable(),
});
export type SlaSettings = z.output<typeof slaSettingsSchema>;

export const slaSettingsInputSchema = slaSettingsSchema.pick({ targets: true }).extend({
  /** `updated_at` as it was read: another one refuses the change as CONFLICT. */
  based_on: timeSchema.nullable(),
});
export type SlaSettingsInput = z.output<typeof slaSettingsInputSchema>;
