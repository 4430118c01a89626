import { z } from 'zod';
import { idSchema, timeSchema } from '../fields.ts';

export const auditRecordSchema = z.strictObject({
  /** 1, 2, 3 … without a gap: the order of the chain. */
  sequence: z.number().int(),
  at: timeSchema,
  actor: z.strictObject({ kind: z.string(), id: z.string().nullable(), name: z.string() }),
  action: z.string(),
  target: z.strictObject({ kind: z.string(), id: z.string().nullable() }),
  outcome: z.enum(['ok', 'refused']),
  /** Why it was refused. */
  code: z.string().nullable(),
  data: z.unknown(),
  request_id: idSchema.nullable(),
  hash: z.string(),
});
export type AuditRecord = z.output<typeof auditRecordSchema>;

/** Newest first; `cursor` asks for the next page and is null on the last one. */
export const auditPageSchema = z.strictObject({ records: z.array(auditRecordSchema), cursor: z.string().nullable() });
export type AuditPage = z.output<typeof auditPageSchema>;

export const auditVerdictSchema = z.strictObject({
  intact: z.boolean(),
  records: z.number().int(),
  /** Hash of the last record of an intact chain. */
  head: z.string().nullable(),
  /** The first record that does not fit. */
  broken: z
    .strictObject({ sequence: z.number().int(), reason: z.enum(['missing', 'unlinked', 'changed', 'head_mismatch']) })
    .nullable(),
});
export type AuditVerdictOnWire = z.output<typeof auditVerdictSchema>;
