import { z } from 'zod';
import { emailSchema, idSchema, shortText, timeInputSchema, timeSchema } from '../fields.ts';
import { limits } from '../limits.ts';
import { caseSeverities } from '../statuses.ts';

export const contactKinds = ['primary', 'technical', 'billing', 'escalation'] as const;
export const contactChannels = ['email', 'sms', 'webhook'] as const;

const phoneSchema = z
  .string()
  .trim()
  .max(40)
  .regex(/^(\+?[0-9 ().-]*)$/, 'Digits, spaces and + ( ) - only.');

const fields = {
  name: shortText(200),
  email: emailSchema,
  phone: phoneSchema.default(''),
  job_title: z.string().trim().max(200).default(''),
  kind: z.enum(contactKinds),
  /** Who is called first, second …; null for contacts outside the escalation. */
  escalation_order: z.number().int().min(1).max(999).nullable().default(null),
  notify: z
    .strictObject({
      case_severities: z.array(z.enum(caseSeverities)).max(caseSeverities.length),
      channels: z.array(z.enum(contactChannels)).max(contactChannels.length),
    })
    .default({ case_severities: [], channels: [] }),
  notes: z.string().trim().max(limits.commentMax).default(''),
};

export const contactInputSchema = z.strictObject(fields);
export type ContactInput = z.output<typeof contactInputSchema>;

export const contactSchema = z.strictObject({
  id: idSchema,
  tenant: idSchema,
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  job_title: z.string(),
  kind: z.enum(contactKinds),
  escalation_order: z.number().int().nullable(),
  notify: z.strictObject({
    case_severities: z.array(z.enum(caseSeverities)),
    channels: z.array(z.enum(contactChannels)),
  }),
  notes: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
});
export type Contact = z.output<typeof contactSchema>;

/** A contact is replaced whole; whoever names the state it was made from never writes over somebody else's change. */
export const contactChangeSchema = z.strictObject({
  ...fields,
  /** `updated_at` of the contact as it was read: another one now is refused as CONFLICT. Without it the last to write wins. */
  updated_at: timeInputSchema.optional(),
  /** Taken, so that a contact can be sent back as it was read: ids of another one are refused, the time is not looked at. */
  ...contactSchema.pick({ id: true, tenant: true, created_at: true }).partial().shape,
});
export type ContactChange = z.output<typeof contactChangeSchema>;
