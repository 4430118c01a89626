import { z } from 'zod';
import { idSchema, jsonObjectSchema, shortText, timeSchema, toldFields } from '../fields.ts';

/**
 * - `pending`: saved, not tried yet.
 * - `active`: the last test or call reached the vendor.
 * - `error`: the last test failed; `test_connection_message` says why. Still used, so that it can recover.
 * - `paused`: switched off by a person; nothing calls the vendor.
 */
export const connectorStates = ['active', 'paused', 'error', 'pending'] as const;
export type ConnectorState = (typeof connectorStates)[number];

export const connectionTestStatuses = ['success', 'error', 'skipped'] as const;
export type ConnectionTestStatus = (typeof connectionTestStatuses)[number];

/** A row of the list: everything of a connector (spec §3) but its configuration. */
export const connectorSummarySchema = z.strictObject({
  id: idSchema,
  tenant: idSchema,
  definition_id: z.string(),
  name: z.string(),
  /** Taken by actions of its integration that name no connector. */
  default: z.boolean(),
  /** False exactly while it is paused. */
  enabled: z.boolean(),
  state: z.enum(connectorStates),
  events_enabled: z.boolean(),
  events_options: jsonObjectSchema,
  metrics_enabled: z.boolean(),
  metrics_options: jsonObjectSchema,
  last_successful_connection: timeSchema.nullable(),
  /** When a person changed it last; send it back with a change. */
  last_updated: timeSchema,
  test_connection_time: timeSchema.nullable(),
  test_connection_status: z.enum(connectionTestStatuses).nullable(),
  test_connection_message: z.string().nullable(),
  /** Which sentence the message is, where it is one of this product, see `Told`. */
  test_connection_told: z.strictObject({ reason: toldFields.reason, values: toldFields.values }).optional(),
  test_connection_metadata: jsonObjectSchema.nullable(),
  events_24h: z.number().int().min(0),
  /** Ids of the actions it can run. */
  actions: z.array(z.string()),
});
export type ConnectorSummary = z.output<typeof connectorSummarySchema>;

export const connectorSchema = connectorSummarySchema.extend({
  /** Secrets as `{ "$secret": true, "set_at": … }`; sent back like that they are kept. */
  config: jsonObjectSchema,
});
export type Connector = z.output<typeof connectorSchema>;

const definitionIdSchema = z.string().trim().min(1).max(100);

/** What the product says about a connector: taken, so that it can be sent back as it was read, and not looked at. */
const toldByProduct = connectorSummarySchema
  .pick({
    state: true,
    last_successful_connection: true,
    test_connection_time: true,
    test_connection_status: true,
    test_connection_message: true,
    test_connection_told: true,
    test_connection_metadata: true,
    events_24h: true,
    actions: true,
  })
  .partial();

/** Without `id` a new connector; with it the connector is replaced, and `last_updated` must be the one it was read with. */
export const connectorInputSchema = z.strictObject({
  id: idSchema.optional(),
  /** Only accepted when it is the tenant of the address. */
  tenant: idSchema.optional(),
  definition_id: definitionIdSchema,
  name: shortText(100),
  default: z.boolean().optional(),
  enabled: z.boolean().default(true),
  config: jsonObjectSchema,
  events_enabled: z.boolean().default(false),
  events_options: jsonObjectSchema.default({}),
  metrics_enabled: z.boolean().default(false),
  metrics_options: jsonObjectSchema.default({}),
  last_updated: timeSchema.optional(),
  ...toldByProduct.shape,
});
export type ConnectorInput = z.output<typeof connectorInputSchema>;

/** What is named is changed. Of `config` the fields that are named; a field set to null is removed. */
export const connectorPatchSchema = z.strictObject({
  name: shortText(100).optional(),
  default: z.boolean().optional(),
  enabled: z.boolean().optional(),
  config: jsonObjectSchema.optional(),
  events_enabled: z.boolean().optional(),
  events_options: jsonObjectSchema.optional(),
  metrics_enabled: z.boolean().optional(),
  metrics_options: jsonObjectSchema.optional(),
  /** When given, refused with CONFLICT if somebody changed the connector since. */
  last_updated: timeSchema.optional(),
});
export type ConnectorPatch = z.output<typeof connectorPatchSchema>;

export const connectorValidationInputSchema = z.strictObject({
  definition_id: definitionIdSchema,
  config: jsonObjectSchema,
  /** The connector whose stored secrets stand behind the masks of `config`. */
  connector_id: idSchema.optional(),
  /** False checks without calling the vendor: while somebody types. */
  test: z.boolean().default(true),
});

export const connectionTestSchema = z.strictObject({
  status: z.enum(connectionTestStatuses),
  ...toldFields,
  metadata: jsonObjectSchema,
  duration_ms: z.number().int().min(0),
});
export type ConnectionTestResult = z.output<typeof connectionTestSchema>;

export const connectorValidationSchema = z.strictObject({
  valid: z.boolean(),
  errors: z.array(z.strictObject({ path: z.string(), ...toldFields })),
  test: connectionTestSchema,
});
export type ConnectorValidation = z.output<typeof connectorValidationSchema>;

/** What was done for a connector, newest first: by a person, or by the schedule. */
export const connectorCheckSchema = z.strictObject({
  at: timeSchema,
  kind: z.enum(['test', 'events', 'metrics']),
  by: z.enum(['person', 'schedule']),
  status: z.enum(connectionTestStatuses),
  /** Of the one vocabulary of vendor failures: `VENDOR_RATE_LIMITED`; null when it went well. */
  code: z.string().nullable(),
  ...toldFields,
  /** Fetched events; null for tests. */
  records: z.number().int().nullable(),
  /** 0 where the vendor was not called for it. */
  duration_ms: z.number().int(),
});
export type ConnectorCheck = z.output<typeof connectorCheckSchema>;

const scheduleSchema = z.strictObject({
  /** Null while nothing is due: paused, switched off or not offered by the integration. */
  next_at: timeSchema.nullable(),
  /** Failures in a row; each waits longer than the one before. */
  failures: z.number().int(),
});

export const connectorHealthSchema = z.strictObject({
  tests: z.array(connectorCheckSchema),
  fetches: z.array(connectorCheckSchema),
  schedule: z.strictObject({ test: scheduleSchema, events: scheduleSchema, metrics: scheduleSchema }),
  /** Since when it fails without a success in between. */
  failing_since: timeSchema.nullable(),
  last_event_at: timeSchema.nullable(),
  /** The last values, not a history. */
  metrics: z.strictObject({ at: timeSchema, values: jsonObjectSchema }).nullable(),
});
export type ConnectorHealth = z.output<typeof connectorHealthSchema>;
