import { z } from 'zod';
import { idSchema, shortText, timeSchema } from '../fields.ts';

export const sourceKinds = ['webhook', 'gelf', 'syslog', 'ndjson'] as const;
export type SourceKind = (typeof sourceKinds)[number];

export const eventSourceSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  kind: z.enum(sourceKinds),
  /** Where to send: an https address, or `syslog+tcp://host:port`. */
  url: z.string(),
  /** Last four characters of the token, to tell tokens apart. */
  token_hint: z.string(),
  last_event_at: timeSchema.nullable(),
  events_24h: z.number().int().min(0),
});
export type EventSource = z.output<typeof eventSourceSchema>;

export const eventSourceCreateSchema = z.strictObject({ name: shortText(100), kind: z.enum(sourceKinds) });

/** The only answer that ever shows the token. */
export const eventSourceCreatedSchema = eventSourceSchema.extend({ token: z.string() });

export const ingestAnswerSchema = z.strictObject({
  accepted: z.number().int(),
  rejected: z.number().int(),
  batch_id: idSchema,
  /** The first 100 rejected records, by their line in the body (from 1). */
  errors: z.array(z.strictObject({ line: z.number().int(), message: z.string() })),
});
export type IngestAnswer = z.output<typeof ingestAnswerSchema>;
