import type { JsonObject } from '@airdeck/contracts/fields';

/** Reading vendors' JSON, where any field may be missing or of another type than published. */
export function textOf(data: JsonObject, field: string): string | null {
  const value = data[field];
  return typeof value === 'string' ? value : null;
}

export function numberOf(data: JsonObject, field: string): number | null {
  const value = data[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** An object inside; empty when there is none. */
export function objectOf(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** The objects of a list; what is not an object is left out. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value)
    ? value.filter((item): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item))
    : [];
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** A path of fields: `textAt(issue, 'user', 'login')`. */
export function textAt(data: JsonObject, ...path: readonly string[]): string | null {
  const last = path.at(-1);
  if (last === undefined) return null;
  const owner = path.slice(0, -1).reduce<JsonObject>((at, field) => objectOf(at[field]), data);
  return textOf(owner, last);
}
