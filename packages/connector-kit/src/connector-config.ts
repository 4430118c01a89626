import type { JsonObject } from '@airdeck/contracts/fields';

/** What a person sees in place of a saved secret; also what comes back when they leave it unchanged. */
export type SecretMask = { readonly $secret: true; readonly set_at: string };

export function isSecretMask(value: unknown): value is SecretMask {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$secret');
}

/** Names of the properties marked `secret: true`. Secrets are top-level strings (checked by the registry). */
export function secretFields(configSchema: JsonObject): string[] {
  return fieldsMarked(configSchema, 'secret');
}

/** Origin the secrets of this configuration are bound to: of the property marked `destination: true`, or empty. */
export function secretDestination(configSchema: JsonObject, config: JsonObject): string {
  const field = fieldsMarked(configSchema, 'destination')[0];
  const value = field === undefined ? undefined : config[field];
  if (typeof value !== 'string' || !URL.canParse(value)) return '';
  // Schemes that browsers do not know (`smtps:`) have no origin; scheme, host and port are theirs.
  const { origin, protocol, host } = new URL(value);
  return origin === 'null' ? `${protocol}//${host.toLowerCase()}` : origin;
}

/**
 * Whose events are fetched, beside the destination: what is set, or the default, of the properties marked `account: true`.
 * Undefined where none is marked.
 */
export function accountOf(configSchema: JsonObject, config: JsonObject): JsonObject | undefined {
  const fields = fieldsMarked(configSchema, 'account');
  if (fields.length === 0) return undefined;
  const properties = configSchema.properties as Record<string, JsonObject>;
  const values = fields.map((field) => [field, config[field] ?? properties[field]?.default] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== ''));
}

/** A configuration as sent, taken apart: what is stored in the clear, secrets to seal, secrets to leave as they are. */
export type SplitConfig = {
  readonly plain: JsonObject;
  readonly toSeal: Readonly<Record<string, string>>;
  readonly keep: readonly string[];
};

export function splitConfig(configSchema: JsonObject, config: JsonObject): SplitConfig {
  const secret = new Set(secretFields(configSchema));
  const plain: [string, unknown][] = [];
  const toSeal: [string, string][] = [];
  const keep: string[] = [];
  for (const [field, value] of Object.entries(config)) {
    if (!secret.has(field)) plain.push([field, value]);
    else if (isSecretMask(value)) keep.push(field);
    else if (typeof value === 'string' && value !== '') toSeal.push([field, value]);
  }
  return { plain: Object.fromEntries(plain), toSeal: Object.fromEntries(toSeal), keep };
}

/** The configuration as it may be shown: secrets as masks. */
export function maskConfig(plain: JsonObject, setAt: Readonly<Record<string, string>>): JsonObject {
  const masks = Object.entries(setAt).map(([field, at]): [string, SecretMask] => [
    field,
    { $secret: true, set_at: at },
  ]);
  return { ...plain, ...Object.fromEntries(masks) };
}

function fieldsMarked(configSchema: JsonObject, mark: string): string[] {
  const properties = configSchema.properties;
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.entries(properties)
    .filter(([, property]) => (property as Record<string, unknown> | null)?.[mark] === true)
    .map(([field]) => field);
}
