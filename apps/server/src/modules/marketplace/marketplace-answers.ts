/**
 * What the marketplace answers, as far as we read it. Fields we can do without may be missing or odd (its own description
 * requires nothing); without the others an answer is no answer.
 */
import { subscriptionStatuses } from '@airdeck/contracts/marketplace/schema';
import { z } from 'zod';

const QUANTITY_MAX = 1_000_000;

const guid = z
  .string()
  .transform((text) => text.toLowerCase())
  .pipe(z.uuid());
/** Missing, empty and all zeros name nobody. */
const lenientGuid = guid
  .transform((id) => (id === '00000000-0000-0000-0000-000000000000' ? null : id))
  .nullish()
  .catch(null);
const text = z.string().trim().min(1).max(300);
const lenientText = text.nullish().catch(null);
const quantity = z.number().int().min(1).max(QUANTITY_MAX).nullish();
/** Times of a purchase that has not begun are missing, empty or in the year one. */
const time = z
  .string()
  .nullish()
  .transform((value) => {
    const at = new Date(value ?? '');
    return at.getUTCFullYear() >= 2000 ? at : null;
  })
  .catch(null);

const personSchema = z
  .looseObject({
    emailId: z
      .email()
      .max(254)
      .transform((email) => email.toLowerCase())
      .nullish()
      .catch(null),
    objectId: lenientGuid,
    tenantId: lenientGuid,
  })
  .nullish()
  .catch(null);

export const subscriptionSchema = z.looseObject({
  id: guid,
  name: lenientText,
  offerId: lenientText,
  planId: text,
  quantity,
  saasSubscriptionStatus: z.enum(subscriptionStatuses),
  beneficiary: personSchema,
  purchaser: personSchema,
  term: z.looseObject({ termUnit: lenientText, startDate: time, endDate: time }).nullish().catch(null),
  isTest: z.boolean().nullish().catch(null),
});
export type MarketplaceSubscription = z.output<typeof subscriptionSchema>;

export const resolvedSchema = z.looseObject({
  id: guid,
  subscriptionName: lenientText,
  subscription: subscriptionSchema,
});

export const operationSchema = z.looseObject({
  id: guid,
  subscriptionId: guid,
  action: text,
  status: z.enum(['NotStarted', 'InProgress', 'Succeeded', 'Failed', 'Conflict']),
  planId: lenientText,
  quantity: quantity.catch(null),
  timeStamp: time,
});
export type MarketplaceOperation = z.output<typeof operationSchema>;

/** Seconds may come as text. */
export const accessTokenSchema = z.looseObject({
  access_token: z.string().min(1).max(20_000),
  expires_in: z.coerce.number().int().min(1).max(604_800),
});

export const openIdSchema = z.looseObject({ issuer: z.string().max(500), jwks_uri: z.url().max(1000) });

export const keySetSchema = z.looseObject({
  keys: z
    .array(z.looseObject({ kty: z.string(), kid: z.string().optional() }))
    .min(1)
    .max(100),
});

const errorSchema = z.looseObject({ error: z.looseObject({ code: z.string().regex(/^[A-Za-z]{1,40}$/) }) });

/** The vendor's own code for the log, if it is a word; anything else may repeat what we sent. */
export function errorCodeOf(body: unknown): string | undefined {
  return errorSchema.safeParse(body).data?.error.code;
}
