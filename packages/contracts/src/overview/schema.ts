import { z } from 'zod';
import { roleSchema } from '../access/role-schema.ts';
import { idSchema, timeSchema } from '../fields.ts';

const count = z.number().int().min(0);
/** Seconds; null where there is nothing to average. */
const average = z.number().nullable();

/** One tenant at a glance. */
export const tenantOverviewSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  managed_by: idSchema.nullable(),
  is_provider: z.boolean(),
  role: roleSchema,
  sku_name: z.string(),
  open_cases: z.strictObject({ low: count, medium: count, high: count, critical: count }),
  sla_breaches: count,
  connectors: z.strictObject({ active: count, paused: count, error: count, pending: count }),
  last_event_at: timeSchema.nullable(),
  automation_enabled: z.boolean(),
  /** Over the last seven days. */
  mttd_by_type: z.strictObject({ manual_mttd: average, automated_mttd: average }),
  mttr_by_type: z.strictObject({ manual_mttr: average, automated_mttr: average }),
});
export type TenantOverview = z.output<typeof tenantOverviewSchema>;
