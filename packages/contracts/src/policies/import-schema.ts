import { z } from 'zod';
import { idSchema, shortText } from '../fields.ts';
import { policyRuleSchema } from './schema.ts';

/**
 * Bounds of one call. The body of a call has one megabyte, so a collection comes in portions; rules that count other rules
 * must be in the portion of those.
 */
export const sigmaImportLimits = { files: 1_000, fileChars: 256_000 } as const;

export const sigmaImportSchema = z.strictObject({
  files: z
    .array(z.strictObject({ name: shortText(500), text: z.string().max(sigmaImportLimits.fileChars) }))
    .min(1)
    .max(sigmaImportLimits.files),
  /** Only say what would become of the rules; nothing is stored. */
  dry_run: z.boolean().default(false),
  /** Give policies of the same Sigma id the new rule; otherwise such rules are skipped. */
  replace: z.boolean().default(false),
  /** Licence of rules that name none themselves. */
  license: z.string().trim().max(500).optional(),
});

export const sigmaImportedSchema = z.strictObject({
  rules: z.array(
    z.strictObject({
      file: z.string(),
      /** As the rule says, or empty. */
      id: z.string(),
      title: z.string(),
      status: z.enum(['imported', 'skipped', 'failed']),
      /** Why it was not imported; of an imported one, what was done otherwise than it says. */
      reason: z.string().optional(),
      /**
       * The policy that was made or changed, or that has a skipped rule already; null where there is none. A dry run makes and
       * changes none.
       */
      policy_id: idSchema.nullable(),
      /** What became of the rule, in a dry run of at most twenty rules. */
      rule: policyRuleSchema.optional(),
    }),
  ),
  imported: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
});
export type SigmaImported = z.output<typeof sigmaImportedSchema>;

export const policySourceTextSchema = z.strictObject({
  format: z.literal('sigma'),
  file: z.string(),
  /** The rule as it was imported, letter by letter; of a correlation behind the rules it names, if one file takes them. */
  text: z.string(),
});
