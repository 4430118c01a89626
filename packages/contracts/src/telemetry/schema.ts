import { z } from 'zod';
import { shortText, timeSchema } from '../fields.ts';
import { telemetryLimits } from './limits.ts';

/** Pattern of a route of the dashboard (`/air/case-management/$id`): never an address, so no id, code or query. */
export const routePatternSchema = z
  .string()
  .max(120)
  .regex(/^\/[a-zA-Z0-9_$/-]*$/, 'Not the pattern of a route.');

export const reportedLevels = ['info', 'low', 'warning', 'error'] as const;

export const reportedErrorSchema = z.strictObject({
  /** Equal for errors that are the same one. */
  fingerprint: z.string().regex(/^[0-9a-f]{16}$/),
  level: z.enum(reportedLevels),
  message: shortText(300),
  route: routePatternSchema,
  /** Of a failed call: method and path as in the route table. */
  call: z
    .string()
    .max(200)
    .regex(/^[A-Z]+ \/[\w{}./-]*$/)
    .nullable(),
  status: z.number().int().min(100).max(599).nullable(),
  /** Of the server's log. */
  request_id: z.string().max(100).nullable(),
  release: shortText(40),
});
export type ReportedError = z.output<typeof reportedErrorSchema>;

export const telemetryInputSchema = z.strictObject({
  views: z.array(routePatternSchema).max(telemetryLimits.viewsPerCall),
  errors: z.array(reportedErrorSchema).max(telemetryLimits.errorsPerCall),
});
export type TelemetryInput = z.output<typeof telemetryInputSchema>;

export const usageQuerySchema = z.strictObject({
  days: z.coerce.number().int().min(1).max(telemetryLimits.keptDays).default(30),
});

export const usageSchema = z.strictObject({
  /** Whether browsers send to this server; otherwise the service the operator configured has the figures. */
  own_sink: z.boolean(),
  /** Oldest first, days (UTC) without a view included. */
  days: z.array(z.strictObject({ day: z.iso.date(), views: z.number().int(), people: z.number().int() })),
  /** Most viewed first, at most 50. */
  routes: z.array(z.strictObject({ route: z.string(), views: z.number().int() })),
  /** Latest first, at most 50. */
  errors: z.array(reportedErrorSchema.extend({ count: z.number().int(), first_at: timeSchema, last_at: timeSchema })),
});
export type Usage = z.output<typeof usageSchema>;
