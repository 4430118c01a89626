import { z } from 'zod';
import { roleSchema } from '../access/role-schema.ts';
import { idSchema, shortText, timeInputSchema, timeSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { notificationPreferencesInputSchema, notificationPreferencesSchema } from '../notifications/schema.ts';
import { roleInputSchema } from '../users/schema.ts';

/** Locales of spec §9. */
export const locales = ['en-US', 'pt-BR', 'en-CA'] as const;

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
    phone: z.string(),
    job_title: z.string(),
    /** IANA name such as `America/Sao_Paulo`; empty = the browser's. */
    timezone: z.string(),
    notification_preferences: notificationPreferencesSchema,
    external_id: z.string().nullable(),
    mfa_enabled: z.boolean(),
    /** Has an external account, which is enough to sign in with by the rules of the home tenant. */
    social: z.boolean(),
  }),
  allowed_tenants: z.array(z.strictObject({ id: idSchema, fullname: z.string() })),
  tenant_roles: z.record(idSchema, roleSchema),
  tenants: z.record(
    idSchema,
    z.strictObject({
      sku_info: skuInfoSchema,
      managed_by: idSchema.nullable(),
      is_provider: z.boolean(),
      /** What the tenant shows of itself; its logo comes with the tenant's details. */
      brand: z.strictObject({ display_name: z.string(), colour: z.string().nullable() }),
    }),
  ),
});
export type CurrentUser = z.output<typeof currentUserSchema>;

export const currentUserUpdateSchema = z.strictObject({
  fullname: shortText(200).optional(),
  phone: z
    .string()
    .trim()
    .max(40)
    .regex(/^\+?[0-9 ().-]*$/, 'Digits, spaces and + ( ) - only.')
    .optional(),
  job_title: z.string().trim().max(200).optional(),
  locale: z.enum(locales).optional(),
  timezone: z.string().max(60).optional(),
  notification_preferences: notificationPreferencesInputSchema.optional(),
});

const dayText = z.iso.date();

/** A widget as spec §3 names its fields; which types and periods there are is the dashboard's to say. */
const homeWidgetSchema = z.strictObject({
  id: shortText(60),
  type: shortText(60),
  data: z.strictObject({
    /** Left out unless somebody renamed it: the usual name is in the language of whoever looks. */
    name: shortText(80).optional(),
    /** Columns. */
    size: z.number().int().min(1).max(4),
    /** Left out where the height is the usual one. */
    rows: z.number().int().min(1).max(8).optional(),
    period: shortText(30),
    /** Days of a custom period, both included. */
    range: z.strictObject({ from: dayText, to: dayText }).optional(),
  }),
});

export const homeLayoutInputSchema = z.strictObject({
  /** Null is the default set, which a later release may change. */
  widgets: z.array(homeWidgetSchema).max(limits.homeWidgetsMax).nullable(),
  /**
   * Parts of the page there were when this was saved, widgets by their type: one that is neither here nor shown is new, one
   * that is only here was taken off the page. The first steps of a tenant are a part, `first_steps:` and its id.
   */
  known: z.array(shortText(60)).max(limits.homePartsMax),
});

/** The home page of a user, in whatever browser. The last to save wins; `version` counts the savings, 0 before the first. */
export const homeLayoutSchema = homeLayoutInputSchema.extend({ version: z.number().int() });
export type HomeLayout = z.output<typeof homeLayoutSchema>;

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
  role: roleInputSchema,
  expires_at: timeInputSchema,
});

/** The only answer that ever shows the key. */
export const apiKeyCreatedSchema = apiKeySchema.extend({ key: z.string() });
