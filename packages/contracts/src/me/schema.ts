import { z } from 'zod';
import { roleSchema } from '../access/role-schema.ts';
import { idSchema, shortText, timeInputSchema, timeSchema } from '../fields.ts';

export const skuInfoSchema = z.strictObject({
  sku_name: z.string(),
  is_mdr_enabled: z.boolean(),
  is_search_enabled: z.boolean(),
  retention_length_days: z.number().int(),
  search_length_days: z.number().int(),
});
export type SkuInfo = z.output<typeof skuInfoSchema>;

export const currentUserSchema = z.strictObject({
  user: z.strictObject({
    id: idSchema,
    uname: z.string(),
    fullname: z.string(),
    email: z.string(),
    /** The user's own tenant: the first session opens here. */
    tenant: idSchema,
    locale: z.string(),
    external_id: z.string().nullable(),
    mfa_enabled: z.boolean(),
    social: z.boolean(),
  }),
  allowed_tenants: z.array(z.strictObject({ id: idSchema, fullname: z.string() })),
  tenant_roles: z.record(idSchema, roleSchema),
  tenants: z.record(idSchema, z.strictObject({ sku_info: skuInfoSchema, managed_by: idSchema.nullable() })),
});
export type CurrentUser = z.output<typeof currentUserSchema>;

export const apiKeySchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  tenant: idSchema,
  role: roleSchema,
  hint: z.string(),
  created_at: timeSchema,
  expires_at: timeSchema,
  last_used_at: timeSchema.nullable(),
});
export type ApiKey = z.output<typeof apiKeySchema>;

export const apiKeyCreateSchema = z.strictObject({
  name: shortText(100),
  tenant: idSchema,
  role: roleSchema,
  expires_at: timeInputSchema,
});

/** The only answer that ever shows the key. */
export const apiKeyCreatedSchema = apiKeySchema.extend({ key: z.string() });
