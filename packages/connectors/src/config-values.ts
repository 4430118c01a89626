import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';

/** A text of the configuration. Throws `CONNECTOR_CONFIG_INVALID` when it is missing: schemas are checked, stores age. */
export function configText(config: JsonObject, field: string): string {
  const value = config[field];
  if (typeof value === 'string' && value !== '') return value;
  throw new VendorError('CONNECTOR_CONFIG_INVALID', `The setting "${field}" of this connector is missing.`);
}

export function configTextOr(config: JsonObject, field: string, fallback: string): string {
  const value = config[field];
  return typeof value === 'string' && value !== '' ? value : fallback;
}

/** A base address without the slash at its end. */
export function baseUrl(config: JsonObject, fallback?: string): string {
  const text = fallback === undefined ? configText(config, 'base_url') : configTextOr(config, 'base_url', fallback);
  return text.replace(/\/+$/, '');
}
