import { z } from 'zod';
import { idSchema, jsonObjectSchema, shortText, timeSchema } from '../fields.ts';

/** What an action may do to the outside: decides repetition after a crash and the need to confirm. */
export const actionEffects = ['reads', 'changes', 'destroys'] as const;
export type ActionEffect = (typeof actionEffects)[number];

export const actionDefinitionSchema = z.strictObject({
  /** `fortigate.block_address` */
  action_id: z.string(),
  /** Slug of the integration: `fortigate`. */
  definition_id: z.string(),
  friendly_name: z.string(),
  description: z.string(),
  vendor: z.string(),
  product: z.string(),
  input_schema: jsonObjectSchema,
  output_schema: jsonObjectSchema,
  effect: z.enum(actionEffects),
  requires_connector: z.boolean(),
  timeout_s: z.number(),
});
/** Body and answer of `synchronous_action` (spec §7). */
export const synchronousActionSchema = z.strictObject({
  action_name: shortText(200),
  action_input: jsonObjectSchema,
  /** Null takes the tenant's default connector of the integration. */
  connector_id: idSchema.nullable().default(null),
});

export const synchronousActionResultSchema = z.strictObject({
  action_name: z.string(),
  action_output: z.unknown(),
  /** When the vendor had answered. */
  datetime: timeSchema,
  /** The run in the activity list; null for actions that only read, which leave none. */
  action_uuid: idSchema.nullable(),
});
export type SynchronousActionResult = z.output<typeof synchronousActionResultSchema>;

export type ActionDefinition = z.output<typeof actionDefinitionSchema>;
