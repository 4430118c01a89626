import { z } from 'zod';
import { roleSchema } from '../access/role-schema.ts';
import { idSchema, shortText, timeInputSchema, timeSchema, toldFields } from '../fields.ts';
import { limits } from '../limits.ts';
import { brandSchema } from '../tenants/schema.ts';
import { roleInputSchema } from '../users/schema.ts';

/** `#rrggbb`; contrast is the dashboard's business. */
const colourSchema = z.string().regex(/^#[0-9a-f]{6}$/, 'A color such as #0b7285.');
/** base64 makes it a third longer. */
const logoSchema = z
  .string()
  .max(Math.ceil((limits.logoMaxBytes * 4) / 3) + 40)
  .regex(/^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/, 'A PNG picture of 64 kB at most.');

export const tenantSettingsSchema = z.strictObject({
  name: z.string(),
  brand: brandSchema,
  mfa: z.strictObject({
    /** People who sign in through an external account need an authenticator of ours too. */
    required_for_social: z.boolean(),
  }),
  sign_in: z.strictObject({
    /** Only through single sign-on, except for break-glass accounts. */
    sso_required: z.boolean(),
    /** Usernames that may always use their password: for the day single sign-on is down. */
    break_glass: z.array(z.string()),
    /** Members at home here with no account linked that would let them in. Releases before say it only after a change. */
    unlinked_members: z.number().int().optional(),
  }),
  retention: z.strictObject({
    /** Days events are kept; never more than the plan's. */
    days: z.number().int(),
    plan_days: z.number().int(),
    search_days: z.number().int(),
  }),
  automation: z.strictObject({
    /** Off = the kill switch: nothing automatic starts and what runs stops before its next action. */
    enabled: z.boolean(),
    changed_by: z.string().nullable(),
    changed_at: timeSchema.nullable(),
  }),
  approvals: z.strictObject({
    /** Two different people answer a question that leads to an action that destroys. */
    two_people: z.boolean(),
  }),
  is_provider: z.boolean(),
  updated_at: timeSchema,
});
export type TenantSettings = z.output<typeof tenantSettingsSchema>;

/** Any part, and of the brand and the sign-in any field: what is not given stays, whoever changed it meanwhile. */
export const tenantSettingsInputSchema = z.strictObject({
  name: shortText(200).optional(),
  brand: z
    .strictObject({
      display_name: z.string().trim().max(200),
      colour: colourSchema.nullable(),
      logo: logoSchema.nullable(),
    })
    .partial()
    .optional(),
  mfa: z.strictObject({ required_for_social: z.boolean() }).optional(),
  sign_in: z
    .strictObject({ sso_required: z.boolean(), break_glass: z.array(shortText(254)).max(10) })
    .partial()
    .optional(),
  retention: z.strictObject({ days: z.number().int().min(1).max(3650) }).optional(),
  automation: z.strictObject({ enabled: z.boolean() }).optional(),
  approvals: z.strictObject({ two_people: z.boolean() }).optional(),
});

const hostSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'A domain such as example.com.');

export const ssoKinds = ['microsoft', 'google', 'oidc'] as const;
export type SsoKind = (typeof ssoKinds)[number];

/** An OpenID Connect issuer people of this tenant sign in with. The client secret is write-only. */
export const ssoConnectionSchema = z.strictObject({
  id: idSchema,
  kind: z.enum(ssoKinds),
  /** On the button: "Continue with …". */
  label: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  client_secret_set_at: timeSchema.nullable(),
  /** E-mail domains that are sent here. Each counts only once the tenant has proved that it is theirs (`sso.domains`). */
  domains: z.array(z.string()),
  join: z.strictObject({
    /** Whether somebody new becomes a member by signing in. */
    enabled: z.boolean(),
    default_role: roleSchema.nullable(),
    /** Claim that lists groups, and which group means which role. */
    groups_claim: z.string(),
    group_roles: z.array(z.strictObject({ group: z.string(), role: roleSchema })),
  }),
  enabled: z.boolean(),
  /** To be registered at the issuer. */
  redirect_uri: z.string(),
  updated_at: timeSchema,
});
export type SsoConnection = z.output<typeof ssoConnectionSchema>;

export const ssoConnectionInputSchema = z.strictObject({
  kind: z.enum(ssoKinds),
  label: shortText(60),
  issuer: z.url({ protocol: /^https?$/ }).max(500),
  client_id: shortText(300),
  /** Left out keeps the stored one, which is bound to the issuer: with another issuer it must be given again. */
  client_secret: z.string().min(1).max(1000).optional(),
  domains: z.array(hostSchema).max(50).default([]),
  join: z
    .strictObject({
      enabled: z.boolean(),
      default_role: roleInputSchema.nullable(),
      groups_claim: z.string().trim().max(100).default('groups'),
      group_roles: z
        .array(z.strictObject({ group: shortText(200), role: roleInputSchema }))
        .max(50)
        .default([]),
    })
    .default({ enabled: false, default_role: null, groups_claim: 'groups', group_roles: [] }),
  enabled: z.boolean().default(true),
});
export type SsoConnectionInput = z.output<typeof ssoConnectionInputSchema>;

/** A connection is replaced whole; whoever names the state it was made from never writes over somebody else's change. */
export const ssoConnectionChangeSchema = ssoConnectionInputSchema.extend({
  /** `updated_at` of the connection as it was read: another one now is refused as CONFLICT. Without it the last to write wins. */
  updated_at: timeInputSchema.optional(),
});
export type SsoConnectionChange = z.output<typeof ssoConnectionChangeSchema>;

export const ssoTestSchema = z.strictObject({ ok: z.boolean(), ...toldFields });

/** An e-mail domain of the tenant's connections, and the TXT record that proves it. */
export const ssoDomainSchema = z.strictObject({
  domain: z.string(),
  /** Null until the record was found: the domain sends nobody to the connection and lets nobody join. */
  proved_at: timeSchema.nullable(),
  checked_at: timeSchema.nullable(),
  /** Since when the record of a proved domain is gone, and until when the proof counts without it. */
  missing: z.strictObject({ since: timeSchema, counts_until: timeSchema }).nullable(),
  record: z.strictObject({ name: z.string(), value: z.string() }),
});
export type SsoDomain = z.output<typeof ssoDomainSchema>;

export const ssoDomainCheckInputSchema = z.strictObject({ domain: hostSchema });

export const ssoDomainCheckSchema = z.strictObject({ ok: z.boolean(), message: z.string(), domain: ssoDomainSchema });
export type SsoDomainCheck = z.output<typeof ssoDomainCheckSchema>;
