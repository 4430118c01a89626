import { z } from 'zod';
import { connectorStates } from '../connectors/schema.ts';
import { idSchema, timeSchema } from '../fields.ts';
import { reportQuerySchema } from '../reports/report-time.ts';
import { caseSeverities } from '../statuses.ts';

const count = z.number().int().min(0);
/** Mean seconds, null where there is nothing to average, and over how many cases. */
const meanSchema = z.strictObject({ seconds: z.number().nullable(), cases: count });

/** Over the cases opened in a period. */
const periodFiguresSchema = z.strictObject({
  cases: count,
  closed: count,
  automated_mttd: meanSchema,
  manual_mttd: meanSchema,
  automated_mttr: meanSchema,
  manual_mttr: meanSchema,
  answered: count,
  answer_failed: count,
  answering: count,
  unanswered: count,
  time_saved_minutes: count,
});
export type PeriodFigures = z.output<typeof periodFiguresSchema>;

export const airOverviewSchema = z.strictObject({
  start_time: timeSchema,
  end_time: timeSchema,
  /** What stands now is counted at this time: open cases, their age, what is late. */
  as_of: timeSchema,
  /** Cases that are not closed, critical first, by how long ago they opened. */
  open: z.array(
    z.strictObject({
      severity: z.enum(caseSeverities),
      /** Up to an hour, up to a day, up to a week, longer. */
      hour: count,
      day: count,
      week: count,
      older: count,
    }),
  ),
  /** Of the cases that are not closed. A case can be late both ways; `late` counts it once. */
  sla: z.strictObject({ in_time: count, late: count, late_response: count, late_resolution: count }),
  period: periodFiguresSchema,
  /** The same over the time of the same length before. */
  previous: periodFiguresSchema,
  /** The period by days of the zone, or by seven of them if it is long; oldest first, seconds as in the figures. */
  trend: z.array(
    z.strictObject({
      t: timeSchema,
      cases: count,
      answered: count,
      automated_mttd: z.number().nullable(),
      manual_mttd: z.number().nullable(),
      automated_mttr: z.number().nullable(),
      manual_mttr: z.number().nullable(),
    }),
  ),
  /** Of a day or a week. The first and the last part may be shorter, and so is a day on which clocks are put forward. */
  trend_part_s: z.number(),
  /** Those with most cases in the period, at most ten. */
  policies: z.array(
    z.strictObject({
      id: idSchema,
      name: z.string(),
      severity: z.enum(caseSeverities),
      cases: count,
      open: count,
      answered: count,
      false_positives: count,
    }),
  ),
  /** Techniques that policies name, their parts counted as them, with the cases of the period those policies opened. */
  techniques: z.array(
    z.strictObject({
      technique: z.string(),
      policies: count,
      enabled_policies: count,
      cases: count,
      /** At most fifty, by which a dashboard of 1.14.2 lists its cases; this one asks by the technique. */
      policy_ids: z.array(idSchema),
    }),
  ),
  /** Those that do not work, and how many there are of each state. */
  connectors: z.strictObject({
    counts: z.strictObject({ active: count, paused: count, error: count, pending: count }),
    troubled: z.array(
      z.strictObject({
        id: idSchema,
        name: z.string(),
        definition_id: z.string(),
        state: z.enum(connectorStates),
      }),
    ),
  }),
});
export type AirOverview = z.output<typeof airOverviewSchema>;

export const airOverviewQuerySchema = reportQuerySchema;
