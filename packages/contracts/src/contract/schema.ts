import { z } from 'zod';
import { emailSchema, idSchema, timeSchema } from '../fields.ts';

export const contractFileSchema = z.strictObject({
  id: idSchema,
  name: z.string(),
  size_bytes: z.number().int(),
  uploaded_at: timeSchema,
});

/** The term dates page. Dates are calendar days, `2026-11-21`. */
export const contractSchema = z.strictObject({
  id: idSchema,
  tenant: idSchema,
  sku_name: z.string(),
  start_date: z.iso.date(),
  end_date: z.iso.date(),
  renewal_notice_date: z.iso.date().nullable(),
  seats: z.number().int().nullable(),
  /** Members that count against the seats now. */
  seats_used: z.number().int(),
  files: z.array(contractFileSchema),
  /** Whether the caller may change the contract: Admins of the provider that manages the tenant, or of one nobody manages. */
  editable: z.boolean(),
});
export type Contract = z.output<typeof contractSchema>;

/** The store's calendar has no year 0. */
const dayInput = z.iso.date().refine((day) => day > '0001', 'Days are of the years 1 to 9999.');

const termsReadSchema = contractSchema.pick({
  start_date: true,
  end_date: true,
  renewal_notice_date: true,
  seats: true,
});

export const contractInputSchema = z
  .strictObject({
    start_date: dayInput,
    end_date: dayInput,
    renewal_notice_date: dayInput.nullable(),
    seats: z.number().int().min(1).max(1_000_000).nullable(),
    /**
     * The terms as they were read, null where there were none: others by now are refused as CONFLICT. Without it the last to
     * write wins.
     */
    replaces: termsReadSchema.nullable().optional(),
  })
  .refine(({ start_date, end_date }) => start_date < end_date, {
    path: ['end_date'],
    message: 'Must be after the start.',
  });

/** Spec §3, Billing info. Empty texts where nothing was entered yet. */
export const billingSchema = z.strictObject({
  address: z.string(),
  city: z.string(),
  contact_email: z.string(),
  contact_name: z.string(),
  contact_phone: z.string(),
  state: z.string(),
  tenant: idSchema,
  zip_code: z.string(),
});
export type Billing = z.output<typeof billingSchema>;

const line = z.string().trim().max(200);

export const billingInputSchema = z.strictObject({
  address: line,
  city: line,
  contact_email: z.union([z.literal(''), emailSchema]),
  contact_name: line,
  contact_phone: line,
  state: line,
  zip_code: line,
  /** The texts as they were read: others by now are refused as CONFLICT. Without it the last to write wins. */
  replaces: billingSchema.omit({ tenant: true }).optional(),
});
