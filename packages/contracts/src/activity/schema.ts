import { z } from 'zod';
import {
  enumListSchema,
  idSchema,
  jsonObjectSchema,
  limitSchema,
  pageSchema,
  shortText,
  skipSchema,
  timeInputSchema,
  timeSchema,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { approversSchema, playbookDefinitionSchema, promptOptionSchema } from '../playbooks/schema.ts';
import { actionRunTypes, actionStatuses, runStatuses } from '../statuses.ts';

/** Who or what started a run (spec §3, `trigger_info`). */
export const triggerInfoSchema = z.strictObject({
  trigger_type: z.enum(['manual', 'event', 'schedule', 'workflow']),
  username: z.string(),
  user_tenant_id: idSchema.nullable(),
  user_tenant_name: z.string().nullable(),
  /** The case a rule response answers. */
  case_id: idSchema.nullable(),
  /** What people call that case; left out once it is gone. */
  case_reference: z.string().optional(),
  /** The automation rule of the log management that started it. */
  automation_rule: z.strictObject({ id: idSchema, name: z.string() }).optional(),
});
export type TriggerInfo = z.output<typeof triggerInfoSchema>;

export const errorInfoSchema = z.strictObject({ code: z.string(), message: z.string(), retryable: z.boolean() });

const actionSummarySchema = z.strictObject({
  status: z.enum(actionStatuses),
  /** Null while the run has not come to this action. */
  action_uuid: idSchema.nullable(),
  workflow_action_id: z.string(),
  action_name: z.string(),
  kind: z.enum(['action', 'prompt', 'delay', 'playbook']),
  /** How many items of its list have ended, for an action with `for_each`. */
  items: z.strictObject({ total: z.number().int(), ended: z.number().int(), failed: z.number().int() }).nullable(),
  /** The run of a playbook this action started. */
  child_run_id: idSchema.nullable(),
  /** Taken over from the run this one tries again. */
  reused: z.literal(true).optional(),
  /** Nobody knows whether it had its effect, or an item of its list had: done once more, it may happen a second time. */
  outcome_unknown: z.literal(true).optional(),
  /** In a dry run: it would change something, so it was not called. Its result shows what would have been sent. */
  not_called: z.literal(true).optional(),
  /** The question of a prompt that is or was asked. */
  prompt_id: idSchema.nullable(),
  skip_reason: z.string().nullable(),
  time_started: timeSchema.nullable(),
  time_finished: timeSchema.nullable(),
});
export type RunActionSummary = z.output<typeof actionSummarySchema>;

const runSummarySchema = z.strictObject({
  trigger_info: triggerInfoSchema,
  actions_summary: z.array(actionSummarySchema),
  workflow_uuid: idSchema,
  workflow_name: z.string(),
  status: z.enum(runStatuses),
  tenant: idSchema,
  time_created: timeSchema,
  time_updated: timeSchema,
  time_finished: timeSchema.nullable(),
  error_info: errorInfoSchema.nullable(),
  /** Its next action waits until automation is switched on again in the tenant's settings. */
  on_hold: z.literal(true).optional(),
  /** Only actions that read really ran. */
  dry_run: z.literal(true).optional(),
  /** The run this one tries again. */
  retry_of: idSchema.nullable(),
  /** The run whose action started this one. */
  parent_run_id: idSchema.nullable(),
  /** Null for a definition that was tried without being stored, and for a playbook deleted since. */
  playbook_id: idSchema.nullable(),
});
export type PlaybookRunSummary = z.output<typeof runSummarySchema>;

export const playbookRunListSchema = z.array(z.strictObject({ summary: runSummarySchema }));

export const playbookRunSchema = z.strictObject({
  playbook: z.strictObject({
    soar_object_type: z.literal('WorkflowInstance'),
    tenant_id: idSchema,
    workflow_instance_id: idSchema,
    definition: playbookDefinitionSchema,
    trigger_info: triggerInfoSchema,
    inputs: jsonObjectSchema,
    outputs: jsonObjectSchema.nullable(),
  }),
  summary: runSummarySchema,
});
export type PlaybookRun = z.output<typeof playbookRunSchema>;

export const playbookActivityQuerySchema = z.strictObject({
  skip: skipSchema,
  limit: limitSchema(limits.playbookActivityPageSize),
  status: enumListSchema(runStatuses).optional(),
  q: z.string().max(limits.searchTextMax).optional(),
  /** Only runs of this playbook. */
  playbook_id: idSchema.optional(),
});

export const playbookStartSchema = z.strictObject({
  playbook_id: idSchema,
  inputs: jsonObjectSchema,
  dry_run: z.boolean().optional(),
  /** The case it answers: the run is in its responses and its story. */
  case_id: idSchema.nullable().optional(),
});

export const playbookRetrySchema = z.strictObject({
  /** Id of the action to begin with; left out: everything that did not succeed. */
  from_action: z.string().max(64).optional(),
});

export const actionActivitySchema = z.strictObject({
  summary: z.strictObject({
    status: z.enum(actionStatuses),
    workflow_instance_id: idSchema.nullable(),
    action_name: z.string(),
    type: z.enum(actionRunTypes),
    time_created: timeSchema,
    time_updated: timeSchema,
  }),
  details: z.strictObject({
    action_output: z.unknown(),
    error_info: errorInfoSchema.nullable(),
    action_name: z.string(),
    action_input: jsonObjectSchema,
    context: z.strictObject({
      action_uuid: idSchema,
      adhoc: z.boolean(),
      attempt_count: z.number().int(),
      tenant_id: idSchema,
      time_scheduled: timeSchema.nullable(),
      workflow_action_id: z.string().nullable(),
      workflow_instance_id: idSchema.nullable(),
      /** The case it answers, by itself or in its playbook. */
      case_id: idSchema.nullable(),
      /** Waits until automation is switched on again. */
      on_hold: z.literal(true).optional(),
      /** Run by a person while automation was switched off. */
      automation_off: z.literal(true).optional(),
      /** It belongs to a run that only tries: an action that would change something was not called. */
      dry_run: z.literal(true).optional(),
    }),
    /**
     * Of an action with `for_each`: how each item of its list stands, in the order of the list. What is around it is then the
     * action as a whole; `item` of the query asks for one of them.
     */
    items: z.array(z.strictObject({ index: z.number().int(), status: z.enum(actionStatuses) })).optional(),
  }),
});
export type ActionActivity = z.output<typeof actionActivitySchema>;

/** Spec §4: the filter value `playbook` means workflow, anything else means ad hoc. */
export const actionActivityQuerySchema = z.strictObject({
  page: pageSchema,
  limit: limitSchema(limits.actionActivityPageSize),
  status: enumListSchema(actionStatuses).optional(),
  type: z.string().max(50).optional(),
  /** Only runs of the action with this id. */
  action: shortText(200).optional(),
  /** Part of the action's id or of its friendly name. */
  q: z.string().max(limits.searchTextMax).optional(),
});

export const actionStartSchema = z.strictObject({
  action_name: shortText(200),
  action_input: jsonObjectSchema,
  connector_id: idSchema.nullable().optional(),
  /** Not before this time, at most a year from now; left out or null starts at once. */
  time_scheduled: timeInputSchema.nullable().optional(),
  /** The case it answers: the run is in its responses and its story. */
  case_id: idSchema.nullable().optional(),
});

/** One item of an action with `for_each`, by its place in the list; left out: the action as a whole. */
export const runActionQuerySchema = z.strictObject({ item: z.coerce.number().int().min(0).max(999).optional() });

/** `answer`: the signed text that the link in a notice carries. */
const signedAnswerSchema = z.string().min(1).max(1000);
export const promptQuerySchema = z.strictObject({ answer: signedAnswerSchema.optional() });

export const promptSchema = z.strictObject({
  id: idSchema,
  run_id: idSchema,
  action_id: z.string(),
  message: z.string(),
  options: z.array(promptOptionSchema),
  asked_at: timeSchema,
  expires_at: timeSchema.nullable(),
  default_option: z.string().nullable(),
  approvers: approversSchema,
  /** Whether the caller may answer it now. */
  can_answer: z.boolean(),
  /** The tenant asks for two people where an action that destroys follows: the answer a second one must confirm. */
  second_approval: z.strictObject({
    required: z.boolean(),
    first: z.strictObject({ option: z.string(), username: z.string(), at: timeSchema }).nullable(),
  }),
  /**
   * Only when asked with `answer` of a notice's link: the option that link stands for. Null: it has been used, has expired or
   * was made for somebody else or another question.
   */
  link_option: z.string().nullable().optional(),
  answered: z
    .strictObject({ option: z.string(), username: z.string(), at: timeSchema, comment: z.string().nullable() })
    .nullable(),
});
export type Prompt = z.output<typeof promptSchema>;

export const promptAnswerSchema = z.strictObject({
  option: shortText(100),
  comment: z.string().trim().max(2000).optional(),
  /** The signed text of the link in a notice; it counts once, for this person and this option. */
  token: signedAnswerSchema.optional(),
});
