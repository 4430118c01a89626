import { z } from 'zod';
import { timeSchema } from '../fields.ts';
import { actionStatuses, runStatuses } from '../statuses.ts';
import { reportDaySchema, reportQuerySchema } from './report-time.ts';

const count = z.number().int().min(0);

/**
 * Minutes a person would have spent on what an action did, by its effect. An assumption, shown as one: `reads` stands for
 * looking something up in another tool, the others for signing in there, changing one thing and writing down that one did.
 */
export const minutesSavedByEffect = { reads: 5, changes: 10, destroys: 15 } as const;

/** SOAR report: what actions and playbooks did in a time, dry runs left out. */
export const activityReportSchema = z.strictObject({
  start_time: timeSchema,
  end_time: timeSchema,
  time_zone: z.string(),
  /** What ended before is no longer kept, so not counted. Releases before this one do not say it. */
  kept_from: timeSchema.optional(),
  /** Actions of playbooks and single ones; of a list each item for itself. Those that were skipped are left out. */
  action_count: count,
  playbook_count: count,
  action_results: z.record(z.enum(actionStatuses), count),
  playbook_results: z.record(z.enum(runStatuses), count),
  /** Every day of the time, oldest first. */
  by_day: z.array(
    z.strictObject({ day: reportDaySchema, actions: count, playbooks: count, time_saved_minutes: count }),
  ),
  /** Those that ran most, at most twenty. */
  top_actions: z.array(
    z.strictObject({
      action_name: z.string(),
      /** What people call it; the name itself where the action is not known any more. */
      label: z.string(),
      count,
      success: count,
      error: count,
      time_saved_minutes: count,
    }),
  ),
  /** Those that ran most, at most twenty. */
  top_playbooks: z.array(z.strictObject({ name: z.string(), count, success: count, error: count })),
  /** Of successful actions: their number by effect, times the minutes of that effect. */
  time_saved_minutes: count,
  /** How that was reckoned; one row for each effect. */
  time_saved_by: z.array(
    z.strictObject({ effect: z.enum(['reads', 'changes', 'destroys']), actions: count, minutes_each: count }),
  ),
});
export type ActivityReport = z.output<typeof activityReportSchema>;

export const activityReportQuerySchema = reportQuerySchema;

export const activityReportTables = ['days', 'results', 'actions', 'playbooks', 'time_saved'] as const;
export type ActivityReportTable = (typeof activityReportTables)[number];

export const activityReportCsvQuerySchema = reportQuerySchema.safeExtend({ table: z.enum(activityReportTables) });
