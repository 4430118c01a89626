import { z } from 'zod';
import { idSchema, limitSchema, shortText, timeInputSchema, timeSchema } from '../fields.ts';
import { searchCriteriaSchema, searchSelectionSchema } from '../search/schema.ts';
import { reportLimits } from './report-limits.ts';

export const reportFormats = ['csv', 'ndjson', 'parquet'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Words of run states, so that they look the same everywhere. */
export const reportStatuses = ['pending', 'running', 'success', 'error', 'cancelled'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** Why older events were left out: the file was full, or the plan reaches no further back. */
export const reportCuts = ['rows', 'bytes', 'plan'] as const;
export type ReportCut = (typeof reportCuts)[number];

/** A search as it stands on the screen; page size and place in it do not matter here. */
export const searchExportSchema = searchSelectionSchema.extend({
  name: shortText(200),
  format: z.enum(reportFormats),
});
export type SearchExport = z.output<typeof searchExportSchema>;

export const searchReportSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  /** The text of the search; the rest of it is `search`. */
  query: z.string(),
  search: searchCriteriaSchema,
  /** What was asked for; a plan that reaches less far back cuts its beginning off. */
  time_range: z.strictObject({ start: timeSchema, end: timeSchema }),
  created_at: timeSchema,
  created_by: z.string(),
  status: z.enum(reportStatuses),
  format: z.enum(reportFormats),
  /** So far, while it is running. */
  row_count: z.number().int(),
  size_bytes: z.number().int(),
  /** How many rows are to come in all, at most; null before it has begun. */
  rows_expected: z.number().int().nullable(),
  /** Set when older events were left out; a full file is told before the plan, whose reach it did not get to. */
  cut_by: z.enum(reportCuts).nullable(),
  /** Why there is no file. */
  failure: z.string().nullable(),
  finished_at: timeSchema.nullable(),
  /** When file and report are removed. */
  expires_at: timeSchema.nullable(),
  schedule_id: idSchema.nullable(),
});
export type SearchReport = z.output<typeof searchReportSchema>;

export const searchReportListQuerySchema = z.strictObject({
  limit: limitSchema(100),
  /** Id of the last report of the page before. */
  before: idSchema.optional(),
});

export const downloadLinkSchema = z.strictObject({ download_link: z.string(), expires_at: timeSchema });

export const reportPeriods = ['daily', 'weekly', 'monthly'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];

const scheduleFields = {
  name: shortText(200),
  search: searchCriteriaSchema,
  format: z.enum(reportFormats),
  /** How often: every day, week or month. */
  period: z.enum(reportPeriods),
  /** Whole days before the one it is made on; null for the day, week (Monday to Sunday) or month before that one. */
  covers_days: z.number().int().min(1).max(reportLimits.coversDaysMax).nullable().default(null),
  /** When it is made: minutes after midnight of the day, the Monday or the first of the month. */
  at_minute: z
    .number()
    .int()
    .min(0)
    .max(24 * 60 - 1),
  /** IANA name, such as `Europe/Lisbon`. */
  time_zone: z.string().trim().min(1).max(60),
  /** Contacts that get a mail with a link to the reports, which asks them to sign in. */
  contact_ids: z.array(idSchema).max(reportLimits.recipientsMax),
  enabled: z.boolean(),
};

export const reportScheduleInputSchema = z.strictObject(scheduleFields);
export type ReportScheduleInput = z.output<typeof reportScheduleInputSchema>;

/** Replaced whole: the change names the state it was made from, and another one now is a CONFLICT. */
export const reportScheduleChangeSchema = reportScheduleInputSchema.extend({ updated_at: timeInputSchema });

export const reportScheduleSchema = reportScheduleInputSchema.extend({
  id: idSchema,
  created_at: timeSchema,
  created_by: z.string(),
  updated_at: timeSchema,
  /** Null while it is switched off. */
  next_run_at: timeSchema.nullable(),
  last_run: z.strictObject({ report_id: idSchema, at: timeSchema, status: z.enum(reportStatuses) }).nullable(),
  /** Whom the contacts are; those deleted since are left out. */
  recipients: z.array(z.strictObject({ id: idSchema, name: z.string() })),
});
export type ReportSchedule = z.output<typeof reportScheduleSchema>;

/** Whom a schedule can name. */
export const reportRecipientSchema = z.strictObject({ id: idSchema, name: z.string(), email: z.string() });
