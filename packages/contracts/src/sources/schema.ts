import { z } from 'zod';
import { idSchema, shortText, timeSchema } from '../fields.ts';

/** What a source sends: each kind is read as its own format; `webhook` and `ndjson` take what the body turns out to be. */
export const sourceKinds = ['webhook', 'gelf', 'syslog', 'ndjson', 'graylog', 'cloudevents'] as const;
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
  /** Records of this source that were refused in deliveries whose other records were taken. */
  rejected_24h: z.number().int().min(0),
  /** Deliveries that equalled one of the ten minutes before, which nothing but their body tells, and were not stored again. */
  repeated_24h: z.number().int().min(0),
  /**
   * Events whose own time was far from when they came: more than five minutes ahead, more than a day behind, or no time
   * anybody could believe. Null when there were none.
   */
  clock_24h: z
    .strictObject({
      ahead: z.number().int(),
      behind: z.number().int(),
      unbelievable: z.number().int(),
      /** The usual difference on the side that has more of them; positive is ahead. Null where none has one. */
      offset_ms: z.number().int().nullable(),
    })
    .nullable(),
  /**
   * Lines the syslog doors lost before it was known whose they were: full buffers, unknown senders, wrong tokens. One count
   * for all sources of the installation; null for a source that does not send syslog.
   */
  dropped_24h: z.number().int().min(0).nullable(),
  created_at: timeSchema,
});
export type EventSource = z.output<typeof eventSourceSchema>;

export const eventSourceCreateSchema = z.strictObject({ name: shortText(100), kind: z.enum(sourceKinds) });

export const eventSourcePatchSchema = z.strictObject({ name: shortText(100) });

/** What shows the token: the answers to making a source and to replacing its token, and nothing else. */
export const eventSourceCreatedSchema = eventSourceSchema.extend({ token: z.string() });

export const ingestAnswerSchema = z.strictObject({
  accepted: z.number().int(),
  rejected: z.number().int(),
  /** This delivery was taken before: it is answered as then, and not stored again. */
  duplicate: z.boolean(),
  batch_id: idSchema,
  /** The first 100 rejected records, by their line in the body (from 1). */
  errors: z.array(z.strictObject({ line: z.number().int(), message: z.string() })),
});
export type IngestAnswer = z.output<typeof ingestAnswerSchema>;
