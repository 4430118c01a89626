import { z } from 'zod';
import { idSchema, jsonObjectSchema, limitSchema, pageSchema, shortText, timeSchema, toldFields } from '../fields.ts';
import { limits } from '../limits.ts';
import { responseOutcomes, responseProblemCodes } from '../rule-responses/schema.ts';
import { runStatuses } from '../statuses.ts';

const count = z.number().int().min(0);
const revisionSchema = z.number().int().min(1);

/**
 * How the notification that brings a rule its alerts stands in Graylog.
 * - `working`: it is being set up, repaired or taken away right now.
 * - `attached`: it is there, as we made it, and the event definition uses it.
 * - `missing`: it, or the event definition, is gone from Graylog, or the definition uses it no more.
 * - `changed`: somebody made something else of it in Graylog, or kept changing the definition while it was to be attached.
 * - `failed`: Graylog could not be reached or refused.
 */
export const notificationStates = ['working', 'attached', 'missing', 'changed', 'failed'] as const;
export type NotificationState = (typeof notificationStates)[number];

/** What a rule starts for an alert (docs/automation-rules.md). */
const responseFields = {
  /** Unique within the rule. */
  name: shortText(100),
  /** Values may hold `{{ … }}` over `alert`, `event` and `rule`. */
  inputs: jsonObjectSchema,
};

export const automationResponseSchema = z.discriminatedUnion('response_type', [
  z.strictObject({ response_type: z.literal('playbook'), ...responseFields, playbook_id: idSchema }),
  z.strictObject({
    response_type: z.literal('action'),
    ...responseFields,
    /** Such as `fortigate.block_address`. */
    action_name: shortText(200),
    /** Null or left out takes the default one of the integration. */
    connector_id: idSchema.nullable().optional(),
  }),
]);
export type AutomationResponse = z.output<typeof automationResponseSchema>;

const responsesSchema = z
  .array(automationResponseSchema)
  .min(1)
  .max(limits.automationResponsesMax)
  .refine(
    (list) => new Set(list.map(({ name }) => name)).size === list.length,
    'Each response needs a name of its own.',
  );

/** Graylog's own: 24 hexadecimal digits as a rule. */
const eventDefinitionIdSchema = z.string().regex(/^[\w-]{1,64}$/, 'Not the id of an event definition.');

export const automationRuleSchema = z.strictObject({
  id: idSchema,
  tenant: idSchema,
  name: z.string(),
  /** Id of the event definition in Graylog whose alerts the rule answers. */
  event_category_id: z.string(),
  /** The same, with its title when it was last seen. */
  event_definition: z.strictObject({ id: z.string(), title: z.string() }),
  connector_id: idSchema,
  /** Null once the connector was deleted. */
  connector_name: z.string().nullable(),
  actions: z.strictObject({ responses: z.array(automationResponseSchema) }),
  enabled: z.boolean(),
  notification: z.strictObject({
    state: z.enum(notificationStates),
    /** Why, in words for people; null while attached. */
    reason: z.string().nullable(),
    /** What it is called in Graylog. */
    title: z.string(),
    /** When Graylog was last asked. */
    checked_at: timeSchema.nullable(),
  }),
  /** It is being deleted, or that failed: repair tries again. It starts nothing any more. */
  deleting: z.boolean(),
  /** The event source its alerts come in at; null until there is one. */
  source_id: idSchema.nullable(),
  created_by: z.string(),
  /** With whose rights it acts: whoever saved it last. */
  updated_by: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
  /** Counts changes, for `revision` of a change. */
  revision: revisionSchema,
  last_triggered_at: timeSchema.nullable(),
  /** Alerts it was asked to answer. */
  triggered_count: count,
  /** What keeps a response from working as it stands. */
  problems: z.array(z.strictObject({ response_name: z.string(), code: z.enum(responseProblemCodes), ...toldFields })),
});
export type AutomationRule = z.output<typeof automationRuleSchema>;

export const automationRuleListQuerySchema = z.strictObject({
  page: pageSchema,
  limit: limitSchema(limits.automationRulesPageSize),
  /** Words in the names of the rule, its event definition, its responses and what they start. */
  q: z.string().max(limits.searchTextMax).optional(),
});

export const automationRuleCreateSchema = z.strictObject({
  name: shortText(200),
  event_category_id: eventDefinitionIdSchema,
  /** Null or left out takes the tenant's default Graylog connector. */
  connector_id: idSchema.nullable().optional(),
  actions: z.strictObject({ responses: responsesSchema }),
  enabled: z.boolean().default(true),
});
export type AutomationRuleCreate = z.output<typeof automationRuleCreateSchema>;

/** The event definition and the connector stay: another one is another rule. */
export const automationRulePatchSchema = z.strictObject({
  name: shortText(200).optional(),
  actions: z.strictObject({ responses: responsesSchema }).optional(),
  enabled: z.boolean().optional(),
  /** The revision the person saw; a newer one refuses the change as CONFLICT. */
  revision: revisionSchema.optional(),
});
export type AutomationRulePatch = z.output<typeof automationRulePatchSchema>;

export const automationRuleDeleteQuerySchema = z.strictObject({
  /** `true` forgets the rule also where Graylog does not answer; what is left there has to be taken away by hand. */
  force: z.enum(['true', 'false']).optional(),
});

export const automationRuleHistoryQuerySchema = z.strictObject({
  page: pageSchema,
  limit: limitSchema(limits.automationRulesPageSize),
});

/** What one response did for one alert. */
export const automationRuleHistoryEntrySchema = z.strictObject({
  at: timeSchema,
  /** The alert's id in Graylog. */
  alert_id: z.string(),
  alert_title: z.string(),
  response_name: z.string(),
  response_type: z.enum(['action', 'playbook']),
  outcome: z.enum(responseOutcomes),
  /** Null unless it started. */
  run_id: idSchema.nullable(),
  /** Of a single action that started: its run in the activity list. */
  action_uuid: idSchema.nullable(),
  /** Null unless it started, and once the run was forgotten. */
  status: z.enum(runStatuses).nullable(),
  /** Why it could not start. */
  problem: z.string().nullable(),
});
export type AutomationRuleHistoryEntry = z.output<typeof automationRuleHistoryEntrySchema>;

export const automationRuleHistorySchema = z.strictObject({
  entries: z.array(automationRuleHistoryEntrySchema),
  total: count,
});
