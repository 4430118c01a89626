import { z } from 'zod';
import { idSchema, jsonObjectSchema, limitSchema, pageSchema, timeSchema } from '../fields.ts';
import { limits } from '../limits.ts';

export const ruleResponseSchema = z.strictObject({
  rule_id: idSchema,
  response_name: z.string(),
  response_type: z.enum(['action', 'playbook']),
  /** Playbook id, or action name such as `fortigate.block_address`. */
  definition_id: z.string(),
  connector_id: idSchema.nullable(),
  /** Values may hold `{{ … }}` over `case` and `event`. */
  inputs: jsonObjectSchema,
  enabled: z.boolean(),
  created_by: z.string(),
  updated_at: timeSchema,
});
export type RuleResponse = z.output<typeof ruleResponseSchema>;

export const ruleResponseListSchema = z.strictObject({ responses: z.array(ruleResponseSchema) });

export const ruleResponseListQuerySchema = z.strictObject({
  rule_id: idSchema.optional(),
  response_name: z.string().max(200).optional(),
  limit: limitSchema(limits.ruleResponsesPageSize),
  page: pageSchema,
});
