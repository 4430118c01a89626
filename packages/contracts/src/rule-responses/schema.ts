import { z } from 'zod';
import { idSchema, jsonObjectSchema, limitSchema, pageSchema, shortText, timeSchema, toldFields } from '../fields.ts';
import { limits } from '../limits.ts';
import { caseSeverities, runStatuses } from '../statuses.ts';

const count = z.number().int().min(0);
const responseNameSchema = shortText(100);

/**
 * What an answer to one case came to: it started, its condition did not hold, it could not start, or it was kept from
 * starting because too much was started by the same policy or rule just now.
 */
export const responseOutcomes = ['started', 'skipped', 'failed', 'stopped'] as const;
export type ResponseOutcome = (typeof responseOutcomes)[number];

/** What a response answers: that its policy opened a case, or that a time of such a case runs out or has passed. */
export const responseTriggers = [
  'case_opened',
  'respond_warning',
  'respond_breach',
  'resolve_warning',
  'resolve_breach',
] as const;
export type ResponseTrigger = (typeof responseTriggers)[number];
/** Those of a case's clock. */
export type ClockTrigger = Exclude<ResponseTrigger, 'case_opened'>;

/** Why a response would not work as it stands. */
export const responseProblemCodes = [
  'POLICY_GONE',
  'POLICY_OFF',
  'PLAYBOOK_GONE',
  'PLAYBOOK_NOT_PUBLISHED',
  'ACTION_GONE',
  'CONNECTOR_GONE',
  'CONNECTOR_OFF',
  'INPUTS_DO_NOT_FIT',
  'OWNER_MAY_NOT',
] as const;
export type ResponseProblemCode = (typeof responseProblemCodes)[number];

/** One case a response was asked to answer. */
export const responseHistoryEntrySchema = z.strictObject({
  at: timeSchema,
  outcome: z.enum(responseOutcomes),
  case_id: idSchema,
  /** `CASE-42` */
  case_reference: z.string(),
  case_name: z.string(),
  case_severity: z.enum(caseSeverities),
  /** Null unless it started. */
  run_id: idSchema.nullable(),
  /** Of a single action that started: its run in the activity list. */
  action_uuid: idSchema.nullable(),
  status: z.enum(runStatuses).nullable(),
  /** Why it could not start. */
  problem: z.string().nullable(),
});
export type ResponseHistoryEntry = z.output<typeof responseHistoryEntrySchema>;

export const ruleResponseSchema = z.strictObject({
  rule_id: idSchema,
  response_name: z.string(),
  response_type: z.enum(['action', 'playbook']),
  trigger: z.enum(responseTriggers),
  /** Playbook id, or action name such as `fortigate.block_address`. */
  definition_id: z.string(),
  connector_id: idSchema.nullable(),
  /** Values may hold `{{ … }}` over `case`, `group` and `event`. */
  inputs: jsonObjectSchema,
  /** A bare expression over `case`, `group` and `event` that must hold; null answers every case. */
  conditions: z.string().nullable(),
  /** Responses of one policy start in this order, from 0. */
  position: count,
  enabled: z.boolean(),
  created_by: z.string(),
  /** With whose rights it acts: whoever saved it last. */
  updated_by: z.string(),
  updated_at: timeSchema,
  /** Counts changes, for `revision` of a change. */
  revision: z.number().int(),
  /** The policy as it is now; null once it was deleted. */
  rule: z.strictObject({ name: z.string(), enabled: z.boolean(), severity: z.enum(caseSeverities) }).nullable(),
  /** Of the policy, also when it is gone. */
  rule_name: z.string(),
  /** Of the action or playbook; null when it is gone. */
  definition_name: z.string().nullable(),
  connector_name: z.string().nullable(),
  problems: z.array(z.strictObject({ code: z.enum(responseProblemCodes), ...toldFields })),
  /** Over the last 30 days: cases it was asked to answer. `active` has no result yet. */
  figures: z.strictObject({ succeeded: count, failed: count, cancelled: count, active: count, skipped: count }),
  last: responseHistoryEntrySchema.nullable(),
});
export type RuleResponse = z.output<typeof ruleResponseSchema>;

export const ruleResponseListSchema = z.strictObject({ responses: z.array(ruleResponseSchema), total: count });

export const ruleResponseListQuerySchema = z.strictObject({
  rule_id: idSchema.optional(),
  response_name: z.string().max(200).optional(),
  /** Words in the names of the response, its policy and what it starts. */
  q: z.string().max(limits.searchTextMax).optional(),
  limit: limitSchema(limits.ruleResponsesPageSize),
  page: pageSchema,
});

/** What a person decides about a response. */
const decided = {
  response_type: z.enum(['action', 'playbook']),
  /** Left out of a new one: when a case opens. A change leaves what it leaves out. */
  trigger: z.enum(responseTriggers).optional(),
  definition_id: shortText(200),
  connector_id: idSchema.nullable().optional(),
  inputs: jsonObjectSchema,
  conditions: z.string().trim().max(2000).nullable().optional(),
  enabled: z.boolean().optional(),
};

export const ruleResponseCreateSchema = z.strictObject({
  rule_id: idSchema,
  response_name: responseNameSchema,
  ...decided,
});
export type RuleResponseCreate = z.output<typeof ruleResponseCreateSchema>;

export const ruleResponseReplaceSchema = z.strictObject({
  response_name: responseNameSchema,
  ...decided,
  /** The revision the person saw; a newer one refuses the change as CONFLICT. */
  revision: z.number().int().min(1).optional(),
});

export const ruleResponsePatchSchema = z.strictObject({ enabled: z.boolean() });

/** Which response of the policy in the path. */
export const ruleResponseNameQuerySchema = z.strictObject({ response_name: z.string().min(1).max(200) });

export const ruleResponseOrderSchema = z.strictObject({
  /** Every response of the policy once, first to start first. */
  response_names: z.array(z.string().min(1).max(200)).min(1).max(limits.ruleResponsesPerPolicy),
});

export const ruleResponseHistoryQuerySchema = z.strictObject({
  response_name: z.string().min(1).max(200),
  limit: limitSchema(limits.ruleResponsesPageSize),
  page: pageSchema,
});

export const ruleResponseHistorySchema = z.strictObject({
  entries: z.array(responseHistoryEntrySchema),
  total: count,
});

export const ruleResponseDryRunSchema = z.strictObject({ response: ruleResponseCreateSchema, case_id: idSchema });

/** What would have come of it; nothing but the dry run of a playbook was started. */
export const ruleResponseDryRunResultSchema = z.strictObject({
  condition: z.strictObject({
    /** Null when it could not be decided. */
    holds: z.boolean().nullable(),
    problem: z.string().nullable(),
  }),
  /** Filled in from the case; null when that failed. */
  inputs: jsonObjectSchema.nullable(),
  /** What would have kept it from starting. */
  problems: z.array(z.strictObject({ path: z.string(), ...toldFields })),
  /** Of a playbook whose condition holds and whose inputs fit: its dry run. */
  run_id: idSchema.nullable(),
  /** What expressions can read of this case. */
  context: jsonObjectSchema,
});
export type RuleResponseDryRun = z.output<typeof ruleResponseDryRunResultSchema>;
