import { z } from 'zod';
import { actionEffects } from '../actions/schema.ts';
import { idSchema, shortText, timeSchema } from '../fields.ts';

/** An operation of an uploaded description, as people choose from. */
export const openapiOperationSchema = z.strictObject({
  /** `GET /pets/{id}`: what a choice names. */
  key: z.string(),
  summary: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  /** What it does to the outside, as its method says. */
  effect: z.enum(actionEffects),
  deprecated: z.boolean(),
  /** Why it cannot be imported; null when it can. */
  unsupported: z.string().nullable(),
});

/** An uploaded description waits a day for its operations to be chosen. */
export const openapiDocumentSchema = z.strictObject({
  id: idSchema,
  expires_at: timeSchema,
  /** Of the document; empty where it has none. */
  title: z.string(),
  description: z.string(),
  api_version: z.string(),
  /** Addresses as the document writes them. */
  servers: z.array(z.string()),
  /** The one an import begins its form with; null where the document names no complete one. */
  base_url: z.string().nullable(),
  /** Ways to present oneself that the document describes and a connector can use. */
  credentials: z.array(z.string()),
  /** What to look at before importing, a sentence each. */
  warnings: z.array(z.string()),
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
  /** Keys of the operations they are of, in the same order. */
  operations: z.array(z.string()),
  created_by: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export type ImportedIntegration = z.output<typeof importedIntegrationSchema>;

/** How its connectors present themselves. */
export const importedCredentialSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('bearer') }),
  z.strictObject({ kind: z.literal('basic') }),
  z.strictObject({
    kind: z.literal('key'),
    place: z.enum(['header', 'query']),
    /** Of the header or of the parameter. */
    name: z
      .string()
      .trim()
      .max(100)
      .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'A name such as X-API-Key.'),
  }),
]);
export type ImportedCredential = z.output<typeof importedCredentialSchema>;

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
  /** What the address in the form of its connectors begins with; left out: what the document says. */
  base_url: z.string().trim().min(1).max(500).optional(),
  /** Left out: as the document says for the chosen operations. */
  credential: importedCredentialSchema.optional(),
  /** Into which one to import; with the version that was seen, so that two people do not overwrite each other. */
  replaces: z.strictObject({ id: idSchema, version: z.number().int().min(1) }).optional(),
});
export type OpenapiImportInput = z.output<typeof openapiImportInputSchema>;
