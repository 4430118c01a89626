import { z } from 'zod';
import { idSchema, limitSchema, timeInputSchema, timeSchema } from '../fields.ts';
import { locales } from '../me/schema.ts';
import { executiveReportLimits } from './executive-report-limits.ts';
import { timeZoneSchema } from './report-time.ts';
import { reportStatuses } from './schema.ts';

/** `monthly` is made by the schedule, `on_demand` when somebody asks; each month has at most one of either. */
export const executiveReportKinds = ['monthly', 'on_demand'] as const;
export type ExecutiveReportKind = (typeof executiveReportKinds)[number];

/** `2026-10`, of the calendar of the report's zone. */
export const monthSchema = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month such as 2026-10.');

export const executiveReportSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  kind: z.enum(executiveReportKinds),
  month: monthSchema,
  period_start: timeSchema,
  /** The moment it was asked for, where the month was not over. */
  period_end: timeSchema,
  locale: z.enum(locales),
  time_zone: z.string(),
  status: z.enum(reportStatuses),
  /** Why there is no file. */
  failure: z.string().nullable(),
  created_at: timeSchema,
  created_by: z.string(),
  finished_at: timeSchema.nullable(),
  /** Zero until the file is there. */
  size_bytes: z.number().int().min(0),
  pages: z.number().int().min(0),
  expires_at: timeSchema.nullable(),
});
export type ExecutiveReport = z.output<typeof executiveReportSchema>;

export const executiveReportListSchema = z.strictObject({ files: z.array(executiveReportSchema) });

export const executiveReportListQuerySchema = z.strictObject({
  limit: limitSchema(25),
  /** Id of the last report of the page before. */
  before: idSchema.optional(),
});

/** What is left out is as in the settings; the month is the last one that is over. */
export const executiveReportInputSchema = z.strictObject({
  month: monthSchema.optional(),
  locale: z.enum(locales).optional(),
  time_zone: timeZoneSchema.optional(),
});
export type ExecutiveReportInput = z.output<typeof executiveReportInputSchema>;

export const executiveReportTables = [
  'figures',
  'cases_by_week',
  'times_by_week',
  'notable_cases',
  'automation',
  'coverage',
  'volume_by_day',
  'sources',
  'recommendations',
] as const;
export type ExecutiveReportTable = (typeof executiveReportTables)[number];

export const executiveReportCsvQuerySchema = z.strictObject({ table: z.enum(executiveReportTables) });

const settingFields = {
  /** Whether the report of a month is made by itself when the month is over. */
  enabled: z.boolean(),
  /** Null: as the tenant's first Admin has it. */
  locale: z.enum(locales).nullable(),
  time_zone: timeZoneSchema.nullable(),
  /** Get a mail with a link that opens the file without signing in. */
  contact_ids: z.array(idSchema).max(executiveReportLimits.recipientsMax),
  /** Members of the tenant; they get the same mail. */
  user_ids: z.array(idSchema).max(executiveReportLimits.recipientsMax),
};

/** Replaced whole: `updated_at` names the state it was made from, and another one now is a CONFLICT. */
export const executiveReportSettingsInputSchema = z.strictObject({
  ...settingFields,
  updated_at: timeInputSchema.nullable(),
});
export type ExecutiveReportSettingsInput = z.output<typeof executiveReportSettingsInputSchema>;

const recipientSchema = z.strictObject({ id: idSchema, name: z.string(), email: z.string() });

export const executiveReportSettingsSchema = z.strictObject({
  ...settingFields,
  /** What holds where nothing was chosen. */
  effective: z.strictObject({ locale: z.enum(locales), time_zone: z.string() }),
  /** Who is chosen; those deleted since are left out. */
  recipients: z.array(recipientSchema),
  /** When the next one is made; null while it is switched off. */
  next_report_at: timeSchema.nullable(),
  /** Null until somebody first saves them. */
  updated_at: timeSchema.nullable(),
});
export type ExecutiveReportSettings = z.output<typeof executiveReportSettingsSchema>;

/** Whom the settings can name. */
export const executiveReportRecipientsSchema = z.strictObject({
  contacts: z.array(recipientSchema),
  users: z.array(recipientSchema),
});
