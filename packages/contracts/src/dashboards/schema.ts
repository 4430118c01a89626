import { z } from 'zod';
import { idSchema, limitSchema, timeSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { timeRangeFields, withStartBeforeEnd } from '../time-range.ts';

const prioritySchema = z.union([z.literal(1), z.literal(2), z.literal(3)]);

export const triggeredAlertSchema = z.strictObject({
  id: idSchema,
  title: z.string(),
  /** 1 high, 2 medium, 3 low. */
  priority: prioritySchema,
  timestamp: timeSchema,
  source: z.string(),
  case_id: idSchema.optional(),
});
export type TriggeredAlert = z.output<typeof triggeredAlertSchema>;

/** Mean seconds, and over how many cases; null where there is nothing to average. */
const meanSchema = z.number().nullable();

export const dashboardSchema = z.strictObject({
  log_count: z.number().int(),
  /** Bytes of the original lines. */
  log_size: z.number().int(),
  /** Events per bucket of the period, oldest first. */
  log_history: z.array(z.strictObject({ t: timeSchema, count: z.number().int() })),
  triggered_alerts: z.array(triggeredAlertSchema),
  alert_counts: z.strictObject({ high: z.number().int(), medium: z.number().int(), low: z.number().int() }),
  alert_history: z.array(
    z.strictObject({ t: timeSchema, high: z.number().int(), medium: z.number().int(), low: z.number().int() }),
  ),
  mttr_by_type: z.strictObject({ manual_mttr: meanSchema, automated_mttr: meanSchema }),
  mttd_by_type: z.strictObject({ manual_mttd: meanSchema, automated_mttd: meanSchema }),
});
export type Dashboard = z.output<typeof dashboardSchema>;

/** What there is of a tenant's set-up, as its data says; nobody ticks these off. */
export const firstStepsSchema = z.strictObject({
  source_connected: z.boolean(),
  events_seen: z.boolean(),
  policies_enabled: z.boolean(),
  automation_enabled: z.boolean(),
});
export type FirstSteps = z.output<typeof firstStepsSchema>;

export const dashboardQuerySchema = withStartBeforeEnd(
  z.strictObject({
    ...timeRangeFields,
    limit: limitSchema(limits.dashboardDefault, limits.dashboardAlertsMax),
  }),
);
