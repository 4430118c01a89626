import { z } from 'zod';
import { roleSchema } from '../access/role-schema.ts';
import { emailSchema, idSchema, limitSchema, shortText, timeSchema } from '../fields.ts';
import { limits } from '../limits.ts';

export const userStatuses = ['active', 'invited', 'disabled'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** One row of the user listing (spec §3). */
export const tenantUserSchema = z.strictObject({
  id: idSchema,
  fullname: z.string(),
  uname: z.string(),
  role: roleSchema,
  status: z.enum(userStatuses),
  /** Null for callers below Admin, as is the last sign-in. */
  mfa_enabled: z.boolean().nullable(),
  last_sign_in_at: timeSchema.nullable(),
  /** The role comes from the provider that manages this tenant and is changed there. */
  from_provider: z.boolean(),
  /** Of somebody invited: the link that was sent opens nothing any more. */
  invitation_expired: z.boolean().optional(),
});
export type TenantUser = z.output<typeof tenantUserSchema>;

/** Only a role that exists; the spaced spellings of spec §6 are understood. */
export const roleInputSchema = z.preprocess(
  (value) => (typeof value === 'string' ? (spacedRoles[value] ?? value) : value),
  roleSchema,
);
const spacedRoles: Readonly<Record<string, string>> = { 'System Manager': 'SystemManager', 'Read Only': 'ReadOnly' };

const flagText = z.enum(['true', 'false']).transform((text) => text === 'true');

export const userListQuerySchema = z.strictObject({
  limit: limitSchema(limits.usersMax, limits.usersMax),
  show_all: flagText.default(false),
  q: z.string().trim().max(limits.searchTextMax).optional(),
});

export const userInviteSchema = z.strictObject({
  email: emailSchema,
  fullname: shortText(200),
  role: roleInputSchema,
});

export const userUpdateSchema = z.strictObject({
  username: shortText(254),
  fullname: shortText(200).optional(),
  /** An invited user becomes active by accepting only. */
  status: z.enum(['active', 'disabled']).optional(),
});

export const userRoleSchema = z.strictObject({ username: shortText(254), role: roleInputSchema });

export const usernameQuerySchema = z.strictObject({ username: shortText(254) });
