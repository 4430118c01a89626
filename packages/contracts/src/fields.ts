import { z } from 'zod';
import { limits } from './limits.ts';
import { listValues } from './value-list.ts';

/** Ids are lower-case UUIDs in the 8-4-4-4-12 form (spec §5); other spellings are refused, not repaired. */
export const idSchema = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, 'Not an id.');

/** ISO 8601 UTC with milliseconds, as every time on the wire. */
export const timeSchema = z.iso.datetime({ precision: 3 });

/** A time a caller sends: any ISO date-time with a zone, of a year that `timeSchema` and PostgreSQL know. */
export const timeInputSchema = z.iso
  .datetime({ offset: true })
  .refine(isOfKnownYear, 'Times are of the years 1 to 9999.');

export const emailSchema = z.email().max(254);

/** Text a person typed: trimmed, never empty, never longer than `max`. */
export function shortText(max: number) {
  return z.string().trim().min(1).max(max);
}

/** How a request names somebody: mostly a mail address, but what another provider calls people need not be one. */
export const usernameSchema = shortText(254);

/** A page size: below one is refused, above the cap is capped. */
export function limitSchema(fallback: number, cap: number = limits.listMax) {
  return z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000_000)
    .transform((value) => Math.min(value, cap))
    .default(fallback);
}

export const pageSchema = z.coerce.number().int().min(1).max(limits.pageMax).default(1);

/** As far as pages reach, of whatever size. */
export const skipSchema = z.coerce
  .number()
  .int()
  .min(0)
  .max(limits.pageMax * limits.listMax)
  .default(0);

/** `status=open,closed`: one parameter, comma separated, each from the enumeration. */
export function enumListSchema<const T extends readonly [string, ...string[]]>(values: T) {
  return z
    .string()
    .max(500)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)).min(1).max(values.length));
}

/** `source=okta,sshd`: texts of anybody's making, see `value-list.ts`. */
export const textListSchema = z
  .string()
  .max(limits.textListMax)
  .refine((text) => listValues(text).length <= limits.textListValuesMax, 'At most 50 values.');

/** Path parameters of everything inside a tenant. */
export const tenantParamsSchema = z.strictObject({ tenant: idSchema });
export const tenantIdParamsSchema = z.strictObject({ tenant: idSchema, id: idSchema });

const plainValuesSchema = z.record(z.string(), z.union([z.string(), z.number()]));
const toldPartSchema = z.strictObject({
  path: z.string().optional(),
  message: z.string(),
  reason: z.string().optional(),
  values: plainValuesSchema.optional(),
});

/** A sentence of the server, see `Told`. */
export const toldFields = {
  message: z.string(),
  reason: z.string().optional(),
  values: z.record(z.string(), z.union([z.string(), z.number(), z.array(toldPartSchema).readonly()])).optional(),
};

/** JSON as it comes and goes where the specification leaves the inside to somebody else (schemas, vendor answers). */
export const jsonObjectSchema = z.record(z.string(), z.unknown());

export type JsonObject = Record<string, unknown>;

/**
 * As it is written and as it is in UTC: across midnight of a new year they differ, and a year beyond 9999 has six digits and
 * a sign there. Also true of what is no time, which is refused as such.
 */
function isOfKnownYear(text: string): boolean {
  const ms = Date.parse(text);
  return Number.isNaN(ms) || [text, new Date(ms).toISOString()].every((written) => /^(?!0000)\d/.test(written));
}
