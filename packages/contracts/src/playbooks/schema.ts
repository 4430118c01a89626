import { z } from 'zod';
import { roleSchema } from '../access/role-schema.ts';
import { emailSchema, idSchema, jsonObjectSchema, shortText, timeSchema } from '../fields.ts';

/** Grammar of a playbook (design.md §7). Expressions are CEL inside `{{ … }}`, or bare in `when`. */
const actionIdSchema = z.string().regex(/^[a-z][a-z0-9_]{0,62}$/, 'Lower-case letters, digits and underscores.');

const commonSchema = z.strictObject({
  id: actionIdSchema,
  depends_on: z.array(actionIdSchema).max(100).optional(),
  when: z.string().max(4096).optional(),
});

export const promptOptionSchema = z.strictObject({
  value: shortText(100),
  label: shortText(200),
  style: z.enum(['primary', 'danger', 'default']).optional(),
});

export const approversSchema = z.strictObject({
  role: roleSchema.optional(),
  usernames: z.array(emailSchema).max(50).optional(),
});

export const playbookActionSchema = z.discriminatedUnion('kind', [
  commonSchema.extend({
    kind: z.literal('action'),
    action: shortText(200),
    connector_id: idSchema.nullable().optional(),
    input: jsonObjectSchema,
    retry: z
      .strictObject({ max_attempts: z.number().int().min(1).max(20), backoff_s: z.number().min(0.1).max(3600) })
      .optional(),
    timeout_s: z.number().min(1).max(3600).optional(),
    on_error: z.enum(['fail', 'continue']).optional(),
  }),
  commonSchema.extend({
    kind: z.literal('prompt'),
    message: shortText(2000),
    options: z.array(promptOptionSchema).min(1).max(10),
    approvers: approversSchema.optional(),
    expires_in_s: z.number().int().min(1).max(2_592_000).optional(),
    default_option: z.string().max(100).optional(),
  }),
  commonSchema.extend({ kind: z.literal('delay'), seconds: z.number().min(0).max(2_592_000) }),
]);
export type PlaybookAction = z.output<typeof playbookActionSchema>;

export const playbookDefinitionSchema = z.strictObject({
  metadata: z.strictObject({
    name: shortText(200),
    description: z.string().max(10_000),
    author: z.string().max(200),
    updated_by: z.string().max(200),
  }),
  /** JSON Schema object of the inputs. */
  inputs: jsonObjectSchema,
  actions: z.array(playbookActionSchema).min(1).max(200),
  outputs: jsonObjectSchema,
  exec_options: z.strictObject({
    max_concurrent_actions: z.number().int().min(1).max(64),
    timeout_s: z.number().int().min(1).max(2_592_000).optional(),
  }),
});
export type PlaybookDefinition = z.output<typeof playbookDefinitionSchema>;

export const playbookSchema = playbookDefinitionSchema.extend({
  id: idSchema,
  tenant: idSchema,
  version: z.number().int(),
  updated_at: timeSchema,
});
export type Playbook = z.output<typeof playbookSchema>;
