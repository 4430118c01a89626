import { z } from 'zod';
import { roleSchema } from '../access/role-schema.ts';
import { emailSchema, idSchema, shortText, timeSchema, usernameSchema } from '../fields.ts';
import { skuInfoSchema } from '../me/schema.ts';
import { roleInputSchema } from '../users/schema.ts';

/** A tenant managed by the provider in the path. */
export const customerSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  sku_info: skuInfoSchema,
  created_at: timeSchema,
  /** Members who are not disabled, and invitations that can still be accepted. */
  users: z.number().int(),
  invited: z.number().int(),
});
export type Customer = z.output<typeof customerSchema>;

const days = z.number().int().min(1).max(3650);

export const skuInputSchema = z
  .strictObject({
    sku_name: shortText(100),
    is_mdr_enabled: z.boolean(),
    is_search_enabled: z.boolean(),
    retention_length_days: days,
    search_length_days: days,
  })
  .refine(({ search_length_days: search, retention_length_days: kept }) => search <= kept, {
    path: ['search_length_days'],
    message: 'Cannot be longer than the retention.',
  });

export const customerCreateSchema = z.strictObject({
  name: shortText(200),
  sku_info: skuInputSchema,
  /** Invited as its first Admin. */
  admin: z.strictObject({ email: emailSchema, fullname: shortText(200) }),
});

export const customerUpdateSchema = z.strictObject({
  name: shortText(200).optional(),
  sku_info: skuInputSchema.optional(),
  /** `sku_info` as it was read: another one now is refused as CONFLICT. Without it the last to write wins. */
  replaces: skuInfoSchema.optional(),
});

/** A person of the provider and the role they have in every customer, present and future. */
export const providerRoleSchema = z.strictObject({ username: z.string(), fullname: z.string(), role: roleSchema });
export type ProviderRole = z.output<typeof providerRoleSchema>;

export const providerRoleInputSchema = z.strictObject({
  username: usernameSchema,
  /** Null takes the role away. */
  role: roleInputSchema.nullable(),
});
