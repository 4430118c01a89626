import { addressFamily } from '@airdeck/connector-kit/address-class';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';

/** The input schema of one address; the format is checked again where it is used. */
export const addressInputSchema: JsonObject = {
  type: 'string',
  title: 'IP address',
  format: 'ip',
  minLength: 2,
  maxLength: 45,
};

/** An IP address of an action's input. Zones and prefixes are refused: they are not addresses. */
export function inputAddress(input: JsonObject, field: string, allowed: 'any' | 'ipv4'): string {
  const value = input[field];
  const family = typeof value === 'string' ? addressFamily(value) : 0;
  if (typeof value === 'string' && (family === 4 || (family === 6 && allowed === 'any'))) return value;
  throw new VendorError(
    'VENDOR_REJECTED',
    `"${field}" must be an ${allowed === 'ipv4' ? 'IPv4' : 'IP'} address, such as 203.0.113.7.`,
  );
}
