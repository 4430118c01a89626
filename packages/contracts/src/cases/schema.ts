import { z } from 'zod';
import {
  emailSchema,
  enumListSchema,
  idSchema,
  jsonObjectSchema,
  limitSchema,
  pageSchema,
  shortText,
  timeInputSchema,
  timeSchema,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { caseSeverities, caseStatuses, closeReasons, runStatuses } from '../statuses.ts';

/** What a case already started in answer: one entry per run of a rule response. */
export const caseResponseSchema = z.strictObject({
  response_name: z.string(),
  response_type: z.enum(['action', 'playbook']),
  workflow_instance_id: idSchema,
  status: z.enum(runStatuses),
});

export const caseSchema = z.strictObject({
  id: idSchema,
  tenant: idSchema,
  /** Short number people say to each other, counting per tenant: `CASE-42`. */
  reference: z.string(),
  alert_id: idSchema,
  alert_name: z.string(),
  alert_description: z.string(),
  /** Name of what opened it: `policy`, or `manual`. */
  alert_type: z.enum(['policy', 'manual']),
  alert_severity: z.enum(caseSeverities),
  alert_status: z.enum(caseStatuses),
  alert_responses: z.array(caseResponseSchema),
  acknowledged_by_username: z.string().nullable(),
  closed_by_username: z.string().nullable(),
  close_reason: z.enum(closeReasons).nullable(),
  log_sources: z.array(z.string()),
  /** Group values and other facts of the case by field name: `{ "src_ip": "203.0.113.7" }`. */
  meta_data_fields: jsonObjectSchema,
  /** Time of the first matching event. */
  opened_at: timeSchema,
  /** When the case was opened. */
  time_opened: timeSchema,
  time_acknowledged: timeSchema.nullable(),
  time_closed: timeSchema.nullable(),
  time_updated: timeSchema,
  assignee: z.string().nullable(),
  policy_id: idSchema.nullable(),
  event_count: z.number().int(),
  tags: z.array(z.string()),
});
export type Case = z.output<typeof caseSchema>;

/** Kinds of entries of a case's story; the dashboard has one icon and sentence per kind. */
export const caseActivityKinds = [
  'opened',
  'events_added',
  'run_started',
  'run_finished',
  'action_finished',
  'prompt_asked',
  'prompt_answered',
  'status_changed',
  'severity_changed',
  'assigned',
  'tagged',
  'commented',
] as const;
export type CaseActivityKind = (typeof caseActivityKinds)[number];

export const caseActivitySchema = z.strictObject({
  id: idSchema,
  at: timeSchema,
  /** A user's name, or `system` for what nobody did by hand. */
  username: z.string(),
  kind: z.enum(caseActivityKinds),
  text: z.string(),
  data: jsonObjectSchema,
});
export type CaseActivity = z.output<typeof caseActivitySchema>;

export const caseEventSchema = z.strictObject({
  id: idSchema,
  time: timeSchema,
  integration: z.string(),
  event_type: z.string(),
  severity: z.string(),
  message: z.string(),
  host: z.string(),
  user: z.string(),
  src_ip: z.string(),
  raw: z.string(),
  fields: jsonObjectSchema,
});
export type CaseEvent = z.output<typeof caseEventSchema>;

export const caseDetailSchema = caseSchema.extend({
  activity: z.array(caseActivitySchema),
  /** The first 100 matched events, oldest first. */
  events: z.array(caseEventSchema),
  related_cases: z.array(caseSchema),
});
export type CaseDetail = z.output<typeof caseDetailSchema>;

const facetSchema = z.array(z.strictObject({ value: z.string(), count: z.number().int() }));

export const caseListSchema = z.strictObject({
  cases: z.array(caseSchema),
  total: z.number().int(),
  facets: z.strictObject({ status: facetSchema, severity: facetSchema, source: facetSchema, category: facetSchema }),
});
export type CaseList = z.output<typeof caseListSchema>;

export const caseSorts = [
  '-time_opened',
  'time_opened',
  '-severity',
  'severity',
  '-time_updated',
  'time_updated',
] as const;

export const caseListQuerySchema = z.strictObject({
  status: enumListSchema(caseStatuses).optional(),
  severity: enumListSchema(caseSeverities).optional(),
  source: z.string().max(200).optional(),
  category: z.string().max(200).optional(),
  q: z.string().max(limits.searchTextMax).optional(),
  start_time: timeInputSchema.optional(),
  end_time: timeInputSchema.optional(),
  limit: limitSchema(limits.casesDefault),
  page: pageSchema,
  sort: z.enum(caseSorts).default('-time_opened'),
});
export type CaseListQuery = z.output<typeof caseListQuerySchema>;

export const caseUpdateSchema = z
  .strictObject({
    alert_status: z.enum(caseStatuses).optional(),
    alert_severity: z.enum(caseSeverities).optional(),
    assignee: emailSchema.nullable().optional(),
    tags: z.array(shortText(50)).max(30).optional(),
    comment: shortText(limits.commentMax).optional(),
    close_reason: z.enum(closeReasons).optional(),
    /**
     * What the person saw of the parts the update changes. A part that is different by now refuses the update as
     * CONFLICT; parts nobody named, and what events and automation add to a case, are no conflict.
     */
    seen: z
      .strictObject({
        alert_status: z.enum(caseStatuses).optional(),
        alert_severity: z.enum(caseSeverities).optional(),
        assignee: z.string().max(254).nullable().optional(),
        tags: z.array(z.string().max(200)).max(100).optional(),
        close_reason: z.enum(closeReasons).nullable().optional(),
      })
      .optional(),
  })
  .refine((update) => Object.keys(update).some((key) => key !== 'seen'), 'Say what to change.')
  .refine((update) => update.alert_status !== 'closed' || update.close_reason !== undefined, {
    path: ['close_reason'],
    message: 'Say why the case is closed.',
  });
export type CaseUpdate = z.output<typeof caseUpdateSchema>;
