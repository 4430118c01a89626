import type { JsonObject } from '@airdeck/contracts/fields';
import { addressFamily } from './address-class.ts';
import { VendorError } from './vendor-error.ts';

/**
 * Formats of `input_schema` that are checked where the value is used, whoever checked the schema before. Zones and prefixes
 * are not addresses.
 */
const formats: Readonly<Record<string, { fits: (text: string) => boolean; like: string }>> = {
  ip: { fits: (text) => addressFamily(text) !== 0, like: 'an IP address, such as 203.0.113.7' },
  ipv4: { fits: (text) => addressFamily(text) === 4, like: 'an IPv4 address, such as 203.0.113.7' },
  ipv6: { fits: (text) => addressFamily(text) === 6, like: 'an IPv6 address, such as 2001:db8::7' },
};

/**
 * The input with every property of its schema: what is not given is the schema's default, or null. Throws
 * `VENDOR_REJECTED` for what is missing or does not fit a format.
 */
export function completeInput(schema: JsonObject, input: JsonObject): JsonObject {
  const properties = Object.entries((schema.properties ?? {}) as Readonly<Record<string, JsonObject>>);
  const required = new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []);
  const complete = properties.map(([name, property]): [string, unknown] => {
    const value = Object.hasOwn(input, name) ? (input[name] ?? null) : (property.default ?? null);
    if (value === null && required.has(name)) throw refused(`"${name}" is missing.`);
    if (value !== null) checkFormat(name, property, value);
    return [name, value];
  });
  return { ...input, ...Object.fromEntries(complete) };
}

function checkFormat(name: string, property: JsonObject, value: unknown): void {
  const { format } = property;
  const rule = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
  if (rule === undefined || (typeof value === 'string' && rule.fits(value))) return;
  throw refused(`"${name}" must be ${rule.like}.`);
}

function refused(message: string): VendorError {
  return new VendorError('VENDOR_REJECTED', message);
}
