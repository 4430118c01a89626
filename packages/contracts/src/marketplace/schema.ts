import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { skuInfoSchema } from '../me/schema.ts';

/** The landing page's token after one URL-decoding. */
export const marketplaceTokenQuerySchema = z.strictObject({ token: z.string().min(1).max(4096) });

const daysSchema = z.number().int().min(1).max(3650);

/** Plan ids of the offer, and what each opens. A plan that is not in it cannot be activated. */
export const planTableSchema = z
  .record(
    z.string().min(1).max(100),
    skuInfoSchema.extend({
      sku_name: z.string().trim().min(1).max(100),
      retention_length_days: daysSchema,
      search_length_days: daysSchema,
    }),
  )
  .refine((plans) => Object.keys(plans).length > 0);
export type PlanTable = z.output<typeof planTableSchema>;

export const subscriptionStatuses = [
  'NotStarted',
  'PendingFulfillmentStart',
  'Subscribed',
  'Suspended',
  'Unsubscribed',
] as const;

/** What a purchase is for, and how far the sign-up of the caller came. Resolving has no effect. */
export const signupDetailsSchema = z.strictObject({
  subscription_id: z.string(),
  subscription_name: z.string(),
  offer_id: z.string(),
  plan_id: z.string(),
  /** Null for plans without seats. */
  quantity: z.number().int().nullable(),
  status: z.enum(subscriptionStatuses),
  is_test: z.boolean(),
  beneficiary_email: z.string().nullable(),
  purchaser_email: z.string().nullable(),
  /** Whether the account that is signed in is the beneficiary or the purchaser. */
  is_for_caller: z.boolean(),
  /** The tenant this subscription opened; null before activation. */
  tenant: z.strictObject({ id: idSchema, name: z.string() }).nullable(),
  /** Whether the caller is a member of that tenant. */
  user_linked: z.boolean(),
});
export type SignupDetails = z.output<typeof signupDetailsSchema>;

export const activateInputSchema = z.strictObject({
  /** Name of the tenant to open; the subscription's when left out. */
  tenant_name: z.string().trim().min(1).max(200).optional(),
  fullname: z.string().trim().min(1).max(200).optional(),
});

export const activatedSchema = z.strictObject({ tenant: idSchema, tenant_name: z.string() });

/** The notice is only a hint: the operation is fetched and that answer counts. Unknown fields are left alone. */
export const marketplaceNoticeSchema = z.looseObject({
  id: z.string().min(1).max(100),
  subscriptionId: z.string().min(1).max(100),
  action: z.string().min(1).max(50),
  timeStamp: z.string().max(50).optional(),
});
