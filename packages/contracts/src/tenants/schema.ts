import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { skuInfoSchema } from '../me/schema.ts';

export const brandSchema = z.strictObject({
  /** Shown instead of the tenant's name in the tenant picker and on reports; empty = the name. */
  display_name: z.string().max(200),
  /** `#rrggbb`, for marks and rules; never for text. */
  colour: z.string().nullable(),
  /** A PNG as a data URL. */
  logo: z.string().nullable(),
});
export type Brand = z.output<typeof brandSchema>;

/**
 * Of the marketplace subscription that opened a tenant. `opened`: not activated yet. All but `active` hold back search,
 * managed detection and, once suspended or ended, automation.
 */
export const subscriptionStates = ['opened', 'active', 'suspended', 'ended'] as const;
export type SubscriptionState = (typeof subscriptionStates)[number];

export const tenantSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  managed_by: idSchema.nullable(),
  /** What that provider is called; for Admins of this tenant, null for everybody else. */
  managed_by_name: z.string().nullable(),
  sku_info: skuInfoSchema,
  /** May manage other tenants. */
  is_provider: z.boolean(),
  brand: brandSchema,
  /** False while an Admin keeps everything automatic switched off. */
  automation_enabled: z.boolean(),
  /** Null where no subscription opened it; servers of the release before do not say. */
  subscription: z.enum(subscriptionStates).nullable().optional(),
  /** True from a restore until the operator lifts its fence: nothing acts on the outside. */
  is_fenced: z.boolean(),
});
export type Tenant = z.output<typeof tenantSchema>;
