import { z } from 'zod';
import { idSchema, shortText, timeSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { caseSeverities } from '../statuses.ts';

/**
 * Comparisons of a criterion (design.md §8). What else Sigma's modifiers can say is worked out at import (encodings,
 * kinds of dashes), so that this table stays small.
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

export const criterionSchema: z.ZodType<Criterion> = z.lazy(() =>
  z.union([
    fieldCriterionSchema,
    z.strictObject({ any: z.array(criterionSchema).min(1).max(200) }),
    z.strictObject({ all: z.array(criterionSchema).min(1).max(200) }),
    z.strictObject({ not: criterionSchema }),
  ]),
);

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

export const policyLogicSchema = z.strictObject({
  rule_type: z.literal('filter_and_group'),
  /** All must hold. */
  filter_criteria: z.array(criterionSchema).min(1).max(200),
  group_by: z.array(shortText(200)).max(5),
  /** Without one, every matching event counts at once. */
  threshold: thresholdSchema.optional(),
  /** After a case of a group was opened, further matches of it open no new one for this long. */
  suppress_for_s: z.number().int().min(0).max(2_592_000).optional(),
  source: z.strictObject({
    source_type: z.literal('log'),
    ...eventSourceShape,
    /** Further sources of the same kind of events: processes start in Sysmon's log and in the Security log. */
    also: z.array(z.strictObject(eventSourceShape)).min(1).max(20).optional(),
  }),
});
export type PolicyLogic = z.output<typeof policyLogicSchema>;

/** Where a policy came from that was written elsewhere. Its licence may ask that the author is named with every case. */
export const policyOriginSchema = z.strictObject({
  format: z.literal('sigma'),
  id: z.string().max(100),
  author: z.string().max(2000),
  license: z.string().max(500),
  /** As the author rated it: `informational` has no severity of ours. */
  level: z.string().max(50),
  status: z.string().max(50),
  date: z.string().max(50),
  references: z.array(z.string().max(2000)).max(100),
  false_positives: z.array(z.string().max(2000)).max(100),
  tags: z.array(z.string().max(200)).max(100),
});
export type PolicyOrigin = z.output<typeof policyOriginSchema>;

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

export const policySchema = z.strictObject({
  id: idSchema,
  enabled: z.boolean(),
  /** When this policy last opened a case. */
  created_alert: timeSchema.nullable(),
  tenant: idSchema,
  rule: policyRuleSchema,
});
export type Policy = z.output<typeof policySchema>;

export const policyListSchema = z.strictObject({ rules: z.array(policySchema), total: z.number().int() });

export const policyListQuerySchema = z.strictObject({
  page_number: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .transform((size) => Math.min(size, limits.listMax))
    .default(limits.policiesPageSize),
});

export const policyUpdateSchema = z.strictObject({
  enabled: z.boolean().optional(),
  rule: policyRuleSchema.optional(),
});
