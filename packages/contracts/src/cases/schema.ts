import { z } from 'zod';
import {
  enumListSchema,
  idSchema,
  jsonObjectSchema,
  limitSchema,
  pageSchema,
  shortText,
  textListSchema,
  timeInputSchema,
  timeSchema,
  toldFields,
  usernameSchema,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { policyOriginSchema } from '../policies/origin-schema.ts';
import { caseSeverities, caseStatuses, closeReasons, runStatuses } from '../statuses.ts';
import { timeRangeFields, withStartBeforeEnd } from '../time-range.ts';
import { caseFigures } from './figures.ts';

/** What a case already started in answer: one entry per run of a rule response. */
export const caseResponseSchema = z.strictObject({
  response_name: z.string(),
  response_type: z.enum(['action', 'playbook']),
  workflow_instance_id: idSchema,
  status: z.enum(runStatuses),
});

/** The clock of a case. The times move on while it waits on the customer, and while it was closed before it was reopened. */
export const caseSlaSchema = z.strictObject({
  /** Until when somebody should have acknowledged it; null where the tenant has no such target. */
  respond_by: timeSchema.nullable(),
  resolve_by: timeSchema.nullable(),
  /** Since when it waits on the customer and the clock stands still. */
  waiting_since: timeSchema.nullable(),
  /** Seconds it stood still before, by which the times moved on. */
  stood_s: z.number().int(),
  /** A time was missed, whether or not it was made up for later. */
  breached: z.boolean(),
});
export type CaseSla = z.output<typeof caseSlaSchema>;

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
  /** Since when it has had which severity and by whom: first the one it opened with, then the newest 100 changes. */
  severity_history: z.array(z.strictObject({ severity: z.enum(caseSeverities), at: timeSchema, username: z.string() })),
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
  sla: caseSlaSchema,
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
  'waiting_changed',
  'sla_warning',
  'sla_breach',
  'escalated',
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

export const caseEntityKinds = ['user', 'host', 'address', 'hash'] as const;
export type CaseEntityKind = (typeof caseEntityKinds)[number];

/** Somebody or something the case is about, worked out from its group values and its first 100 events. */
export const caseEntitySchema = z.strictObject({
  kind: z.enum(caseEntityKinds),
  value: z.string(),
  /** How many of these events name it. */
  events: z.number().int(),
  /** Whether the policy grouped by it. */
  is_group_value: z.boolean(),
});
export type CaseEntity = z.output<typeof caseEntitySchema>;

export const caseDetailSchema = caseSchema.extend({
  /** Author and licence of the policy that opened it, where that was written elsewhere. */
  policy_origin: policyOriginSchema.nullable(),
  activity: z.array(caseActivitySchema),
  /** At most 25 of each kind: what the policy grouped by first, then by kind, the most frequent first. */
  entities: z.array(caseEntitySchema),
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

const caseListFields = z.strictObject({
  status: enumListSchema(caseStatuses).optional(),
  severity: enumListSchema(caseSeverities).optional(),
  source: textListSchema.optional(),
  category: textListSchema.optional(),
  /** Ids of policies, comma separated: cases that one of them opened. */
  policy: z
    .string()
    .max(2000)
    .transform((text) => text.split(','))
    .pipe(z.array(idSchema).min(1).max(50))
    .optional(),
  /** Of MITRE ATT&CK, whole (`T1059`): cases of policies that name it or a part of it now. */
  technique: z
    .string()
    .regex(/^T\d{4}$/)
    .optional(),
  /** Cases that a figure counts. */
  figure: z.enum(caseFigures).optional(),
  q: z.string().max(limits.searchTextMax).optional(),
  ...timeRangeFields,
  limit: limitSchema(limits.casesDefault),
  page: pageSchema,
  sort: z.enum(caseSorts).default('-time_opened'),
});

export const caseListQuerySchema = withStartBeforeEnd(caseListFields);
export type CaseListQuery = z.output<typeof caseListQuerySchema>;

export const caseUpdateSchema = z
  .strictObject({
    alert_status: z.enum(caseStatuses).optional(),
    alert_severity: z.enum(caseSeverities).optional(),
    assignee: usernameSchema.nullable().optional(),
    /** More than `limits.caseTagsMax` are refused, unless there are more already and these are no more. */
    tags: z.array(shortText(50)).max(100).optional(),
    comment: shortText(limits.commentMax).optional(),
    close_reason: z.enum(closeReasons).optional(),
    /** Whether it waits on the customer: the clock stands still meanwhile. Closing ends it. */
    waiting_on_customer: z.boolean().optional(),
    /**
     * With `close_reason: false_positive`: the same policy opens no case for the same group values until then (at most a
     * year ahead).
     */
    suppress_until: timeInputSchema.optional(),
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
  .refine((update) => update.suppress_until === undefined || update.close_reason === 'false_positive', {
    path: ['suppress_until'],
    message: 'Only a false positive is suppressed.',
  });
export type CaseUpdate = z.output<typeof caseUpdateSchema>;

/** A case somebody opens by hand. */
export const caseCreateSchema = z.strictObject({
  alert_name: shortText(200),
  alert_description: z.string().trim().max(10_000).default(''),
  alert_severity: z.enum(caseSeverities).default('low'),
  /** What it concerns, by field name as events have it: `{ "src_ip": "203.0.113.7" }`. */
  meta_data_fields: z
    .record(
      z
        .string()
        .max(100)
        .regex(/^[A-Za-z0-9_.@-]+$/, 'A field name such as src_ip.'),
      shortText(500),
    )
    .refine((fields) => Object.keys(fields).length <= 20, 'At most 20 values.')
    .default({}),
  assignee: usernameSchema.nullable().default(null),
  tags: z.array(shortText(50)).max(limits.caseTagsMax).default([]),
});
export type CaseCreate = z.input<typeof caseCreateSchema>;

/** Filters of the list, for choosing all that match. */
const caseSelectionSchema = withStartBeforeEnd(
  caseListFields.pick({
    status: true,
    severity: true,
    source: true,
    category: true,
    policy: true,
    technique: true,
    figure: true,
    q: true,
    start_time: true,
    end_time: true,
  }),
);

const caseBulkChangeSchema = z
  .strictObject({
    alert_status: z.enum(caseStatuses).optional(),
    close_reason: z.enum(closeReasons).optional(),
    assignee: usernameSchema.nullable().optional(),
    add_tags: z.array(shortText(50)).max(limits.caseTagsMax).optional(),
    remove_tags: z.array(shortText(50)).max(limits.caseTagsMax).optional(),
    comment: shortText(limits.commentMax).optional(),
    waiting_on_customer: z.boolean().optional(),
    /**
     * With `alert_status: open`: nobody has responded then. It takes back what the caller acknowledged at the moment `seen`
     * names; a case that was acknowledged by others or at another time is refused.
     */
    unacknowledge: z.literal(true).optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'Say what to change.')
  .refine((change) => (change.alert_status === 'closed') === (change.close_reason !== undefined), {
    path: ['close_reason'],
    message: 'Closing needs a reason, and only closing.',
  })
  .refine((change) => change.unacknowledge === undefined || change.alert_status === 'open', {
    path: ['unacknowledge'],
    message: 'Only with what is opened.',
  });

const caseBulkPlaybookSchema = z.strictObject({
  playbook_id: idSchema,
  /** Templates over `case` (id, reference, name, severity) and `group` (its values): `{ "address": "{{ group.src_ip }}" }`. */
  inputs: jsonObjectSchema.default({}),
});

/**
 * What the person saw of a case. Where a part that the change is about is different by now, that case alone is refused
 * (`conflict`); tags are added and taken away one by one, so that nothing of them is lost.
 */
const caseBulkSeenSchema = z.strictObject({
  id: idSchema,
  alert_status: z.enum(caseStatuses).optional(),
  assignee: z.string().max(254).nullable().optional(),
  /** Of a change with `unacknowledge`. */
  time_acknowledged: timeInputSchema.optional(),
});
export type CaseBulkSeen = z.output<typeof caseBulkSeenSchema>;

/** The same to many cases: each for itself, so that what one of them refuses does not keep the others from it. */
export const caseBulkSchema = z
  .strictObject({
    cases: z.array(idSchema).min(1).max(limits.casesBulkMax).optional(),
    /** Instead of `cases`: all that match, the newest `casesBulkMax` of them. */
    matching: caseSelectionSchema.optional(),
    change: caseBulkChangeSchema.optional(),
    playbook: caseBulkPlaybookSchema.optional(),
    /** Of named cases that are changed. */
    seen: z.array(caseBulkSeenSchema).max(limits.casesBulkMax).optional(),
  })
  .refine((bulk) => (bulk.cases === undefined) !== (bulk.matching === undefined), 'Name the cases or say what matches.')
  .refine((bulk) => (bulk.change === undefined) !== (bulk.playbook === undefined), 'Say what to change or to run.')
  .refine(({ seen, cases, change }) => seen === undefined || (cases !== undefined && change !== undefined), {
    path: ['seen'],
    message: 'Only cases that are named and changed have been seen.',
  });
export type CaseBulk = z.input<typeof caseBulkSchema>;
export type CaseBulkChange = z.output<typeof caseBulkChangeSchema>;

const caseBulkStateSchema = z
  .strictObject({
    alert_status: z.enum(caseStatuses),
    assignee: z.string().nullable(),
    tags: z.array(z.string()),
    /** Null where nobody has responded. */
    time_acknowledged: timeSchema.nullable().optional(),
    waiting_since: timeSchema.nullable().optional(),
  })
  .nullable();

export const caseBulkResultSchema = z.strictObject({
  id: idSchema,
  /** Null where there is no such case. */
  reference: z.string().nullable(),
  outcome: z.enum(['changed', 'unchanged', 'refused']),
  /** Why it was refused. */
  message: z.string().nullable(),
  reason: toldFields.reason,
  values: toldFields.values,
  /** Refused because the case is not as it was seen. */
  conflict: z.boolean(),
  /** The run that was started. */
  run_id: idSchema.nullable(),
  /** As it was, of those that changed: what is needed to undo. */
  before: caseBulkStateSchema,
  /** As it is, of those that changed: what whoever undoes it has seen. */
  after: caseBulkStateSchema,
});
export type CaseBulkResult = z.output<typeof caseBulkResultSchema>;

export const caseBulkAnswerSchema = z.strictObject({
  /** How many match, which may be more than were taken. */
  matched: z.number().int(),
  results: z.array(caseBulkResultSchema),
});
export type CaseBulkAnswer = z.output<typeof caseBulkAnswerSchema>;

/** Everything of a case in one document, up to `caseExportEventsMax` events and `caseExportStoryMax` entries of its story. */
export const caseExportSchema = z.strictObject({
  exported_at: timeSchema,
  case: caseSchema,
  /** Author and licence of the policy that opened it, where that was written elsewhere. */
  policy_origin: policyOriginSchema.nullable(),
  activity: z.array(caseActivitySchema),
  /** How many older entries its story has. */
  activity_left_out: z.number().int(),
  entities: z.array(caseEntitySchema),
  events: z.array(caseEventSchema),
  /** How many events it has that are not in here. */
  events_left_out: z.number().int(),
  related_cases: z.array(caseSchema),
});
export type CaseExport = z.output<typeof caseExportSchema>;

/** A policy's group that opens no case until a time, because somebody called one a false positive. */
export const caseSuppressionSchema = z.strictObject({
  id: idSchema,
  policy_id: idSchema,
  policy_name: z.string(),
  group: jsonObjectSchema,
  until: timeSchema,
  created_at: timeSchema,
  created_by: z.string(),
  /** The false positive. */
  case_id: idSchema,
  case_reference: z.string(),
});
export type CaseSuppression = z.output<typeof caseSuppressionSchema>;

export const caseSuppressionListQuerySchema = z.strictObject({ cursor: z.string().max(100).optional() });

/** `cursor` asks for the next page and is null on the last one. */
export const caseSuppressionListSchema = z.strictObject({
  suppressions: z.array(caseSuppressionSchema),
  cursor: z.string().nullable(),
});
export type CaseSuppressionList = z.output<typeof caseSuppressionListSchema>;
