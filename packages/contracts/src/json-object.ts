import type { JsonObject } from './fields.ts';

/** An object of JSON: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object a value is; one without fields where it is none. */
export function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
