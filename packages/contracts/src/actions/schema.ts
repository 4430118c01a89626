import { z } from 'zod';
import { jsonObjectSchema } from '../fields.ts';

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
export type ActionDefinition = z.output<typeof actionDefinitionSchema>;
