/** What we read of Clerk's objects; everything else in them is left alone. Times are milliseconds since 1970. */
import { z } from 'zod';

const idSchema = z.string().min(1).max(200);
const textSchema = z.string().max(1000).nullish();

const emailSchema = z.object({
  id: z.string().max(200).nullish(),
  email_address: z.string().max(320),
  verification: z.object({ status: z.string().max(50) }).nullish(),
});

export const clerkUserSchema = z.object({
  id: idSchema,
  external_id: textSchema,
  first_name: textSchema,
  last_name: textSchema,
  primary_email_address_id: z.string().max(200).nullish(),
  email_addresses: z.array(emailSchema).max(100),
  public_metadata: z.record(z.string(), z.unknown()).nullish(),
  password_enabled: z.boolean(),
  two_factor_enabled: z.boolean(),
  external_accounts: z.array(z.object({ verification: z.object({ status: z.string().max(50) }).nullish() })).max(100),
  banned: z.boolean().optional(),
  updated_at: z.number().int().nonnegative(),
});
export type ClerkUser = z.output<typeof clerkUserSchema>;

export const clerkInvitationSchema = z.object({ id: idSchema });

export const clerkErrorsSchema = z.object({ errors: z.array(z.object({ code: z.string().max(200) })).max(100) });

export const clerkNoticeSchema = z.object({ type: z.string().max(200), data: z.unknown() });
export const clerkDeletedSchema = z.object({ id: idSchema });
export const clerkSessionSchema = z.object({ user_id: idSchema, created_at: z.number().int().nonnegative() });
