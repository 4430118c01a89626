import { z } from 'zod';
import { jsonObjectSchema } from '../fields.ts';

/** An integration as the catalogue shows it (spec §3, Integration). The same for every tenant; nothing in it is secret. */
export const integrationSchema = z.strictObject({
  /** Slug: `fortigate`. The `definition_id` of connectors and actions. */
  id: z.string(),
  vendor: z.string(),
  product: z.string(),
  version: z.string(),
  visible: z.boolean(),
  name: z.string(),
  description: z.string(),
  category: z.string(),
  can_fetch_events: z.boolean(),
  can_fetch_metrics: z.boolean(),
  can_test_connection: z.boolean(),
  /** JSON Schemas for forms; null where there is nothing to choose. */
  event_options_schema: jsonObjectSchema.nullable(),
  metric_options_schema: jsonObjectSchema.nullable(),
  /** Properties marked `secret: true` are write-only; the one marked `destination: true` is the host they are sent to. */
  config_schema: jsonObjectSchema,
  capabilities: z.array(z.string()),
  /** Ids of its actions. */
  actions: z.array(z.string()),
  /** Made of a description the tenant uploaded; nobody else sees it. Beyond the specification. */
  imported: z.boolean(),
});
export type Integration = z.output<typeof integrationSchema>;

/** One integration with what helps to connect it. Beyond the specification; from the same place as its page in the documents. */
export const integrationDetailSchema = integrationSchema.extend({
  setup: z.strictObject({
    /** How to get the credentials, a sentence a step. */
    steps: z.array(z.string()),
    /** Rights the credentials need at the vendor, in its own words. */
    permissions: z.array(z.string()),
    /** Limits and habits of the vendor. */
    notes: z.array(z.string()),
    /** What is taken for granted about the vendor without a published source at hand. */
    unconfirmed: z.array(z.string()),
    /** The vendor's own description of its API; https. */
    url: z.string().nullable(),
  }),
});
export type IntegrationDetail = z.output<typeof integrationDetailSchema>;
