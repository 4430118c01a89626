import { z } from 'zod';
import { roleSchema } from '../access/role-schema.ts';
import { idSchema } from '../fields.ts';

export const ticketSchema = z.string().min(1).max(4096);

export const inviteAcceptSchema = z.strictObject({ ticket: ticketSchema });

/** What the accepted invitation gave. */
export const inviteAcceptedSchema = z.strictObject({
  tenant: idSchema,
  tenant_name: z.string(),
  role: roleSchema,
});
