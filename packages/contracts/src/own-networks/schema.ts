import { z } from 'zod';
import { timeSchema } from '../fields.ts';

/** A private network of the tenant, such as `10.1.2.0/24`, or one address of it. */
const networkSchema = z
  .string()
  .trim()
  .max(49)
  .regex(/^[0-9a-fA-F.:]+(?:\/\d{1,3})?$/, 'An address or a network such as 10.1.2.0/24.');

export const ownNetworkSchema = z.strictObject({
  network: z.string(),
  /** What is there, for the people who read the list. */
  note: z.string(),
  /** False once the operator has closed it again: it opens nothing, and can only be taken away. */
  in_force: z.boolean(),
});

/** Private networks that calls for this tenant may reach, besides everything public. */
export const ownNetworksSchema = z.strictObject({
  networks: z.array(ownNetworkSchema),
  /** Networks the operator has opened for tenants to choose from; empty = none can be named. */
  permitted: z.array(z.string()),
  updated_at: timeSchema.nullable(),
});
export type OwnNetworks = z.output<typeof ownNetworksSchema>;

/** The whole list; what is left out is taken away. */
export const ownNetworksInputSchema = z.strictObject({
  networks: z.array(z.strictObject({ network: networkSchema, note: z.string().trim().max(200).default('') })).max(50),
  /** `updated_at` of the list that was changed; refused when somebody else was faster. Left out: whatever is there. */
  replaces: timeSchema.nullable().optional(),
});
export type OwnNetworksInput = z.output<typeof ownNetworksInputSchema>;
