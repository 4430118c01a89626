import { z } from 'zod';
import { idSchema, shortText, timeSchema } from '../fields.ts';

/** An operation of an uploaded description, as people choose from. */
export const openapiOperationSchema = z.strictObject({
  /** `GET /pets/{id}`: what a choice names. */
  key: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  deprecated: z.boolean(),
  /** Why it cannot be imported; null when it can. */
  unsupported: z.string().nullable(),
});

/** An uploaded description waits a day for its operations to be chosen. */
export const openapiDocumentSchema = z.strictObject({
  id: idSchema,
  expires_at: timeSchema,
  operations: z.array(openapiOperationSchema),
});
export type OpenapiDocument = z.output<typeof openapiDocumentSchema>;

/** An integration that a tenant has imported; only it sees and runs it. */
export const importedIntegrationSchema = z.strictObject({
  id: idSchema,
  /** The id of the integration in `available_integrations`, and of its connectors. */
  definition_id: z.string(),
  name: z.string(),
  description: z.string(),
  /** 1, 2, 3 …: every import into it makes a new one; connectors and playbooks use the last. */
  version: z.number().int(),
  /** Ids of its actions. */
  actions: z.array(z.string()),
  created_by: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export type ImportedIntegration = z.output<typeof importedIntegrationSchema>;

export const openapiImportInputSchema = z.strictObject({
  document_id: idSchema,
  /** Keys of the chosen operations. */
  operations: z
    .array(z.string().min(1).max(2500))
    .min(1)
    .max(100)
    .refine((keys) => new Set(keys).size === keys.length, 'Each operation once.'),
  /** Left out: the title of the document. */
  name: shortText(80).optional(),
  /** Into which one to import; with the version that was seen, so that two people do not overwrite each other. */
  replaces: z.strictObject({ id: idSchema, version: z.number().int().min(1) }).optional(),
});
export type OpenapiImportInput = z.output<typeof openapiImportInputSchema>;
