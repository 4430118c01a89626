import { z } from 'zod';
import {
  enumListSchema,
  idSchema,
  pageSchema,
  shortText,
  textListSchema,
  timeInputSchema,
  timeSchema,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { caseSeverities } from '../statuses.ts';
import { policyOriginSchema } from './origin-schema.ts';

/**
 * Comparisons of a criterion (docs/detection.md). What else Sigma's modifiers can say is worked out at import
 * (encodings, kinds of dashes), so that this table stays small.
 */
export const criterionOperators = [
  'equals',
  'contains',
  'startswith',
  'endswith',
  'regex',
  'cidr',
  'exists',
  'in',
  'gt',
  'gte',
  'lt',
  'lte',
  /** `*` stands for any text, `?` for one character; `\*`, `\?` and `\\` for the characters themselves. */
  'wildcard',
  /** The field is missing, or is the empty text. */
  'empty',
] as const;
export type CriterionOperator = (typeof criterionOperators)[number];

const criterionValueSchema = z.union([
  z.string().max(4096),
  z.number(),
  z.boolean(),
  z.array(z.union([z.string().max(4096), z.number()])).max(1000),
]);

/** In place of a field's name: every value of the event, and its text where it has no fields. */
export const ANY_FIELD = '*';

export type FieldCriterion = {
  /** A column, a field of the original, or `*`; `fields.x` is the original's `x` where a column has that name too. */
  field: string;
  operator: CriterionOperator;
  value?: z.output<typeof criterionValueSchema> | undefined;
  /** Compare with this field of the same event instead of a value: equals, contains, startswith and endswith. */
  value_field?: string | undefined;
  /** Whether one of several values is enough (default) or each must fit. */
  match?: 'any' | 'all' | undefined;
  case_sensitive?: boolean | undefined;
};
export type Criterion = FieldCriterion | { any: Criterion[] } | { all: Criterion[] } | { not: Criterion };

const fieldCriterionSchema = z.strictObject({
  field: shortText(200),
  operator: z.enum(criterionOperators),
  value: criterionValueSchema.optional(),
  value_field: shortText(200).optional(),
  match: z.enum(['any', 'all']).optional(),
  case_sensitive: z.boolean().optional(),
});

export const criterionSchema: z.ZodType<Criterion> = z
  .lazy(() =>
    z.union([
      fieldCriterionSchema,
      z.strictObject({ any: z.array(criterionSchema).min(1).max(200) }),
      z.strictObject({ all: z.array(criterionSchema).min(1).max(200) }),
      z.strictObject({ not: criterionSchema }),
    ]),
  )
  .meta({ id: 'Criterion' });

export const thresholdSchema = z.strictObject({
  count: z.number().int().min(1).max(100_000),
  within_s: z.number().int().min(1).max(604_800),
  distinct_field: shortText(200).optional(),
});

const eventSourceShape = {
  /** Slug of the integration; empty means any. */
  connector_definition_id: z.string().max(100),
  /** Empty means any. */
  event_type: z.string().max(100),
};

const policySourceSchema = z.strictObject({
  source_type: z.literal('log'),
  ...eventSourceShape,
  /** Further sources of the same kind of events: processes start in Sysmon's log and in the Security log. */
  also: z.array(z.strictObject(eventSourceShape)).min(1).max(20).optional(),
});

const groupBySchema = z.array(shortText(200)).max(5);

/** One step of a sequence. An event can fit several steps. */
export const policyStepSchema = z.strictObject({
  /** All must hold, beside those of the policy. */
  filter_criteria: z.array(criterionSchema).min(1).max(200),
  /** Where its events come from, if not from where the policy's do. */
  source: policySourceSchema.optional(),
  /** What its events call the fields the policy groups by, in their order, if they call them otherwise. */
  group_by: groupBySchema.optional(),
});
export type PolicyStep = z.output<typeof policyStepSchema>;

/** Most steps of a sequence: which of them an event fits is stored as the bits of one number. */
export const POLICY_STEPS_MAX = 10;

/** Steps that events of one group must fit within a time: a, then b. */
export const policySequenceSchema = z.strictObject({
  steps: z.array(policyStepSchema).min(2).max(POLICY_STEPS_MAX),
  /** From the first event to the last, by event time. */
  within_s: z.number().int().min(1).max(604_800),
  /** Whether it is enough that all steps happened, in whatever order; in theirs (default) otherwise. */
  any_order: z.boolean().optional(),
});
export type PolicySequence = z.output<typeof policySequenceSchema>;

export const policyLogicSchema = z.strictObject({
  rule_type: z.literal('filter_and_group'),
  /** All must hold. Empty only where the steps of a sequence say it all. */
  filter_criteria: z.array(criterionSchema).max(200),
  group_by: groupBySchema,
  /** Without one, every matching event counts at once. */
  threshold: thresholdSchema.optional(),
  /** In place of a threshold: what must happen to a group for a case to open. */
  sequence: policySequenceSchema.optional(),
  /** After a case of a group was opened, further matches of it open no new one for this long. */
  suppress_for_s: z.number().int().min(0).max(2_592_000).optional(),
  source: policySourceSchema,
});
export type PolicyLogic = z.output<typeof policyLogicSchema>;

export const policyRuleSchema = z.strictObject({
  name: shortText(200),
  description: z.string().max(10_000),
  type: z.literal('custom'),
  severity: z.enum(caseSeverities),
  logic: policyLogicSchema,
  /** MITRE ATT&CK techniques: `T1059.001`. */
  techniques: z
    .array(z.string().regex(/^T\d{4}(\.\d{3})?$/))
    .max(50)
    .optional(),
  origin: policyOriginSchema.optional(),
});
export type PolicyRule = z.output<typeof policyRuleSchema>;

/** Where a policy came from: written here, shipped with the product, imported, or published by the provider. */
export const policyOrigins = ['own', 'starter', 'sigma', 'provider'] as const;
export type PolicyOriginKind = (typeof policyOrigins)[number];

/** Days of the figures of a policy, today (UTC) last. */
export const POLICY_FIGURE_DAYS = 14;

export const policySchema = z.strictObject({
  id: idSchema,
  enabled: z.boolean(),
  /** When this policy last opened a case. */
  created_alert: timeSchema.nullable(),
  tenant: idSchema,
  rule: policyRuleSchema,
  /** Counts up with every change; `based_on` of a change names it. */
  version: z.number().int(),
  origin: z.enum(policyOrigins),
  /** Who wrote the rule: the author of an imported one, otherwise who made the policy. Empty where nobody is known. */
  author: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
  updated_by: z.string(),
  /** The newest case it opened, whatever became of it. */
  last_case: z.strictObject({ id: idSchema, reference: z.string(), time_opened: timeSchema }).nullable(),
  open_cases: z.number().int(),
  /** Matching events per day (UTC, by event time) of the last 14 days, today last; counted while detecting. */
  matches_by_day: z.array(z.number().int()).length(POLICY_FIGURE_DAYS),
  /** It opened so many cases that until then what else it finds is collected in one; null while it may open them. */
  throttled_until: timeSchema.nullable(),
  /** Matches given up today and yesterday (UTC), oldest first, because so many groups of the policy never filled. */
  dropped_matches: z.number().int(),
  /** Of a copy that the provider published: whether this tenant changed the rule since, which later publishing keeps. */
  published: z.strictObject({ overridden: z.boolean() }).nullable(),
});
export type Policy = z.output<typeof policySchema>;

const facetSchema = z.array(z.strictObject({ value: z.string(), count: z.number().int() }));

export const policyListSchema = z.strictObject({
  rules: z.array(policySchema),
  total: z.number().int(),
  /** A facet ignores its own filter and obeys the others. `source` has slugs of integrations, most first. */
  facets: z.strictObject({
    /** `true` and `false`. */
    enabled: facetSchema,
    severity: facetSchema,
    source: facetSchema,
    origin: facetSchema,
  }),
});
export type PolicyList = z.output<typeof policyListSchema>;

export const policyListQuerySchema = z.strictObject({
  /** In name, description, techniques, author and sources. */
  q: z.string().max(limits.searchTextMax).optional(),
  enabled: z.enum(['true', 'false']).optional(),
  severity: enumListSchema(caseSeverities).optional(),
  /** Slugs of integrations, separated by commas. */
  source: textListSchema.optional(),
  origin: enumListSchema(policyOrigins).optional(),
  /** Only policies that have opened a case since then. */
  start_time: timeInputSchema.optional(),
  page_number: pageSchema,
  page_size: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .transform((size) => Math.min(size, limits.listMax))
    .default(limits.policiesPageSize),
});
export type PolicyListQuery = z.output<typeof policyListQuerySchema>;

export const policyCreateSchema = z.strictObject({
  rule: policyRuleSchema,
  enabled: z.boolean().default(false),
});

export const policyUpdateSchema = z.strictObject({
  enabled: z.boolean().optional(),
  rule: policyRuleSchema.optional(),
  /** The version the change was made from; 409 CONFLICT names what changed since. Without it the last one wins. */
  based_on: z.number().int().min(1).optional(),
  /** What changed, for the list of versions. */
  note: z.string().trim().max(500).optional(),
});

/** What made a version. */
export const policyChanges = [
  'created',
  'imported',
  'published',
  'changed',
  'switched_on',
  'switched_off',
  'rolled_back',
] as const;

export const policyVersionSchema = z.strictObject({
  version: z.number().int(),
  change: z.enum(policyChanges),
  note: z.string(),
  enabled: z.boolean(),
  rule: policyRuleSchema,
  changed_at: timeSchema,
  changed_by: z.string(),
});
export type PolicyVersion = z.output<typeof policyVersionSchema>;

export const policyRollBackSchema = z.strictObject({ version: z.number().int().min(1) });

export const policyPublishSchema = z.strictObject({
  id: idSchema,
  tenants: z.array(idSchema).min(1).max(200),
  /** Whether copies that are new to a tenant are switched on. What a tenant has switched itself stays. */
  enabled: z.boolean().default(false),
});

export const policyPublishedSchema = z.strictObject({
  tenants: z.array(
    z.strictObject({
      tenant: idSchema,
      /** `kept`: the tenant changed its copy, which stays; `unchanged`: it has this very rule already. */
      status: z.enum(['created', 'updated', 'kept', 'unchanged', 'refused']),
      policy_id: idSchema.nullable(),
      reason: z.string().optional(),
    }),
  ),
});
export type PolicyPublished = z.output<typeof policyPublishedSchema>;
