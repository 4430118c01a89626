import { z } from 'zod';
import { idSchema, timeSchema } from '../fields.ts';

/** Tenants one answer names, in the order of their names. */
export const PUBLICATIONS_MAX = 1000;

/** How a tenant that this one manages stands to a policy of this one. */
export const policyPublicationSchema = z.strictObject({
  tenant: idSchema,
  name: z.string(),
  /** Whether the caller may change policies there. */
  can_publish: z.boolean(),
  /** Null where the policy was never published to, or the tenant deleted its copy. */
  copy: z
    .strictObject({
      policy_id: idSchema,
      enabled: z.boolean(),
      /** The tenant changed the rule since: publishing again leaves it alone. */
      overridden: z.boolean(),
      /** It has the rule of today. */
      is_current: z.boolean(),
      /** The version of the policy it was last given; null where that is not known any more. */
      published_version: z.number().int().nullable(),
      published_at: timeSchema.nullable(),
    })
    .nullable(),
});
export type PolicyPublication = z.output<typeof policyPublicationSchema>;

export const policyPublicationsSchema = z.strictObject({
  tenants: z.array(policyPublicationSchema).max(PUBLICATIONS_MAX),
  /** How many this tenant manages and the caller works in, which may be more than are named. */
  total: z.number().int(),
});
export type PolicyPublications = z.output<typeof policyPublicationsSchema>;
